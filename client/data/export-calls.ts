import type { FromHistory, ToHistory } from './history/messages.ts';
import type { ApiError, ExportHistory, Result } from './types.ts';

interface Call {
  readonly onProgress: (doneBytes: number, totalBytes: number) => void;
  readonly answer: (result: Result<Blob>) => void;
}

const ENDED: ApiError = {
  ok: false,
  status: null,
  code: 'cancelled',
  message: 'This copy was closed meanwhile.',
  retryAfterMs: null,
  details: [],
};

/** Exports that the page asked the history worker for. */
export class ExportCalls {
  readonly #send: (message: ToHistory) => void;
  readonly #calls = new Map<number, Call>();

  constructor(send: (message: ToHistory) => void) {
    this.#send = send;
  }

  /** Asks for an export under a number of its own; see {@link ExportHistory}. */
  start(
    callId: number,
    ...[format, { signal, onProgress }]: Parameters<ExportHistory>
  ): Promise<Result<Blob>> {
    return new Promise((resolve) => {
      const cancel = (): void => this.#send({ type: 'cancel-export', callId });
      signal.addEventListener('abort', cancel, { once: true });
      this.#calls.set(callId, {
        onProgress,
        answer: (result) => {
          signal.removeEventListener('abort', cancel);
          resolve(result);
        },
      });
      this.#send({ type: 'export', callId, format });
    });
  }

  /** Takes what the worker says of an export. */
  receive(message: Extract<FromHistory, { readonly type: 'export-progress' | 'exported' }>): void {
    const call = this.#calls.get(message.callId);
    if (message.type === 'export-progress') {
      call?.onProgress(message.doneBytes, message.totalBytes);
      return;
    }
    this.#calls.delete(message.callId);
    const { blob, error } = message;
    call?.answer(blob === null ? (error ?? ENDED) : { ok: true, status: 200, value: blob });
  }

  /** The worker ended: nothing more will come. */
  stop(): void {
    for (const { answer } of this.#calls.values()) answer(ENDED);
    this.#calls.clear();
  }
}
