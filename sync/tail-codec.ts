import type * as Y from 'yjs';
import { TailDictionary } from './tail-dictionary.ts';
import { stringsOf, tailItems, tailStrings } from './tail-doc.ts';
import { decodeTailItem, encodeTailItem } from './tail-row.ts';
import type { TailRow } from './tail-row.ts';

export type { TailRow };

/** Yjs's own bytes for an item in an encoded state: info, origin (client and clock), length. */
const ITEM_OVERHEAD_BYTES = 13;
const DOCUMENT_OVERHEAD_BYTES = 256;

/** How large the tail is; `bytes` is a close upper estimate of the encoded document, kept while writing. */
export interface TailSize {
  readonly items: number;
  readonly bytes: number;
  readonly dictionaryEntries: number;
}

/** What {@link readTail} found. */
export interface TailContent {
  readonly rows: readonly TailRow[];
  /** Items of another version or with corrupt bytes, and rows of an unknown kind: left out, counted. */
  readonly skipped: number;
}

interface Tail {
  readonly dictionary: TailDictionary;
  itemBytes: number;
  items: number;
}

const tails = new WeakMap<Y.Doc, Tail>();

/** Appends the rows of one flush as one item, inside the caller's transaction. No rows: nothing is written. */
export function appendTail(doc: Y.Doc, rows: readonly TailRow[]): void {
  if (rows.length === 0) return;
  const tail = tailOf(doc);
  doc.transact(() => {
    const item = encodeTailItem(rows, (text) => tail.dictionary.intern(text));
    const added = tail.dictionary.takeAdded();
    if (added.length > 0) tailStrings(doc).push([...added]);
    tailItems(doc).push([item]);
    tail.items += 1;
    tail.itemBytes += item.byteLength;
  });
}

/**
 * Removes the first `itemCount` items, which a segment holds now, in one transaction (the caller's, if there is one).
 * The dictionary stays while most of it is in use: replacing it would leave bytes behind for good. Otherwise it is
 * cleared too, and rows that came meanwhile are written again, as one item, against a fresh one.
 */
export function trimTail(doc: Y.Doc, itemCount: number): void {
  const tail = tailOf(doc);
  const items = tailItems(doc);
  const strings = tailStrings(doc);
  doc.transact(() => {
    if (tail.dictionary.worthKeeping()) {
      items.delete(0, Math.min(itemCount, items.length));
      tails.set(doc, { dictionary: tail.dictionary, ...measure(items) });
      tail.dictionary.startPeriod();
      return;
    }
    const kept = readItems(items.slice(itemCount), stringsOf(doc)).rows;
    const fresh = new TailDictionary(tail.dictionary.entriesInUse());
    items.delete(0, items.length);
    strings.delete(0, strings.length);
    if (fresh.size > 0) strings.push(fresh.entriesInUse());
    fresh.startPeriod();
    tails.set(doc, { dictionary: fresh, ...measure(items) });
    appendTail(doc, kept);
  });
}

/** Size of the tail without encoding it. */
export function tailSize(doc: Y.Doc): TailSize {
  const tail = tailOf(doc);
  return {
    items: tail.items,
    bytes:
      DOCUMENT_OVERHEAD_BYTES +
      tail.items * ITEM_OVERHEAD_BYTES +
      tail.itemBytes +
      tail.dictionary.encodedBytes,
    dictionaryEntries: tail.dictionary.size,
  };
}

/** Every row of the tail, in order. What cannot be read is left out; it never throws. */
export function decodeTail(doc: Y.Doc): TailRow[] {
  return [...readTail(doc).rows];
}

/** As {@link decodeTail}, with the count of what was left out. */
export function readTail(doc: Y.Doc): TailContent {
  return readItems(tailItems(doc).toArray(), stringsOf(doc));
}

/** Decodes some items of the tail against its dictionary. */
export function readItems(items: readonly unknown[], dictionary: readonly string[]): TailContent {
  const rows: TailRow[] = [];
  let skipped = 0;
  for (const item of items) {
    const decoded = item instanceof Uint8Array ? decodeTailItem(item, dictionary) : null;
    skipped += decoded ? decoded.skippedRows : 1;
    if (decoded) for (const row of decoded.rows) rows.push(row);
  }
  return { rows, skipped };
}

/** What is kept beside the document; built again when the document changed by another hand (a load). */
function tailOf(doc: Y.Doc): Tail {
  const items = tailItems(doc);
  const known = tails.get(doc);
  if (known && known.items === items.length && known.dictionary.size === tailStrings(doc).length)
    return known;
  const built: Tail = { dictionary: new TailDictionary(stringsOf(doc)), ...measure(items) };
  tails.set(doc, built);
  return built;
}

function measure(items: Y.Array<unknown>): { items: number; itemBytes: number } {
  let itemBytes = 0;
  for (const item of items.toArray()) if (item instanceof Uint8Array) itemBytes += item.byteLength;
  return { items: items.length, itemBytes };
}
