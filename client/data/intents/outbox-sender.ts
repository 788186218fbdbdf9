import { backoffDelayMs } from '#shared/lib/backoff.ts';
import { CLOSE_CODES } from '#sync/close-codes.ts';
import type { Readable } from '../cell.ts';
import type { Session } from '../types.ts';
import type { OutboxLinkListener, RecordLink } from './outbox-link.ts';

const RETRY = { minMs: 1_000, maxMs: 60_000 } as const;
/** A link that stood so long was no failed attempt. */
const STOOD_MS = 60_000;

/** How {@link OutboxSender} is set up. */
export interface OutboxSenderOptions {
  readonly name: Readable<string | null>;
  readonly session: Readable<Session>;
  readonly openLink: (name: string, listener: OutboxLinkListener) => RecordLink;
  /** Asks the collector who we are and what our outbox is called now. */
  readonly refresh: () => Promise<void>;
  readonly onInStep: () => void;
  /** Why the collector refuses this outbox changed. */
  readonly onRefusal: () => void;
}

/**
 * Keeps a link to this device's outbox, whatever it is called. A refusal never carries a document on: the collector is
 * asked for the name that holds now, and a fresh document is filled from the rows, each time after a longer wait.
 */
export class OutboxSender {
  readonly #options: OutboxSenderOptions;
  #link: RecordLink | null = null;
  #name: string | null = null;
  #refusal: string | null = null;
  #attempt = 0;
  #inStepSince: number | null = null;
  #retry: ReturnType<typeof setTimeout> | null = null;
  #asking = false;
  #stopped = false;

  constructor(options: OutboxSenderOptions) {
    this.#options = options;
  }

  /** Opens the link as soon as there is a name and a session; everything ends with `signal`. */
  start(signal: AbortSignal): void {
    const stops = [
      this.#options.name.subscribe(() => this.#follow()),
      this.#options.session.subscribe(() => this.#follow()),
    ];
    signal.addEventListener('abort', () => {
      this.#stopped = true;
      for (const stop of stops) stop();
      this.#close();
    });
    this.#follow();
  }

  /** The link, while it is in step; null: nothing can leave now. */
  get link(): RecordLink | null {
    return this.#link?.isInStep === true ? this.#link : null;
  }

  /** Why the collector does not take this outbox; null: nothing says so. */
  get refusal(): string | null {
    return this.#refusal;
  }

  /** Looks whether the collector can be reached now, if it could not. */
  tryNow(): void {
    if (this.#link !== null && !this.#link.isInStep) this.#link.reconnectNow();
  }

  /** Name or session moved: opens, renews or closes the link. After a refusal the wait comes first. */
  #follow(): void {
    if (this.#stopped) return;
    const { name, session } = this.#options;
    const wanted = session.get().status === 'signed-in' ? name.get() : null;
    if (wanted === null) {
      this.#close();
      this.#say(null);
      return;
    }
    if (this.#retry !== null || this.#asking || (wanted === this.#name && this.#link !== null)) return;
    this.#close();
    this.#name = wanted;
    this.#link = this.#options.openLink(wanted, {
      onInStep: () => {
        this.#inStepSince = Date.now();
        this.#say(null);
        this.#options.onInStep();
      },
      onRefused: (code, reason) => void this.#onRefused(code, reason),
    });
  }

  async #onRefused(code: number, reason: string): Promise<void> {
    if (this.#inStepSince !== null && Date.now() - this.#inStepSince > STOOD_MS) this.#attempt = 0;
    this.#close();
    this.#attempt += 1;
    this.#asking = true;
    this.#say(refusalWords(code, reason));
    // Without an answer the old name is tried again: the wait below grows.
    await this.#options.refresh().catch(() => undefined);
    this.#asking = false;
    if (this.#stopped) return;
    // A name that is gone is what a rotation looks like: the next one is there, nothing was wrong with us.
    const isRotation = code === CLOSE_CODES.document && this.#attempt === 1;
    const delayMs = isRotation ? 0 : backoffDelayMs(this.#attempt, Math.random(), RETRY);
    this.#retry = setTimeout(() => {
      this.#retry = null;
      this.#follow();
    }, delayMs);
  }

  #say(refusal: string | null): void {
    if (refusal === this.#refusal) return;
    this.#refusal = refusal;
    this.#options.onRefusal();
  }

  #close(): void {
    if (this.#retry !== null) clearTimeout(this.#retry);
    this.#retry = null;
    this.#link?.close();
    this.#link = null;
    this.#name = null;
    this.#inStepSince = null;
  }
}

/** What a person reads; null for what is told elsewhere or is nothing to worry about. */
function refusalWords(code: number, reason: string): string | null {
  if (code === CLOSE_CODES.document || code === CLOSE_CODES.session) return null;
  const why = reason === '' ? '' : `: ${reason}`;
  return `The collector refuses what this device sends (${code})${why}. It is tried again.`;
}
