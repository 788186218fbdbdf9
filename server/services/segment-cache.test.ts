import { expect, test } from 'vitest';
import { ManualClock } from '../testing/manual-clock.ts';
import { SegmentCache } from './segment-cache.ts';

function rig() {
  const clock = new ManualClock();
  const stored = new Map<string, Uint8Array>();
  const reads: string[] = [];
  const cache = new SegmentCache((hash) => {
    reads.push(hash);
    return stored.get(hash) ?? null;
  }, clock);
  return { clock, stored, reads, cache };
}

test('a segment is read once for all who come within a minute, and then let go', () => {
  const { clock, stored, reads, cache } = rig();
  const bytes = new Uint8Array(1000);
  stored.set('a', bytes);
  expect(cache.segment('a')).toBe(bytes);
  clock.advance(59_000);
  expect(cache.segment('a')).toBe(bytes);
  expect(reads).toEqual(['a']);
  stored.delete('a');
  clock.advance(1_000);
  expect(cache.segment('a'), 'deleted meanwhile').toBe(null);
});

test('what is unknown is not remembered as such', () => {
  const { stored, cache } = rig();
  expect(cache.segment('a')).toBe(null);
  stored.set('a', new Uint8Array(1));
  expect(cache.segment('a')).toEqual(new Uint8Array(1));
});

test('holds eight megabytes at most: what was not asked for longest goes first', () => {
  const { stored, reads, cache } = rig();
  for (const hash of ['a', 'b', 'c', 'd', 'e']) stored.set(hash, new Uint8Array(2 * 1024 * 1024));
  for (const hash of ['a', 'b', 'c', 'd', 'a', 'e']) cache.segment(hash);
  expect(reads.splice(0)).toEqual(['a', 'b', 'c', 'd', 'e']);
  for (const hash of ['a', 'c', 'd', 'e', 'b']) cache.segment(hash);
  expect(reads).toEqual(['b']);
});
