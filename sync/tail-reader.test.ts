import { describe, expect, it } from 'vitest';
import * as Y from 'yjs';
import { appendTail, decodeTail, tailItems, trimTail } from './tail-codec.ts';
import { TailReader } from './tail-reader.ts';
import type { TailChange } from './tail-reader.ts';
import { realisticRequests } from './testing/realistic-rows.ts';

describe('tail reader', () => {
  const rows = realisticRequests({ count: 200 });

  function replicaOf(doc: Y.Doc): { replica: Y.Doc; changes: TailChange[]; reader: TailReader } {
    const replica = new Y.Doc();
    Y.applyUpdate(replica, Y.encodeStateAsUpdate(doc));
    doc.on('update', (update: Uint8Array) => Y.applyUpdate(replica, update));
    const changes: TailChange[] = [];
    return { replica, changes, reader: new TailReader(replica, (change) => changes.push(change)) };
  }

  it('[T11] reads what is there and then only what is new', () => {
    const doc = new Y.Doc();
    appendTail(doc, rows.slice(0, 3));
    const { changes, reader } = replicaOf(doc);
    expect(reader.rows()).toEqual(rows.slice(0, 3));
    appendTail(doc, rows.slice(3, 5));
    appendTail(doc, rows.slice(5, 6));
    expect(changes).toEqual([
      { added: rows.slice(3, 5), removed: [] },
      { added: rows.slice(5, 6), removed: [] },
    ]);
    reader.stop();
    appendTail(doc, rows.slice(6, 7));
    expect(changes).toHaveLength(2);
  });

  it('[T11] tells which rows a trim took, whether the dictionary went or stayed', () => {
    const doc = new Y.Doc();
    for (const row of rows) appendTail(doc, [row]);
    const { replica, changes, reader } = replicaOf(doc);
    trimTail(doc, 150);
    expect(changes.pop()).toEqual({ added: [], removed: rows.slice(0, 150) });
    trimTail(doc, 49);
    changes.pop();
    trimTail(doc, 0);
    trimTail(doc, 0);
    expect(reader.rows()).toEqual(rows.slice(199));
    expect(reader.rows()).toEqual(decodeTail(replica));
    trimTail(doc, 1);
    expect(changes.pop()).toEqual({ added: [], removed: rows.slice(199) });
    doc.transact(() => {
      appendTail(doc, rows.slice(0, 2));
      trimTail(doc, 1);
      appendTail(doc, rows.slice(2, 4));
    });
    expect(changes.pop()).toEqual({ added: rows.slice(2, 4), removed: [] });
  });

  it('[T11] starts afresh when another hand changed the middle', () => {
    const doc = new Y.Doc();
    for (const row of rows.slice(0, 4)) appendTail(doc, [row]);
    const { replica, reader } = replicaOf(doc);
    tailItems(doc).delete(1, 2);
    expect(reader.rows()).toEqual(decodeTail(replica));
  });
});
