/** An entry of a tail: a line, or a place where lines are missing. */
export interface TailEntry {
  readonly type: 'line' | 'dropped';
  /** Place among all entries of the host, in order of arrival. */
  readonly order: number;
  /** When it came; null: the host wrote it before anybody listened. */
  readonly at: number | null;
  /** The line as it came, cut. */
  readonly text: string;
  /** How many lines it stands for; null: nobody knows. */
  readonly lines: number | null;
  /** How many lines came before it, ever. */
  readonly before: number;
  /** The line as it may be shown, made when it first is. */
  shown: string | null;
}

/** What is added to a tail. */
export type NewEntry = Pick<TailEntry, 'type' | 'order' | 'at' | 'text' | 'lines'>;

/** Bounds of a tail. */
export interface TailLimits {
  readonly lines: number;
  readonly chars: number;
}

/** A joiner sees this much of each source. */
export const TAIL_LIMITS: TailLimits = { lines: 2000, chars: 512 * 1024 };

/** The newest lines of one source. Readers hold a mark (`end`) and take what came after it, as far as it is kept. */
export class LogTail {
  readonly #limits: TailLimits;
  #entries: TailEntry[] = [];
  /** Entries before this index are gone; they are cut off now and then, not one by one. */
  #first = 0;
  #chars = 0;
  #end = 0;

  constructor(limits: TailLimits = TAIL_LIMITS) {
    this.#limits = limits;
  }

  /** How many lines came, ever. */
  get end(): number {
    return this.#end;
  }

  /** How many lines came before the oldest one kept. */
  get start(): number {
    return this.#entries[this.#first]?.before ?? this.#end;
  }

  get size(): number {
    return this.#entries.length - this.#first;
  }

  push(entry: NewEntry): void {
    this.#entries.push({ ...entry, before: this.#end, shown: null });
    this.#chars += entry.text.length;
    this.#end += entry.lines ?? 1;
    while (this.size > this.#limits.lines || (this.#chars > this.#limits.chars && this.size > 1)) {
      this.#chars -= this.#entries[this.#first]?.text.length ?? 0;
      this.#first += 1;
    }
    if (this.#first < this.#limits.lines) return;
    this.#entries = this.#entries.slice(this.#first);
    this.#first = 0;
  }

  /** Counts lines that are missing here: an entry of its own, or a higher number in the one that stands last. */
  pushDropped(entry: Pick<TailEntry, 'order' | 'at'> & { readonly lines: number }): void {
    const last = this.#entries.at(-1);
    if (this.size > 0 && last?.type === 'dropped' && last.lines !== null) {
      this.#entries[this.#entries.length - 1] = { ...last, lines: last.lines + entry.lines };
      this.#end += entry.lines;
      return;
    }
    this.push({ ...entry, type: 'dropped', text: '' });
  }

  /** Entries after a mark, oldest first. */
  after(mark: number): readonly TailEntry[] {
    let from = this.#entries.length;
    while (from > this.#first && (this.#entries[from - 1]?.before ?? 0) >= mark) from -= 1;
    return this.#entries.slice(from);
  }

  /** The newest `count` entries, oldest first. */
  newest(count: number): readonly TailEntry[] {
    return this.#entries.slice(Math.max(this.#first, this.#entries.length - count));
  }
}
