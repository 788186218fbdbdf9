import { backoffDelayMs } from '#shared/lib/backoff.ts';
import type { CollectorInfo } from './collector-info.ts';

const ASK_AGAIN = { minMs: 1_000, maxMs: 30_000 } as const;

/** How {@link CollectorInquiry} is set up. */
export interface CollectorInquiryOptions {
  readonly ask: () => Promise<CollectorInfo>;
  /** Acts on an answer; who waits for {@link CollectorInquiry.now} waits for it, too. */
  readonly onAnswer: (answer: CollectorInfo) => Promise<void>;
}

/** Asks the collector who we are and what its documents are called: one question at a time, again when nobody answers. */
export class CollectorInquiry {
  readonly #options: CollectorInquiryOptions;
  #asking: Promise<void> | null = null;
  #attempt = 0;
  #timer: ReturnType<typeof setTimeout> | null = null;
  #stopped = false;

  constructor(options: CollectorInquiryOptions) {
    this.#options = options;
  }

  /** Asks now, or joins the question that is being asked. */
  now(): Promise<void> {
    this.#asking ??= this.#ask().finally(() => {
      this.#asking = null;
    });
    return this.#asking;
  }

  /** Asks again after a wait; `count` adds it to the attempts, by which the wait grows. */
  later({ count }: { readonly count: boolean }): void {
    if (this.#stopped) return;
    if (count) this.#attempt += 1;
    const delayMs = backoffDelayMs(this.#attempt, Math.random(), ASK_AGAIN);
    this.#timer ??= setTimeout(() => {
      this.#timer = null;
      void this.now();
    }, delayMs);
  }

  /** Asks no more; an answer that comes yet is not acted upon. */
  stop(): void {
    this.#stopped = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
  }

  async #ask(): Promise<void> {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    const answer = await this.#options.ask();
    if (this.#stopped) return;
    if (answer.type === 'no-answer') this.later({ count: true });
    if (answer.type === 'signed-in') this.#attempt = 0;
    await this.#options.onAnswer(answer);
  }
}

/** Asks with code that is no part of the first load; where that does not come, nobody answered. */
export async function askLoaded(): Promise<CollectorInfo> {
  try {
    const { askCollector } = await import('./collector-info.ts');
    return await askCollector();
  } catch {
    return { type: 'no-answer', message: 'The app could not be loaded whole.' };
  }
}
