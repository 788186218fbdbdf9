import type { ErrorCode } from '#shared/schemas/error.ts';

/** An expected failure with a code of the public API; `message` is a sentence for a person. */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly code: ErrorCode;
  readonly retryAfterMs: number | undefined;

  constructor(code: ErrorCode, message: string, options?: { cause?: unknown; retryAfterMs?: number }) {
    super(message, options?.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.retryAfterMs = options?.retryAfterMs;
  }
}
