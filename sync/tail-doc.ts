import type * as Y from 'yjs';

/** The items of a tail document: one `Uint8Array` a flush. */
export function tailItems(doc: Y.Doc): Y.Array<unknown> {
  return doc.getArray('r');
}

/** The string dictionary of a tail document. */
export function tailStrings(doc: Y.Doc): Y.Array<unknown> {
  return doc.getArray('d');
}

/** The dictionary as text; an entry that is no string keeps its place, so that references stay right. */
export function stringsOf(doc: Y.Doc): string[] {
  return tailStrings(doc)
    .toArray()
    .map((entry) => (typeof entry === 'string' ? entry : '\ufffd'));
}
