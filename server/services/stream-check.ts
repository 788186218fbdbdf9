import type { Clock, LlamaSwapClient } from '../domain/ports.ts';

/** A request's own log line has to come back on the stream within this. */
const ECHO_DEADLINE_MS = 5_000;
/** Log text kept while a check runs: the line comes right after the request. */
const MAX_TEXT = 65_536;

/** Proves that a silent stream still carries something: one logged request, whose own log line must come back on it. */
export class StreamCheck {
  readonly #client: LlamaSwapClient;
  readonly #clock: Clock;
  #text: string | null = null;
  #marker: string | null = null;
  #onHeard: (() => void) | null = null;

  constructor(client: LlamaSwapClient, clock: Clock) {
    this.#client = client;
    this.#clock = clock;
  }

  /** Log text of the stream under check; the line may come before the answer to the request does. */
  onLog(text: string): void {
    if (this.#text === null) return;
    this.#text = (this.#text + text).slice(-MAX_TEXT);
    if (this.#marker !== null && this.#text.includes(this.#marker)) this.#onHeard?.();
  }

  /** Runs one check; `failed` when the request itself had no answer, which is the ping's affair. */
  async run(signal: AbortSignal): Promise<'heard' | 'silent' | 'failed'> {
    this.#text = '';
    try {
      const result = await this.#client.loggedPing(signal);
      if (!result.ok || signal.aborted) return 'failed';
      return await this.#echo(result.value.marker, signal);
    } finally {
      this.#text = null;
      this.#marker = null;
      this.#onHeard = null;
    }
  }

  #echo(marker: string, signal: AbortSignal): Promise<'heard' | 'silent' | 'failed'> {
    if (this.#text?.includes(marker)) return Promise.resolve('heard');
    const { promise, resolve } = Promise.withResolvers<'heard' | 'silent' | 'failed'>();
    this.#marker = marker;
    this.#onHeard = () => resolve('heard');
    const cancel = this.#clock.after(ECHO_DEADLINE_MS, () => resolve('silent'));
    const onAbort = () => resolve('failed');
    signal.addEventListener('abort', onAbort, { once: true });
    return promise.finally(() => {
      cancel();
      signal.removeEventListener('abort', onAbort);
    });
  }
}
