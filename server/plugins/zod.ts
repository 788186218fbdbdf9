import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod';
import { z } from 'zod';
import type { Access, RouteContract } from '#shared/http/define-route.ts';
import type { Identity } from '../domain/identity.ts';

type Output<Schema> = Schema extends z.core.$ZodType ? z.output<Schema> : undefined;
type ReplyBody<Schema> = Schema extends z.core.$ZodType
  ? z.input<Schema>
  : Schema extends 'bytes'
    ? Uint8Array
    : undefined;

/** A reply made by {@link RouteInput.answer}: a declared status with the body declared for it. */
export interface RouteReply {
  readonly status: number;
  readonly body: unknown;
}

type Answer<Replies extends RouteContract['replies']> = <Status extends keyof Replies & number>(
  ...reply: Replies[Status] extends null
    ? [status: Status]
    : [status: Status, body: ReplyBody<Replies[Status]>]
) => RouteReply;

/** What a handler gets: validated input and who asks. `identity` is null on public routes only. */
export interface RouteInput<Contract extends RouteContract> {
  readonly params: Output<Contract['params']>;
  readonly query: Output<Contract['query']>;
  readonly body: Output<Contract['body']>;
  readonly identity: Contract['access'] extends 'public' ? Identity | null : Identity;
  /** The only way to make a reply, so that status and body fit the contract. */
  readonly answer: Answer<Contract['replies']>;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Who may call the route; every route under `/api` has it. */
    access?: Access;
  }
}

type Untyped = Omit<Record<keyof RouteInput<RouteContract>, unknown>, 'answer'> & {
  readonly answer: (status: number, body?: unknown) => RouteReply;
};

/** Input that a contract does not declare is refused, so that a misspelt name is not silently without effect. */
const noQuery = z.strictObject({});
const noBody = z.union([z.undefined(), z.null(), z.strictObject({})], {
  error: 'this route takes no body',
});

/** Sets the Zod validator and serializer, and reads an empty JSON body as no body. */
export function useZod(app: FastifyInstance): void {
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  const parseJson = app.getDefaultJsonParser('error', 'error');
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') done(null, undefined);
    else void parseJson(request, body, done);
  });
}

/** Mounts one contract: its input is validated before `handle` runs, its reply checked and stripped to the schema. */
export function mount<const Contract extends RouteContract>(
  app: FastifyInstance,
  contract: Contract,
  handle: (input: RouteInput<Contract>) => RouteReply | Promise<RouteReply>,
): void {
  const response = Object.fromEntries(
    Object.entries(contract.replies).filter(([, schema]) => schema instanceof z.core.$ZodType),
  );
  const bytes = Object.values(contract.replies).includes('bytes');
  const takesBody = contract.method !== 'GET';
  app.route({
    method: contract.method,
    url: contract.path,
    config: { access: contract.access },
    // Bytes go out as they are stored.
    ...(bytes ? { compress: false as const } : {}),
    schema: {
      querystring: contract.query ?? noQuery,
      ...(contract.params ? { params: contract.params } : {}),
      ...(takesBody ? { body: contract.body ?? noBody } : {}),
      response,
    },
    handler: async (request, reply) => {
      const { status, body } = await handle(inputOf(contract, request, reply));
      reply.code(status);
      return reply.send(
        body instanceof Uint8Array ? Buffer.from(body.buffer, body.byteOffset, body.byteLength) : body,
      );
    },
  });
}

function inputOf<Contract extends RouteContract>(
  contract: Contract,
  request: FastifyRequest,
  reply: FastifyReply,
): RouteInput<Contract> {
  const input: Untyped = {
    params: contract.params ? request.params : undefined,
    query: contract.query ? request.query : undefined,
    body: contract.body ? request.body : undefined,
    identity: request.identity,
    answer: (status, body) => ({ status, body }),
    request,
    reply,
  };
  // Codec cast: the compilers have just made this input with the contract's own schemas, and the guard has refused
  // whoever has no identity where one is needed; Fastify's types cannot carry that through a generic.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- see above
  return input as RouteInput<Contract>;
}
