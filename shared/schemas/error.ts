import * as z from 'zod/mini';

/** Every error code the HTTP API under `/api` may answer with, and its status. */
export const ERROR_STATUS = {
  bad_request: 400,
  invalid_cursor: 400,
  unauthenticated: 401,
  forbidden: 403,
  bad_origin: 403,
  bad_code: 403,
  refused: 403,
  not_found: 404,
  capture_gone: 404,
  method_not_allowed: 405,
  conflict: 409,
  already_claimed: 409,
  already_ended: 409,
  managed_by_file: 409,
  last_admin: 409,
  code_used: 410,
  gone: 410,
  payload_too_large: 413,
  unsupported_media_type: 415,
  rate_limited: 429,
  internal: 500,
  upstream_failed: 502,
  capture_unavailable: 503,
  store_unavailable: 503,
  timeout: 504,
} as const;

/** A code of {@link ERROR_STATUS}. */
export type ErrorCode = keyof typeof ERROR_STATUS;

/** Body of every error under `/api`. `message` is one sentence for a person; `details` names fields where there are any. */
export const errorBody = z.object({
  error: z.object({
    code: z.string(),
    message: z.string(),
    details: z.optional(z.array(z.object({ path: z.string(), message: z.string() }))),
    retryAfterMs: z.optional(z.number()),
  }),
});
/** See {@link errorBody}. */
export type ErrorBody = z.infer<typeof errorBody>;
