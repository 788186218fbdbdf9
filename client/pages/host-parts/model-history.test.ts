import { expect, test } from 'vitest';
import type { ModelEvent } from '#shared/schemas/model.ts';
import { modelHistory } from './model-history.ts';

const NOON = new Date(2026, 10, 30, 12).getTime();
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

function event(at: number, modelId: string, from: string | null, to: string, more: Partial<ModelEvent> = {}) {
  return { type: 'model-event' as const, hostId: 'marlin', modelId, at, from, to, reason: null, ...more };
}

function load(at: number, tookMs: number, modelId = 'coder'): ModelEvent[] {
  return [event(at, modelId, 'stopped', 'starting'), event(at + tookMs, modelId, 'starting', 'ready')];
}

function read(events: readonly ModelEvent[], from: number | null = NOON - 30 * DAY) {
  return modelHistory(events, { modelId: 'coder', from, now: NOON });
}

test('a load is the time from starting to ready; one whose start was not seen is none', () => {
  const { loads, entries, days } = read([
    event(NOON - 50 * MINUTE, 'coder', null, 'ready'),
    event(NOON - 40 * MINUTE, 'coder', 'ready', 'stopped'),
    ...load(NOON - 30 * MINUTE, 4_000),
    event(NOON - 20 * MINUTE, 'coder', 'ready', 'stopped'),
    // Already starting when somebody looked, and one that was seen to begin but not to end.
    event(NOON - 10 * MINUTE, 'coder', null, 'starting'),
    event(NOON - 9 * MINUTE, 'coder', 'starting', 'ready'),
    event(NOON - 8 * MINUTE, 'coder', 'ready', 'stopped'),
    event(NOON - 7 * MINUTE, 'coder', 'stopped', 'starting'),
    event(NOON - 1 * MINUTE, 'coder', null, 'ready'),
  ]);
  expect(loads).toEqual({ count: 1, uncounted: 3, lastMs: 4_000, p50Ms: null, p95Ms: null });
  expect(entries[0]).toMatchObject({ kind: 'ready', isSeen: false, tookMs: null });
  // Found ready is no load of that day.
  expect(days.at(-1)).toMatchObject({ loads: 2, swaps: 0 });
  expect(entries.map(({ tookMs }) => tookMs).filter((took) => took !== null)).toEqual([
    MINUTE,
    10 * MINUTE - 4_000,
    4_000,
  ]);
});

test.each([
  [4, null, null],
  [5, 3_000, null],
  [19, 10_000, null],
  [20, 10_000, 19_000],
])('of %i loads the median is %s and p95 %s: too few say nothing', (count, p50Ms, p95Ms) => {
  const events = Array.from({ length: count }, (_, index) => [
    ...load(NOON - DAY + index * 10 * MINUTE, (count - index) * 1_000),
    event(NOON - DAY + index * 10 * MINUTE + 9 * MINUTE, 'coder', 'ready', 'stopped'),
  ]).flat();
  expect(read(events).loads).toMatchObject({ count, p50Ms, p95Ms, lastMs: 1_000 });
});

test('a model that went when another one came was swapped out, whichever of the two was told first', () => {
  const at = NOON - 30 * MINUTE;
  const { entries, days } = read([
    ...load(at, 4_000),
    event(at + MINUTE, 'coder', 'ready', 'stopping'),
    event(at + MINUTE + 150, 'coder', 'stopping', 'stopped'),
    event(at + MINUTE + 150, 'vllm', 'stopped', 'starting'),
    event(at + 2 * MINUTE, 'coder', 'stopped', 'starting'),
    event(at + 2 * MINUTE, 'vllm', 'stopping', 'stopped'),
    event(at + 3 * MINUTE, 'coder', 'starting', 'ready'),
    event(at + 4 * MINUTE, 'coder', 'ready', 'stopping'),
    event(at + 5 * MINUTE, 'chat', 'stopped', 'starting'),
    event(at + 5 * MINUTE + 30, 'coder', 'stopping', 'stopped'),
    // Unloaded by somebody, and later another one is loaded.
    ...load(at + 6 * MINUTE, 1_000),
    event(at + 7 * MINUTE, 'coder', 'ready', 'stopping'),
    event(at + 7 * MINUTE + 100, 'coder', 'stopping', 'stopped'),
    event(at + 7 * MINUTE + 9_000, 'vllm', 'stopped', 'starting'),
  ]);
  const gone = entries.filter(({ kind }) => kind === 'swapped-out');
  expect(gone.map(({ other }) => other)).toEqual(['chat', 'vllm']);
  expect(gone.map(({ tookMs }) => tookMs)).toEqual([2 * MINUTE + 30, MINUTE + 150 - 4_000]);
  expect(entries[0]).toMatchObject({ kind: 'stopped', other: null, isCalledOff: false });
  expect(days.at(-1)).toMatchObject({ loads: 3, swaps: 2 });
});

test('a failed start keeps its reason and its lines, and is no load; one that was called off did not fail', () => {
  const lines = ['ggml_cuda_init: found 1 CUDA devices:', 'CUDA error: out of memory'];
  const { entries, loads } = read([
    event(NOON - 3 * MINUTE, 'coder', 'stopped', 'starting'),
    event(NOON - 2 * MINUTE, 'coder', 'starting', 'stopped', { reason: 'CUDA error: out of memory', lines }),
    event(NOON - MINUTE, 'coder', 'stopped', 'starting'),
    event(NOON, 'coder', 'starting', 'stopped'),
  ]);
  expect(entries[2]).toMatchObject({ kind: 'failed', reason: 'CUDA error: out of memory', lines });
  expect(entries[0]).toMatchObject({ kind: 'stopped', isCalledOff: true, lines: null });
  expect(loads.count).toBe(0);
});

test('days before this device sees are not days without a swap', () => {
  const { days } = read(load(NOON - MINUTE, 1_000), NOON - 2 * DAY);
  expect(days.map(({ swaps }) => swaps)).toEqual([null, null, null, null, 0, 0, 0]);
  expect(read([], null).days.every(({ loads }) => loads === null)).toBe(true);
});
