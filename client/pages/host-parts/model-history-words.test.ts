import { expect, test } from 'vitest';
import type { HistoryEntry, LoadTimes } from './model-history.ts';
import { entryView, loadWords, seenWords } from './model-history-words.ts';

const NOW = new Date(2026, 10, 30, 12).getTime();
const DAY = 24 * 3_600_000;

function words(entry: Partial<HistoryEntry>): string {
  const { word, text } = entryView({
    at: NOW,
    kind: 'stopped',
    state: 'stopped',
    tookMs: null,
    isSeen: true,
    isCalledOff: false,
    other: null,
    reason: null,
    lines: null,
    ...entry,
  });
  return `${word} ${text}`.trim();
}

test('a change says what is known of it, and what was not seen', () => {
  expect(words({ kind: 'ready', tookMs: 4_200 })).toBe('ready loaded in 4.2 s');
  expect(words({ kind: 'ready' })).toBe('ready its start was not seen');
  expect(words({ kind: 'ready', isSeen: false })).toBe('ready found so; when it became so was not seen');
  expect(words({ kind: 'swapped-out', other: 'chat', tookMs: 61_000 })).toBe(
    'swapped out for chat, after 1 min 01 s ready',
  );
  expect(words({ kind: 'failed', reason: 'CUDA error: out of memory' })).toBe(
    'failed to start CUDA error: out of memory',
  );
  expect(words({ isCalledOff: true })).toBe('stopped before it was ready');
  expect(words({ isSeen: false })).toBe('stopped found so; when it became so was not seen');
  expect(words({ kind: 'other', state: 'sleeping' })).toBe('sleeping');
});

test('percentiles are given for enough loads only, and it says how many there are', () => {
  const said = (loads: Partial<LoadTimes>): string => {
    const all = { count: 0, uncounted: 0, lastMs: null, p50Ms: null, p95Ms: null, ...loads };
    const { value, note } = loadWords(all);
    return `${value} | ${note}`;
  };
  expect(said({})).toBe('– | No load was seen from starting to ready.');
  expect(said({ uncounted: 1 })).toBe(
    '– | No load was seen from starting to ready; 1 not counted, the start was not seen.',
  );
  expect(said({ count: 1, lastMs: 900, uncounted: 2 })).toBe(
    'last 900 ms | 1 load: percentiles need 5; 2 more not counted, the start was not seen.',
  );
  expect(said({ count: 7, lastMs: 900, p50Ms: 4_000 })).toBe(
    'p50 4.0 s | 7 loads, last 900 ms: p95 needs 20.',
  );
  expect(said({ count: 37, lastMs: 900, p50Ms: 4_000, p95Ms: 9_100 })).toBe(
    'p50 4.0 s · p95 9.1 s | 37 loads, last 900 ms.',
  );
});

test('it says how far back it sees', () => {
  expect(seenWords(null, NOW)).toBe('This device holds no history of it yet');
  expect(seenWords(NOW - 2 * DAY, NOW)).toBe('This device sees back to 28 Nov');
  expect(seenWords(NOW - 60_000, NOW)).toBe('This device sees back to 11:59');
  expect(seenWords(NOW - 40 * DAY, NOW)).toBe('The last 30 days, from this device');
});
