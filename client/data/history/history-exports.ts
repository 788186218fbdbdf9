import type { ApiError } from '../types.ts';
import type { ExportWish } from './export-history.ts';
import type { FromHistory, ToHistory } from './messages.ts';

type ExportMessage = Extract<ToHistory, { readonly type: 'export' }>;

/** Exports under way. They run beside the steps of the engine: nothing waits for them, and they change nothing. */
export class HistoryExports {
  readonly #post: (message: FromHistory) => void;
  readonly #cancelled = new Set<number>();

  constructor(post: (message: FromHistory) => void) {
    this.#post = post;
  }

  /** Ends an export before its time; its answer says so. */
  cancel(callId: number): void {
    this.#cancelled.add(callId);
  }

  /** Makes the file and posts it; posts why not when it could not be made. Never rejects. */
  async run(
    { callId, format }: ExportMessage,
    from: Pick<ExportWish, 'library' | 'unsealed'>,
  ): Promise<void> {
    const answer = (blob: Blob | null, error: ApiError | null): void =>
      this.#post({ type: 'exported', callId, blob, error });
    try {
      const { exportHistory } = await import('./export-history.ts');
      const blob = await exportHistory({
        ...from,
        format,
        onProgress: (doneBytes, totalBytes) =>
          this.#post({ type: 'export-progress', callId, doneBytes, totalBytes }),
        isCancelled: () => this.#cancelled.has(callId),
      });
      answer(blob, blob === null ? failure('cancelled', 'The export was cancelled.') : null);
    } catch (error) {
      answer(null, failure('export', error instanceof Error ? error.message : String(error)));
    } finally {
      this.#cancelled.delete(callId);
    }
  }
}

function failure(code: string, message: string): ApiError {
  return { ok: false, status: null, code, message, retryAfterMs: null, details: [] };
}
