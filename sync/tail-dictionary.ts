import { utf8Length } from './bytes.ts';

/** Longest string (UTF-8 bytes) that enters the dictionary. */
export const DICTIONARY_STRING_BYTES = 64;
/** Most entries of the dictionary: model names and paths are chosen by whoever sends a request. */
export const DICTIONARY_ENTRIES = 1024;
/**
 * Most flushes between two trims that may add entries. A push between two items of the other array keeps their
 * deleted ranges apart for good (some 26 bytes), so hostile names must not be able to cause one in every flush.
 */
export const DICTIONARY_PUSHES = 64;

const CANDIDATES = 2048;
/** Past this many entries a trim drops the unused ones even if most are in use. */
const CROWDED_ENTRIES = 768;

/** Index over the tail's dictionary for its writer: text to entry number, what a flush added, what is in use. */
export class TailDictionary {
  readonly #indexes = new Map<string, number>();
  readonly #entries: string[] = [];
  readonly #used = new Set<number>();
  /** Seen once: a string enters at its second use, because most of the strange ones never come back. */
  readonly #candidates = new Set<string>();
  #added: string[] = [];
  #pushesLeft = DICTIONARY_PUSHES;
  #bytes = 0;

  constructor(entries: readonly string[]) {
    for (const entry of entries) this.#used.add(this.#add(entry));
  }

  /** The entry number of `text`, adding it when it may enter; null when it must stand inline. */
  intern(text: string): number | null {
    const wellFormed = text.toWellFormed();
    const known = this.#indexes.get(wellFormed);
    if (known !== undefined) {
      this.#used.add(known);
      return known;
    }
    if (!this.#mayEnter(wellFormed)) return null;
    this.#candidates.delete(wellFormed);
    this.#added.push(wellFormed);
    const index = this.#add(wellFormed);
    this.#used.add(index);
    return index;
  }

  /** Entries added since the last call, to be pushed to the document with the rows that name them. */
  takeAdded(): readonly string[] {
    const added = this.#added;
    this.#added = [];
    if (added.length > 0) this.#pushesLeft -= 1;
    return added;
  }

  /** True when the next period is better off with this dictionary than with a fresh one of the entries in use. */
  worthKeeping(): boolean {
    return this.size <= CROWDED_ENTRIES && this.#used.size * 2 >= this.size;
  }

  /** Begins a new period after a trim that kept the dictionary. */
  startPeriod(): void {
    this.#used.clear();
    this.#pushesLeft = DICTIONARY_PUSHES;
  }

  /** Entries used in this period. */
  entriesInUse(): string[] {
    return this.#entries.filter((_, index) => this.#used.has(index)).slice(0, CROWDED_ENTRIES);
  }

  get size(): number {
    return this.#entries.length;
  }

  /** Bytes the entries take in an encoded document. */
  get encodedBytes(): number {
    return this.#bytes;
  }

  #mayEnter(text: string): boolean {
    if (this.size >= DICTIONARY_ENTRIES || this.#pushesLeft === 0) return false;
    if (text.length > DICTIONARY_STRING_BYTES || utf8Length(text) > DICTIONARY_STRING_BYTES) return false;
    if (this.#candidates.has(text)) return true;
    if (this.#candidates.size >= CANDIDATES) this.#candidates.clear();
    this.#candidates.add(text);
    return false;
  }

  #add(text: string): number {
    const index = this.#entries.length;
    this.#entries.push(text);
    // Type and length before each string, and the head of a Yjs item now and then.
    this.#bytes += utf8Length(text) + 4;
    if (!this.#indexes.has(text)) this.#indexes.set(text, index);
    return index;
  }
}
