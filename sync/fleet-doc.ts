import { equalityDeep } from 'lib0/function';
import type * as Y from 'yjs';

interface Entry {
  readonly k: string;
  readonly v: unknown;
}

/** The entries of a fleet document. */
export function fleetEntries(doc: Y.Doc): Y.Array<unknown> {
  return doc.getArray('entries');
}

/** Current value of every key: the later entry of a key wins. What is no `{k, v}` is left out. */
export function readFleet(doc: Y.Doc): Map<string, unknown> {
  const current = new Map<string, unknown>();
  for (const entry of fleetEntries(doc).toArray()) if (isEntry(entry)) current.set(entry.k, entry.v);
  return current;
}

/** What one transaction changed. */
export interface FleetChange {
  readonly set: ReadonlyMap<string, unknown>;
  readonly deleted: readonly string[];
}

/**
 * Calls `listener` once for each transaction that changed an entry, with the changed keys only. Values are compared by
 * identity: an entry that was not written again keeps its object. The returned function ends it.
 */
export function observeFleet(doc: Y.Doc, listener: (change: FleetChange) => void): () => void {
  let current = readFleet(doc);
  const onChange = (): void => {
    const next = readFleet(doc);
    const set = new Map<string, unknown>();
    for (const [key, value] of next) if (!current.has(key) || current.get(key) !== value) set.set(key, value);
    const deleted = [...current.keys()].filter((key) => !next.has(key));
    current = next;
    if (set.size > 0 || deleted.length > 0) listener({ set, deleted });
  };
  const entries = fleetEntries(doc);
  entries.observe(onChange);
  return () => entries.unobserve(onChange);
}

/**
 * Writer of a fleet document. A change deletes the key's old entry and pushes the new one: in a `Y.Map` every
 * overwrite would stay for good, here what was deleted collapses. There is one writer, so it keeps the order of
 * entries beside the document instead of searching it.
 */
export class FleetEntries {
  readonly #doc: Y.Doc;
  readonly #entries: Y.Array<unknown>;
  readonly #values = new Map<string, unknown>();
  /** Key of each entry, by position. */
  #order: string[] = [];

  /** Attaches to a loaded document; entries that a later one of their key outdates, or that are none, are deleted. */
  constructor(doc: Y.Doc) {
    this.#doc = doc;
    this.#entries = fleetEntries(doc);
    const stored = this.#entries.toArray();
    const last = new Map<string, number>();
    stored.forEach((entry, index) => {
      if (isEntry(entry)) last.set(entry.k, index);
    });
    doc.transact(() => {
      for (let index = stored.length - 1; index >= 0; index -= 1) {
        const entry = stored[index];
        if (!isEntry(entry) || last.get(entry.k) !== index) this.#entries.delete(index);
      }
    });
    for (const entry of this.#entries.toArray()) {
      if (!isEntry(entry)) continue;
      this.#order.push(entry.k);
      this.#values.set(entry.k, entry.v);
    }
  }

  /** Sets `key` to a JSON value in one transaction; true when it was written, false when it was equal already. */
  set(key: string, value: unknown): boolean {
    const known = this.#values.has(key);
    if (known && equalityDeep(this.#values.get(key), value)) return false;
    this.#doc.transact(() => {
      if (known) this.#remove(key);
      this.#entries.push([{ k: key, v: value }]);
    });
    this.#order.push(key);
    this.#values.set(key, value);
    return true;
  }

  /** Deletes `key`; true when it was there. */
  delete(key: string): boolean {
    if (!this.#values.has(key)) return false;
    this.#remove(key);
    this.#values.delete(key);
    return true;
  }

  get(key: string): unknown {
    return this.#values.get(key);
  }

  has(key: string): boolean {
    return this.#values.has(key);
  }

  /** Every key, or those that begin with `prefix`. */
  keys(prefix = ''): string[] {
    return this.#order.filter((key) => key.startsWith(prefix));
  }

  #remove(key: string): void {
    const index = this.#order.indexOf(key);
    this.#entries.delete(index);
    this.#order.splice(index, 1);
  }
}

function isEntry(entry: unknown): entry is Entry {
  return (
    typeof entry === 'object' && entry !== null && 'k' in entry && 'v' in entry && typeof entry.k === 'string'
  );
}
