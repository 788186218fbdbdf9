import './zod-csp.ts';
import type * as z from 'zod/mini';
import type { RouteContract } from '#shared/http/define-route.ts';
import { errorBody } from '#shared/schemas/error.ts';
import type { ApiError, Result } from './types.ts';

/** What a call sends: the fields its contract has, in the types a caller writes. */
export interface ApiRequest<C extends RouteContract> {
  readonly params?: C['params'] extends z.ZodMiniType ? z.input<C['params']> : undefined;
  readonly query?: C['query'] extends z.ZodMiniType ? z.input<C['query']> : undefined;
  readonly body?: C['body'] extends z.ZodMiniType ? z.input<C['body']> : undefined;
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
}

type Parsed<S> = S extends z.ZodMiniType ? z.output<S> : S extends 'bytes' ? Uint8Array : null;

/** What a contract's successful replies parse to. */
export type ApiReply<C extends RouteContract> = {
  [Status in keyof C['replies']]: Parsed<C['replies'][Status]>;
}[keyof C['replies']];

const DEFAULT_TIMEOUT_MS = 15_000;

/**
 * Calls a route of the shared contracts with this device's session. Never rejects: no answer, an error body and an
 * answer of the wrong shape all come back as values.
 */
export async function callApi<C extends RouteContract>(
  contract: C,
  request: ApiRequest<C> = {},
): Promise<Result<ApiReply<C>>> {
  const timeout = AbortSignal.timeout(request.timeoutMs ?? DEFAULT_TIMEOUT_MS);
  let response: Response;
  try {
    response = await fetch(apiUrl(contract.path, request.params, request.query), {
      method: contract.method,
      credentials: 'same-origin',
      signal: request.signal ? AbortSignal.any([request.signal, timeout]) : timeout,
      ...(request.body === undefined
        ? {}
        : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(request.body) }),
    });
  } catch (error) {
    return timeout.aborted && !(request.signal?.aborted ?? false)
      ? failure(null, 'timeout', 'The collector did not answer in time.')
      : failure(null, 'network', networkMessage(error));
  }
  try {
    return await readReply(contract, response);
  } catch {
    return failure(response.status, 'network', 'The answer broke off.');
  }
}

/** Fills `:name` parameters and appends the query; values are encoded. */
export function apiUrl(path: string, params: unknown, query: unknown): string {
  const filled = path.replace(/:([A-Za-z]+)/g, (_all, name: string) =>
    encodeURIComponent(fieldText(params, name) ?? ''),
  );
  const search = new URLSearchParams();
  if (typeof query === 'object' && query !== null) {
    for (const name of Object.keys(query)) {
      const value: unknown = Reflect.get(query, name);
      for (const one of Array.isArray(value) ? value : [value]) {
        const text = scalarText(one);
        if (text !== null) search.append(name, text);
      }
    }
  }
  const tail = search.toString();
  return tail === '' ? filled : `${filled}?${tail}`;
}

function fieldText(fields: unknown, name: string): string | null {
  if (typeof fields !== 'object' || fields === null) return null;
  return scalarText(Reflect.get(fields, name));
}

function scalarText(value: unknown): string | null {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : null;
}

async function readReply<C extends RouteContract>(
  contract: C,
  response: Response,
): Promise<Result<ApiReply<C>>> {
  const replies: RouteContract['replies'] = contract.replies;
  const reply = replies[response.status];
  if (reply === undefined) return readError(response);
  const value = reply === null ? null : await readValue(reply, response);
  if (value === undefined) {
    return failure(response.status, 'unreadable', 'The answer is not of a shape this version knows.');
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the schema of this very status parsed it; the compiler cannot follow a look-up by status
  return { ok: true, status: response.status, value: value as ApiReply<C> };
}

async function readValue(reply: z.ZodMiniType | 'bytes', response: Response): Promise<unknown> {
  if (reply === 'bytes') return new Uint8Array(await response.arrayBuffer());
  const text = await response.text();
  const json = parseJson(text);
  const parsed = reply.safeParse(json);
  return parsed.success ? parsed.data : undefined;
}

async function readError(response: Response): Promise<ApiError> {
  const parsed = errorBody.safeParse(parseJson(await response.text()));
  if (!parsed.success) {
    return failure(response.status, 'unreadable', `The collector answered ${response.status}.`);
  }
  const { code, message, retryAfterMs, details } = parsed.data.error;
  return {
    ok: false,
    status: response.status,
    code,
    message,
    retryAfterMs: retryAfterMs ?? retryAfterHeader(response),
    details: details ?? [],
  };
}

function retryAfterHeader(response: Response): number | null {
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
  return Number.isFinite(seconds) ? seconds * 1000 : null;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function networkMessage(error: unknown): string {
  return error instanceof DOMException && error.name === 'AbortError'
    ? 'The call was given up.'
    : 'The collector does not answer.';
}

function failure(status: number | null, code: string, message: string): ApiError {
  return { ok: false, status, code, message, retryAfterMs: null, details: [] };
}
