import { gzipSync } from 'node:zlib';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ActivityRow } from '#shared/schemas/activity.ts';
import { decodeSegment, decodeSegmentColumns, encodeSegment, SegmentError } from './segment-codec.ts';
import { quantiseSpeed } from './speed.ts';
import { anyActivityRow, anyFailedStart, anyModelEvent } from './testing/arbitrary-rows.ts';
import { realisticRequests } from './testing/realistic-rows.ts';

function asKept(row: ActivityRow): ActivityRow {
  if (row.type === 'gap') return row;
  return {
    ...row,
    promptPerSecond: quantiseSpeed(row.promptPerSecond),
    tokensPerSecond: quantiseSpeed(row.tokensPerSecond),
  };
}

function errorOf(run: () => unknown): unknown {
  try {
    run();
    return null;
  } catch (error) {
    return error;
  }
}

describe('segment codec', () => {
  it('[G1] gives back requests and gaps in order, raw and gzipped', () => {
    fc.assert(
      fc.property(fc.array(anyActivityRow, { maxLength: 60 }), (rows) => {
        const bytes = encodeSegment('activity', rows);
        const isMatched = rows.some((row) => row.type === 'request' && row.sourceCertainty === 'matched');
        const expected = { version: isMatched ? 2 : 1, kind: 'activity', rows: rows.map(asKept) };
        expect(decodeSegment(bytes)).toEqual(expected);
        expect(decodeSegment(gzipSync(bytes))).toEqual(expected);
      }),
      { numRuns: 150 },
    );
  });

  it('[G1] gives back model events, and the log lines of failed starts', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(anyModelEvent, anyFailedStart), { maxLength: 60 }), (rows) => {
        const bytes = gzipSync(encodeSegment('model-events', rows));
        expect(decodeSegment(bytes)).toEqual({ version: 1, kind: 'model-events', rows });
      }),
      { numRuns: 100 },
    );
  });

  it('[G2] takes at most 15 B a row gzipped from 10,000 rows', () => {
    const rows = realisticRequests({ count: 10_000 });
    expect(gzipSync(encodeSegment('activity', rows)).byteLength / rows.length).toBeLessThanOrEqual(15);
  });

  it('[G3] makes rows one by one from columns', () => {
    const rows = realisticRequests({ count: 500 });
    const columns = decodeSegmentColumns(gzipSync(encodeSegment('activity', rows)));
    if (columns.kind !== 'activity') throw new Error('another kind');
    expect(columns.rowCount).toBe(500);
    expect(columns.requests.endedAt[499]).toBe(rows[499]?.endedAt);
    expect(columns.row(321)).toEqual(rows[321]);
  });

  it('[G4] refuses a version or kind it does not know, with a code', () => {
    const bytes = encodeSegment('activity', []);
    bytes[2] = 3;
    expect(errorOf(() => decodeSegment(bytes))).toMatchObject({ name: 'SegmentError', code: 'version' });
    const events = encodeSegment('model-events', []);
    events[2] = 2;
    expect(errorOf(() => decodeSegment(events))).toMatchObject({ name: 'SegmentError', code: 'version' });
    bytes[2] = 1;
    bytes[3] = 9;
    expect(errorOf(() => decodeSegment(bytes))).toMatchObject({ name: 'SegmentError', code: 'kind' });
  });

  it('[G5] answers damage with a typed error or rows, never with another throw', () => {
    const bytes = encodeSegment('activity', realisticRequests({ count: 40 }));
    const gzipped = gzipSync(bytes);
    for (const whole of [bytes, gzipped]) {
      for (let at = 0; at < whole.length; at += 1) {
        expect(errorOf(() => decodeSegment(whole.subarray(0, at)))).toBeInstanceOf(SegmentError);
        const flipped = Uint8Array.from(whole);
        flipped[at] = (flipped[at] ?? 0) ^ 0xff;
        const error = errorOf(() => decodeSegment(flipped));
        expect(error === null || error instanceof SegmentError).toBe(true);
      }
    }
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.boolean(), (noise, headed) => {
        const error = errorOf(() =>
          decodeSegment(headed ? Uint8Array.from([0x44, 0x53, 1, ...noise]) : noise),
        );
        expect(error === null || error instanceof SegmentError).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });

  it('[G6] believes no count that its bytes cannot hold', () => {
    const manyRows = Uint8Array.from([0x44, 0x53, 1, 1, 0xff, 0xff, 0xff, 0x7f, 0, 0, 0]);
    expect(errorOf(() => decodeSegment(manyRows))).toMatchObject({ code: 'corrupt' });
    const bomb = gzipSync(new Uint8Array(100));
    bomb.writeUInt32LE(0xffffffff, bomb.length - 4);
    expect(errorOf(() => decodeSegment(bomb))).toMatchObject({ code: 'corrupt' });
  });
});
