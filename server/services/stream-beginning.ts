import type { LogWish } from '#shared/schemas/live.ts';
import type { Clock } from '../domain/ports.ts';
import type { LogHub } from './log-hub.ts';

/** The first message of a source that comes later than this after opening is new, not the host's tail. */
const OPENING_MS = 2_000;
/** A model's tail comes in pieces of any size, all at once. */
const GATHER_MS = 250;
const MAX_GATHERED = 1024 * 1024;

/** Tells a log stream's beginning, the host's own tail, from what is written while it is open. */
export class StreamBeginning {
  readonly #wish: LogWish;
  readonly #options: { readonly hub: Pick<LogHub, 'appendTo'>; readonly clock: Clock };
  readonly #openedAt: number;
  readonly #begun = new Set<string>();
  #gathered: string[] | null = null;
  #size = 0;

  constructor(wish: LogWish, options: { readonly hub: Pick<LogHub, 'appendTo'>; readonly clock: Clock }) {
    this.#wish = wish;
    this.#options = options;
    this.#openedAt = options.clock.now();
  }

  onText(source: string, text: string): void {
    if (this.#gathered !== null && this.#size < MAX_GATHERED) {
      this.#gathered.push(text);
      this.#size += text.length;
      return;
    }
    const { hub, clock } = this.#options;
    if (this.#begun.has(source)) return hub.appendTo(this.#wish, { source, text, isHistory: false });
    this.#begun.add(source);
    const isHistory = clock.now() - this.#openedAt < OPENING_MS;
    // The stream of a host says its tail in one message; that of a model is bare text.
    if (this.#wish.modelId === null || !isHistory)
      return hub.appendTo(this.#wish, { source, text, isHistory });
    this.#gathered = [text];
    clock.after(GATHER_MS, () => {
      const gathered = this.#gathered?.join('') ?? '';
      this.#gathered = null;
      hub.appendTo(this.#wish, { source, text: gathered, isHistory: true });
    });
  }
}
