import type { FastifyError, FastifyInstance, FastifyRequest } from 'fastify';
import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod';
import { ERROR_STATUS, type ErrorBody, type ErrorCode } from '#shared/schemas/error.ts';
import type { Log } from '../domain/ports.ts';
import { redactUrl } from '../domain/redact-url.ts';
import { AppError } from '../errors.ts';

const STORE_REMEDY =
  'Drover cannot write its database. Free disk space, or make the data directory writable; it recovers by itself.';

/** Every error under `/api` leaves as `{error:{code,message}}`; what went wrong inside stays in the log. */
export function handleErrors(app: FastifyInstance, log: Log): void {
  app.setErrorHandler((error: unknown, request, reply) => {
    const { status, body } = describeError(error);
    if (status >= 500) {
      log.error(
        {
          method: request.method,
          url: redactUrl(request.url),
          status,
          error: error instanceof Error ? (error.stack ?? error.message) : String(error),
        },
        'a request failed',
      );
    }
    if (body.error.retryAfterMs !== undefined) {
      reply.header('retry-after', Math.max(1, Math.ceil(body.error.retryAfterMs / 1000)));
    }
    return reply.code(status).type('application/json; charset=utf-8').send(JSON.stringify(body));
  });
}

/** The answer to an address nothing is mounted at: 405 when another method is, else 404. */
export function unknownRoute(
  request: FastifyRequest,
  methods: readonly string[],
): { readonly error: AppError; readonly allow: string | null } {
  if (methods.length > 0) {
    const allow = methods.join(', ');
    return {
      error: new AppError('method_not_allowed', `${request.method} is not offered here; ${allow} is.`),
      allow,
    };
  }
  return { error: new AppError('not_found', 'There is no such address in this API.'), allow: null };
}

/** Status and body of any thrown value. */
export function describeError(error: unknown): { readonly status: number; readonly body: ErrorBody } {
  if (error instanceof AppError) {
    const { retryAfterMs } = error;
    return answer(error.code, error.message, retryAfterMs === undefined ? {} : { retryAfterMs });
  }
  if (hasZodFastifySchemaValidationErrors(error)) {
    const details = error.validation.slice(0, 20).map((problem) => ({
      path: problem.instancePath.replace(/^\//, '').replaceAll('/', '.'),
      message: problem.message ?? 'is not valid',
    }));
    const first = details[0];
    const where = first?.path ? `${first.path}: ` : '';
    return answer('bad_request', `${where}${first?.message ?? 'The request is not valid.'}`, { details });
  }
  if (isStoreError(error)) return answer('store_unavailable', STORE_REMEDY, {});
  if (!isFastifyError(error)) return answer('internal', 'Something went wrong inside Drover.', {});
  switch (error.code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return answer('payload_too_large', 'The body is too large.', {});
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return answer('unsupported_media_type', 'Send the body as application/json.', {});
    default:
      break;
  }
  const status = error.statusCode ?? 500;
  if (status >= 400 && status < 500) {
    return { status, body: { error: { code: codeOfStatus(status), message: error.message } } };
  }
  return answer('internal', 'Something went wrong inside Drover.', {});
}

function answer(
  code: ErrorCode,
  message: string,
  extra: Partial<ErrorBody['error']>,
): { readonly status: number; readonly body: ErrorBody } {
  return { status: ERROR_STATUS[code], body: { error: { code, message, ...extra } } };
}

function codeOfStatus(status: number): ErrorCode {
  switch (status) {
    case 404:
      return 'not_found';
    case 405:
      return 'method_not_allowed';
    case 413:
      return 'payload_too_large';
    case 415:
      return 'unsupported_media_type';
    case 429:
      return 'rate_limited';
    default:
      return 'bad_request';
  }
}

function isFastifyError(error: unknown): error is FastifyError {
  return error instanceof Error && 'statusCode' in error && 'code' in error;
}

/** better-sqlite3 names SQLite's result codes; these are the ones an operator can do something about. */
function isStoreError(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return false;
  return /^SQLITE_(FULL|READONLY|IOERR|CANTOPEN|BUSY|CORRUPT|NOTADB)/.test(error.code);
}
