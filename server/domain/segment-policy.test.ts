import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as Y from 'yjs';
import { appendTail, tailSize } from '#sync/tail-codec.ts';
import { requestRow } from '../testing/activity-rows.ts';
import {
  dayKey,
  freeKey,
  hourKey,
  hourOf,
  joinRanges,
  msToNextHour,
  partition,
  planMerge,
  SEGMENT_MAX_BYTES,
  SEGMENT_MAX_ROWS,
  tailBytesEstimate,
} from './segment-policy.ts';
import type { SeqRange, StoredSegment } from './store-ports.ts';

const NOON = Date.UTC(2026, 10, 30, 12);
const HOUR = hourOf(NOON);
const HOUR_MS = 3_600_000;

function segment(id: number, changes: { rows?: number; bytes?: number; hour?: number } = {}): StoredSegment {
  const { rows = 100, bytes = rows * 14, hour = HOUR } = changes;
  const entry = {
    kind: 'activity' as const,
    key: `k.${id}`,
    rows,
    bytes,
    hash: '0'.repeat(64),
    from: 0,
    to: 0,
  };
  return { id, entry, firstHour: hour, lastHour: hour, stale: false };
}

function merged(segments: readonly StoredSegment[], now = NOON): { ids: number[]; key: string } | null {
  const merge = planMerge(segments, now);
  return merge && { ids: merge.segments.map(({ id }) => id), key: merge.makeKey(0) };
}

test('keys name the UTC hour or day and a part', () => {
  expect(hourKey(HOUR, 3)).toBe('2026-11-30T12.3');
  expect(dayKey(Math.floor(HOUR / 24), 0)).toBe('2026-11-30.0');
  expect(freeKey((part) => hourKey(HOUR, part), new Set(['2026-11-30T12.0']))).toBe('2026-11-30T12.1');
  expect(msToNextHour(NOON)).toBe(HOUR_MS);
  expect(msToNextHour(NOON + 1)).toBe(HOUR_MS - 1);
});

describe('ranges', () => {
  const range = fc
    .record({ from: fc.nat(1000), length: fc.integer({ min: 1, max: 50 }), hour: fc.nat(3) })
    .map(({ from, length, hour }): SeqRange => ({ fromSeq: from, toSeq: from + length - 1, hour }));
  const disjoint = fc.array(range, { maxLength: 20 }).map((ranges) => {
    let next = 0;
    return ranges.map(({ fromSeq, toSeq, hour }): SeqRange => {
      const start = next + (fromSeq % 3);
      next = start + toSeq - fromSeq + 1;
      return { fromSeq: start, toSeq: next - 1, hour };
    });
  });
  const rowsOf = (ranges: readonly SeqRange[]): string[] =>
    ranges
      .flatMap(({ fromSeq, toSeq, hour }) =>
        Array.from({ length: toSeq - fromSeq + 1 }, (_, index) => `${hour} ${fromSeq + index}`),
      )
      .sort();

  test('joining keeps every row in its hour and leaves no neighbours apart', () => {
    fc.assert(
      fc.property(disjoint, (ranges) => {
        const joined = joinRanges(ranges.toReversed());
        expect(rowsOf(joined)).toEqual(rowsOf(ranges));
        joined.reduce(
          (before, after) => {
            expect(before.toSeq + 1 === after.fromSeq && before.hour === after.hour).toBe(false);
            return after;
          },
          { fromSeq: -9, toSeq: -9, hour: -9 },
        );
      }),
    );
  });

  test('partitioning keeps every row once, one hour a part', () => {
    fc.assert(
      fc.property(disjoint, (ranges) => {
        const parts = partition(ranges);
        expect(rowsOf(parts.flatMap((part) => part.ranges))).toEqual(rowsOf(ranges));
        for (const part of parts)
          expect(new Set(part.ranges.map(({ hour }) => hour))).toEqual(new Set([part.hour]));
      }),
    );
  });

  test('a part has at most as many rows as a segment takes', () => {
    const parts = partition([{ fromSeq: 1, toSeq: 250_000, hour: HOUR }]);
    expect(parts.map(({ ranges }) => ranges)).toEqual([
      [{ fromSeq: 1, toSeq: 100_000, hour: HOUR }],
      [{ fromSeq: 100_001, toSeq: 200_000, hour: HOUR }],
      [{ fromSeq: 200_001, toSeq: 250_000, hour: HOUR }],
    ]);
  });
});

describe('merges', () => {
  test('in the running hour, four parts of a like size at a time', () => {
    expect(merged([1, 2, 3].map((id) => segment(id)))).toBeNull();
    expect(merged([segment(9, { rows: 90_000 }), ...[1, 2, 3, 4, 5].map((id) => segment(id))])).toEqual({
      ids: [1, 2, 3, 4],
      key: '2026-11-30T12.0',
    });
  });

  test('an hour that is over becomes one, a day that has left the last 24 h too, within the limits of a segment', () => {
    const hours = [1, 2].flatMap((id) => [segment(id), segment(10 + id, { hour: HOUR - 1 })]);
    expect(merged(hours)).toEqual({ ids: [11, 12], key: '2026-11-30T11.0' });
    const day = [60_000, 60_000, 30_000].map((rows, index) =>
      segment(index + 1, { rows, hour: HOUR + index }),
    );
    expect(merged(day, NOON + 24 * HOUR_MS)).toBeNull();
    expect(merged(day, NOON + 36 * HOUR_MS)).toEqual({ ids: [2, 3], key: '2026-11-30.0' });
    const large = [1, 2].map((id) => segment(id, { bytes: SEGMENT_MAX_BYTES - 1 }));
    expect(merged(large, NOON + 36 * HOUR_MS)).toBeNull();
  });

  test('always come to an end, with no row lost and no segment over the limits', () => {
    const sizes = fc.array(
      fc.record({
        rows: fc.integer({ min: 1, max: SEGMENT_MAX_ROWS }),
        hour: fc.integer({ min: HOUR - 30, max: HOUR }),
      }),
      { maxLength: 30 },
    );
    fc.assert(
      fc.property(sizes, (parts) => {
        let segments = parts.map((part, index) => segment(index, part));
        const rows = (): number => segments.reduce((sum, { entry }) => sum + entry.rows, 0);
        const before = rows();
        for (
          let next = planMerge(segments, NOON), id = 1000;
          next;
          next = planMerge(segments, NOON), id += 1
        ) {
          const { segments: sources } = next;
          const total = sources.reduce((sum, { entry }) => sum + entry.rows, 0);
          const firstHour = Math.min(...sources.map((source) => source.firstHour));
          segments = segments.filter((source) => !sources.includes(source));
          segments.push(segment(id, { rows: total, hour: firstHour }));
          expect(total).toBeLessThanOrEqual(SEGMENT_MAX_ROWS);
          expect(id).toBeLessThan(1040);
        }
        expect(rows()).toBe(before);
      }),
    );
  });
});

test('the estimate of a flush is never below what it takes in the tail', () => {
  const text = fc.oneof(
    fc.string({ maxLength: 200, unit: 'grapheme' }),
    fc.constantFrom('qwen3-30b', '/v1/chat'),
  );
  const row = fc
    .record({
      modelId: text,
      path: fc.option(text),
      error: fc.option(text),
      source: fc.option(text),
      id: fc.nat(1e9),
    })
    .map((fields) =>
      requestRow({ ...fields, path: fields.path, error: fields.error, source: fields.source }),
    );
  fc.assert(
    fc.property(fc.array(row, { minLength: 1, maxLength: 40 }), (rows) => {
      const doc = new Y.Doc();
      const before = tailSize(doc).bytes;
      appendTail(doc, rows);
      expect(tailSize(doc).bytes - before).toBeLessThanOrEqual(tailBytesEstimate(rows) + 40);
    }),
  );
});
