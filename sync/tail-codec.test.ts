import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as Y from 'yjs';
import type { ActivityRequest } from '#shared/schemas/activity.ts';
import { ByteWriter } from './bytes.ts';
import { quantiseSpeed } from './speed.ts';
import { appendTail, decodeTail, readItems, readTail, tailSize, trimTail } from './tail-codec.ts';
import { stringsOf, tailItems, tailStrings } from './tail-doc.ts';
import type { TailRow } from './tail-codec.ts';
import { DICTIONARY_ENTRIES } from './tail-dictionary.ts';
import { TAIL_TEXT_LIMIT } from './tail-text.ts';
import { anyActivityRow, anyModelEvent } from './testing/arbitrary-rows.ts';
import { realisticRequests } from './testing/realistic-rows.ts';

const plain: ActivityRequest = {
  type: 'request',
  hostId: 'box',
  idEpoch: 1,
  id: 7,
  modelId: 'llama',
  path: '/v1/chat/completions',
  endedAt: Date.UTC(2026, 10, 30),
  status: 200,
  inputTokens: 10,
  outputTokens: 0,
  cachedTokens: null,
  promptPerSecond: 0,
  tokensPerSecond: null,
  durationMs: 5,
  hasCapture: false,
  error: null,
  source: null,
  sourceCertainty: 'unknown',
};

/** A row as the tail keeps it: texts well-formed and errors short, speeds in hundredths. */
function asKept(row: TailRow): TailRow {
  const short = (text: string): string =>
    text.length <= TAIL_TEXT_LIMIT
      ? text
      : `${text.slice(0, TAIL_TEXT_LIMIT - 1).replace(/[\ud800-\udbff]$/, '')}…`;
  if (row.type === 'gap') return row;
  if (row.type === 'model-event') return { ...row, reason: row.reason === null ? null : short(row.reason) };
  return {
    ...row,
    promptPerSecond: quantiseSpeed(row.promptPerSecond),
    tokensPerSecond: quantiseSpeed(row.tokensPerSecond),
    error: row.error === null ? null : short(row.error),
  };
}

/** Sum of update bytes per row when each group of rows is one flush. */
function wireBytesPerRow(rows: readonly TailRow[], rowsPerFlush: number): number {
  const doc = new Y.Doc();
  let bytes = 0;
  doc.on('update', (update: Uint8Array) => {
    bytes += update.byteLength;
  });
  for (let start = 0; start < rows.length; start += rowsPerFlush) {
    appendTail(doc, rows.slice(start, start + rowsPerFlush));
  }
  return bytes / rows.length;
}

describe('tail codec', () => {
  it('[T1] gives back every row in order, whatever stands in it', () => {
    fc.assert(
      fc.property(
        fc.array(fc.array(fc.oneof(anyActivityRow, anyModelEvent), { maxLength: 8 })),
        (flushes) => {
          const doc = new Y.Doc();
          for (const rows of flushes) appendTail(doc, rows);
          const replica = new Y.Doc();
          Y.applyUpdate(replica, Y.encodeStateAsUpdate(doc));
          expect(decodeTail(replica)).toEqual(flushes.flat().map(asKept));
          expect(readTail(replica).skipped).toBe(0);
        },
      ),
      { numRuns: 150 },
    );
  });

  it('[T2] keeps null apart from 0', () => {
    const doc = new Y.Doc();
    appendTail(doc, [plain]);
    expect(decodeTail(doc)).toEqual([plain]);
  });

  it('[T3] writes lone surrogates as U+FFFD and still finds them in the dictionary', () => {
    const doc = new Y.Doc();
    for (const id of [7, 8, 9]) appendTail(doc, [{ ...plain, id, modelId: 'a\ud800' }]);
    expect(decodeTail(doc).map((row) => 'modelId' in row && row.modelId)).toEqual(Array(3).fill('a\ufffd'));
    expect(
      tailStrings(doc)
        .toArray()
        .filter((entry) => entry === 'a\ufffd'),
    ).toHaveLength(1);
  });

  it('[T4] puts a string in the dictionary at its second use; over 64 bytes or past 1,024 entries never', () => {
    const doc = new Y.Doc();
    const rows = Array.from({ length: 6000 }, (_, index) => ({
      ...plain,
      id: index,
      modelId: index % 3 === 2 ? `once-${index}` : `m${Math.floor(index / 3)}`,
    }));
    const long = { ...plain, modelId: 'é'.repeat(33) };
    for (let start = 0; start < rows.length; start += 600) appendTail(doc, rows.slice(start, start + 600));
    appendTail(doc, [long, long]);
    expect(tailStrings(doc).length).toBe(DICTIONARY_ENTRIES);
    expect(
      tailStrings(doc)
        .toArray()
        .some((entry) => String(entry).startsWith('once')),
    ).toBe(false);
    expect(decodeTail(doc)).toEqual([...rows, long, long]);
  });

  it('[T5] cuts error texts at 120 characters, never inside a character', () => {
    const doc = new Y.Doc();
    appendTail(doc, [{ ...plain, error: `${'x'.repeat(118)}💥${'y'.repeat(5000)}` }]);
    expect(decodeTail(doc)).toMatchObject([{ error: `${'x'.repeat(118)}…` }]);
  });

  it('[T6] takes at most 50 B a row on the wire at one row a flush, 28 B at 250', () => {
    const rows = realisticRequests({ count: 2000 });
    expect(wireBytesPerRow(rows, 1)).toBeLessThanOrEqual(50);
    expect(wireBytesPerRow(rows, 250)).toBeLessThanOrEqual(28);
  });

  it('[T7] knows its size without encoding: a close upper estimate', () => {
    const doc = new Y.Doc();
    for (const row of realisticRequests({ count: 1500 })) appendTail(doc, [row]);
    const { items, bytes } = tailSize(doc);
    const encoded = Y.encodeStateAsUpdate(doc).byteLength;
    expect(items).toBe(1500);
    expect(bytes).toBeGreaterThanOrEqual(encoded);
    expect(bytes).toBeLessThan(encoded * 1.3);
    const loaded = new Y.Doc();
    expect(tailSize(loaded).items).toBe(0);
    Y.applyUpdate(loaded, Y.encodeStateAsUpdate(doc));
    expect(tailSize(loaded)).toEqual(tailSize(doc));
  });

  it('[T8] trims what is sealed and keeps what came meanwhile, with the dictionary or without', () => {
    const doc = new Y.Doc();
    const rows = realisticRequests({ count: 300 });
    for (const row of rows) appendTail(doc, [row]);
    const strings = tailSize(doc).dictionaryEntries;
    trimTail(doc, 290);
    expect(decodeTail(doc)).toEqual(rows.slice(290));
    expect(tailSize(doc)).toMatchObject({ items: 10, dictionaryEntries: strings });
    // In this period nothing but one row used the dictionary: the next trim replaces it.
    trimTail(doc, 9);
    trimTail(doc, 0);
    expect(decodeTail(doc)).toEqual(rows.slice(299));
    expect(tailSize(doc).dictionaryEntries).toBe(0);
    appendTail(doc, rows.slice(0, 3));
    expect(decodeTail(doc)).toEqual([...rows.slice(299), ...rows.slice(0, 3)]);
    trimTail(doc, 2);
    expect(decodeTail(doc)).toEqual([]);
  });

  it('[T8] does not grow over many seals, even when model names never repeat for long', () => {
    const doc = new Y.Doc();
    const seal = (rows: readonly TailRow[]): number => {
      for (const row of rows) appendTail(doc, [row]);
      trimTail(doc, tailItems(doc).length);
      return Y.encodeStateAsUpdate(doc).byteLength;
    };
    const rows = realisticRequests({ count: 24 * 80 });
    const first = seal(rows.slice(0, 80));
    let last = first;
    for (let hour = 1; hour < 24; hour += 1) last = seal(rows.slice(hour * 80, hour * 80 + 80));
    expect(last - first).toBeLessThanOrEqual(4 * 1024);
    for (let burst = 0; burst < 4; burst += 1) {
      last = seal(
        Array.from({ length: 1000 }, (_, i) => ({ ...plain, id: i, modelId: `b${burst}-${i >> 1}` })),
      );
    }
    expect(last - first).toBeLessThanOrEqual(16 * 1024);
  });

  it('[T9] skips and counts an unknown version, an unknown row kind and a row that fits no schema', () => {
    const doc = new Y.Doc();
    appendTail(doc, [plain]);
    const newer = new ByteWriter();
    newer.uint(2);
    const kinds = new ByteWriter();
    kinds.uint(1);
    kinds.uint(99 * 2 + 1);
    kinds.block(new Uint8Array([1, 2, 3]));
    kinds.uint(1 * 2 + 1);
    const json = new ByteWriter();
    json.string('{"type":"gap"}');
    kinds.block(json.toBytes());
    tailItems(doc).push([newer.toBytes(), kinds.toBytes(), 'no bytes']);
    appendTail(doc, [{ ...plain, id: 9 }]);
    expect(readTail(doc)).toEqual({ rows: [plain, { ...plain, id: 9 }], skipped: 4 });
  });

  it('[T11] reads each item once as it comes in, through trims that keep or replace the dictionary', () => {
    const doc = new Y.Doc();
    const replica = new Y.Doc();
    doc.on('update', (update: Uint8Array) => Y.applyUpdate(replica, update));
    const seen = new Map<unknown, readonly TailRow[]>();
    tailItems(replica).observe(() => {
      for (const item of tailItems(replica).toArray()) {
        if (!seen.has(item)) seen.set(item, readItems([item], stringsOf(replica)).rows);
      }
    });
    const rows = realisticRequests({ count: 120 });
    for (const [index, row] of rows.entries()) {
      appendTail(doc, [row]);
      if (index % 30 === 29) trimTail(doc, 20);
      if (index % 40 === 39) trimTail(doc, 0);
      const current = tailItems(replica)
        .toArray()
        .flatMap((item) => seen.get(item) ?? []);
      expect(current).toEqual(decodeTail(doc));
    }
    expect(new Set([...seen.values()].flat().map((row) => JSON.stringify(row))).size).toBe(120);
  });

  it('[T10] never throws on corrupt items', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 80 }), fc.boolean(), (bytes, versioned) => {
        const doc = new Y.Doc();
        tailStrings(doc).push(['box', 'm', 7]);
        tailItems(doc).push([versioned ? Uint8Array.from([1, ...bytes]) : bytes]);
        expect(Array.isArray(decodeTail(doc))).toBe(true);
      }),
      { numRuns: 1000 },
    );
    const doc = new Y.Doc();
    appendTail(doc, realisticRequests({ count: 20 }));
    const item = tailItems(doc).get(0);
    if (!(item instanceof Uint8Array)) throw new Error('an item is bytes');
    const cut = new Y.Doc();
    tailStrings(cut).push(tailStrings(doc).toArray());
    for (let length = 0; length < item.length; length += 1) {
      tailItems(cut).push([item.slice(0, length)]);
      const flipped = item.slice();
      flipped[length] = (flipped[length] ?? 0) ^ 0xff;
      tailItems(cut).push([flipped]);
    }
    expect(readTail(cut).skipped).toBeGreaterThan(item.length / 2);
  });
});
