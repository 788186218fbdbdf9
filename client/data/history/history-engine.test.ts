import { expect, test, vi } from 'vitest';
import * as Y from 'yjs';
import type { ActivityRow } from '#shared/schemas/activity.ts';
import type { ModelEvent } from '#shared/schemas/model.ts';
import type { SegmentEntry } from '#shared/schemas/segment.ts';
import { appendTail, trimTail } from '#sync/tail-codec.ts';
import { stringsOf, tailItems } from '#sync/tail-doc.ts';
import { eventSegment, request, segment } from '../testing/activity.ts';
import { rollups } from '../testing/rollups.ts';
import type { ActivityFeed, ActivityFilter, Result } from '../types.ts';
import { FeedView } from './feed-view.ts';
import type { RowSource } from './feed-view.ts';
import { HistoryEngine } from './history-engine.ts';
import { localDay } from './local-day.ts';
import type { FromHistory } from './messages.ts';
import { MemorySegmentStore } from './segment-store.ts';

const HOUR = 3_600_000;
const NOW = Date.UTC(2026, 10, 30, 12);

/** An engine with its page: what a page would show, and a collector with segments that can go away. */
function harness(store = new MemorySegmentStore()) {
  const blobs = new Map<string, Uint8Array>();
  const fetched: string[] = [];
  const posted: FromHistory[] = [];
  const timers: (() => void)[] = [];
  const lateTimers: (() => void)[] = [];
  let now = NOW;
  const sources = new Map<number, RowSource>();
  const view = new FeedView();
  let feed: ActivityFeed | null = null;
  let lose: () => void = () => undefined;
  const engine = new HistoryEngine({
    openStore: (_database, onLost) => {
      lose = onLost;
      return store;
    },
    fetchSegment: (entry: SegmentEntry): Promise<Result<Uint8Array>> => {
      fetched.push(entry.hash);
      const bytes = blobs.get(entry.hash);
      return Promise.resolve(
        bytes
          ? { ok: true, status: 200, value: bytes }
          : { ok: false, status: null, code: 'network', message: 'no', retryAfterMs: null, details: [] },
      );
    },
    hashBytes: () => Promise.resolve(null),
    now: () => now,
    setTimer: (task, delayMs) => {
      (delayMs < 1_000 ? timers : lateTimers).push(task);
    },
    post: (message) => {
      posted.push(message);
      if (message.type === 'block') sources.set(message.blockId, message.block);
      if (message.type === 'live-rows') {
        const known = sources.get(message.blockId);
        sources.set(message.blockId, [...(Array.isArray(known) ? known : []), ...message.rows]);
      }
      if (message.type === 'drop-blocks') for (const id of message.blockIds) sources.delete(id);
      if (message.type === 'feed') feed = view.apply(message, sources);
    },
  });
  const settle = async (): Promise<void> => {
    for (let quiet = 0; quiet < 5; quiet += 1) {
      for (const task of timers.splice(0)) task();
      await engine.handle({ type: 'end-query', queryId: -1 });
      await new Promise((resolve) => setImmediate(resolve));
      if (timers.length > 0) quiet = 0;
    }
  };
  return {
    blobs,
    fetched,
    posted,
    settle,
    engine,
    later: async (ms: number): Promise<void> => {
      now += ms;
      for (const task of lateTimers.splice(0)) task();
      await settle();
    },
    lose: (): void => lose(),
    shown: (): (number | null)[] =>
      Array.from({ length: feed?.count ?? 0 }, (_, index) => {
        const row = feed?.rowAt(index);
        return row?.type === 'request' ? row.id : null;
      }),
    feed: (): ActivityFeed | null => feed,
    last: <T extends FromHistory['type']>(type: T) =>
      posted.filter((message): message is Extract<FromHistory, { type: T }> => message.type === type).at(-1),
    open: async (filter: ActivityFilter = {}): Promise<void> => {
      await engine.handle({ type: 'open', database: 'x' });
      await engine.handle({ type: 'policy', online: true, writer: true, serverOffsetMs: 0 });
      await engine.handle({ type: 'query', queryId: 1, filter });
      await settle();
    },
  };
}

/** Sends a tail document's change to the engine as the page does. */
function follow(doc: Y.Doc, engine: HistoryEngine): void {
  tailItems(doc).observe((event) => {
    const whole = event.changes.delta.some((part) => part.delete !== undefined);
    const inserted = event.changes.delta.flatMap((part): unknown[] =>
      Array.isArray(part.insert) ? part.insert : [],
    );
    const items = (whole ? tailItems(doc).toArray() : inserted).filter((item) => item instanceof Uint8Array);
    void engine.handle({ type: 'tail', dictionary: stringsOf(doc), items, whole });
  });
}

const rows = (...ids: number[]): ActivityRow[] =>
  ids.map((id) => request({ id, endedAt: NOW - HOUR + id * 1000 }));

test('sealed history and the tail make one feed; a live row is on top', async () => {
  const page = harness();
  const sealed = segment('2026-11-30T11.0', rows(1, 2, 3));
  page.blobs.set(sealed.entry.hash, sealed.bytes);
  const doc = new Y.Doc();
  follow(doc, page.engine);
  await page.open();
  await page.engine.handle({ type: 'manifest', entries: [sealed.entry] });
  appendTail(doc, rows(3, 4));
  await page.settle();
  expect(page.shown()).toEqual([4, 3, 2, 1]);
  expect(page.feed()).toMatchObject({ state: 'ready', from: sealed.entry.from, missing: { days: [] } });
  appendTail(doc, rows(5));
  await page.settle();
  expect(page.shown()).toEqual([5, 4, 3, 2, 1]);
});

test('rows are shown at every moment of a seal: trim first, manifest next, blob last', async () => {
  const page = harness();
  const doc = new Y.Doc();
  follow(doc, page.engine);
  await page.open();
  appendTail(doc, rows(1, 2));
  await page.settle();
  trimTail(doc, 1);
  await page.settle();
  expect(page.shown()).toEqual([2, 1]);
  expect(page.last('uncovered')).toEqual({ type: 'uncovered', rows: 2 });
  const sealed = segment('2026-11-30T11.0', rows(1, 2));
  await page.engine.handle({ type: 'manifest', entries: [sealed.entry] });
  await page.settle();
  expect(page.shown()).toEqual([2, 1]);
  expect(page.last('uncovered')).toEqual({ type: 'uncovered', rows: 2 });
  page.blobs.set(sealed.entry.hash, sealed.bytes);
  await page.engine.handle({ type: 'manifest', entries: [sealed.entry] });
  await page.settle();
  expect(page.last('uncovered')).toEqual({ type: 'uncovered', rows: 0 });
  expect(page.shown()).toEqual([2, 1]);
});

test('rows that leave the tail and come in no segment are gone from the page: the collector deleted them', async () => {
  const page = harness();
  const doc = new Y.Doc();
  follow(doc, page.engine);
  await page.open();
  await page.engine.handle({ type: 'manifest', entries: [] });
  appendTail(doc, rows(1, 2));
  appendTail(doc, rows(3));
  await page.settle();
  trimTail(doc, 1);
  await page.settle();
  expect(page.shown()).toEqual([3, 2, 1]);
  const sealed = segment('2026-11-30T11.0', rows(2));
  await page.engine.handle({ type: 'manifest', entries: [sealed.entry] });
  await page.later(10_000);
  expect(page.shown(), 'a row that a listed segment may bring is waited for').toEqual([3, 2]);
  expect(page.last('uncovered')).toEqual({ type: 'uncovered', rows: 1 });
  await page.engine.handle({ type: 'manifest', entries: [] });
  await page.settle();
  expect(page.shown()).toEqual([3]);
  expect(page.last('uncovered')).toEqual({ type: 'uncovered', rows: 0 });
});

test('what is older than a day waits until the last day is here', async () => {
  const page = harness();
  const HOURS = [1, 2, 30, 31];
  const blobs = HOURS.map((hours) =>
    segment(`${hours} hours ago`, [request({ id: hours, endedAt: NOW - hours * HOUR })]),
  );
  for (const { entry, bytes } of blobs) page.blobs.set(entry.hash, bytes);
  await page.open();
  await page.engine.handle({ type: 'manifest', entries: blobs.map(({ entry }) => entry) });
  await page.settle();
  const order = page.fetched.map((hash) => HOURS[blobs.findIndex(({ entry }) => entry.hash === hash)]);
  expect(new Set(order.slice(0, 2))).toEqual(new Set([1, 2]));
  expect(order.slice(2)).toEqual([30, 31]);
});

test('a day that is not here says so, is fetched when looked at, and opens without the collector after that', async () => {
  const store = new MemorySegmentStore();
  const old = segment('2026-11-20.0', [request({ id: 9, endedAt: NOW - 240 * HOUR })]);
  const day = localDay(old.entry.from);
  const first = harness(store);
  await first.engine.handle({ type: 'open', database: 'x' });
  await first.engine.handle({ type: 'policy', online: false, writer: true, serverOffsetMs: 0 });
  await first.engine.handle({ type: 'manifest', entries: [old.entry] });
  await first.engine.handle({ type: 'query', queryId: 1, filter: { day } });
  await first.engine.handle({ type: 'fetch-day', callId: 7, day });
  await first.settle();
  expect(first.feed()).toMatchObject({ count: 0, missing: { days: [day] } });
  expect(first.last('day-fetched')).toMatchObject({ callId: 7, error: { code: 'network' } });
  expect(first.last('days')?.days).toMatchObject([{ day, rows: 1, held: 'none' }]);
  first.blobs.set(old.entry.hash, old.bytes);
  await first.engine.handle({ type: 'policy', online: true, writer: false, serverOffsetMs: 0 });
  await first.settle();
  expect(first.shown()).toEqual([9]);

  const later = harness(store);
  await later.engine.handle({ type: 'open', database: 'x' });
  await later.engine.handle({ type: 'manifest', entries: [old.entry] });
  await later.engine.handle({ type: 'query', queryId: 1, filter: { day } });
  await later.settle();
  expect(later.shown()).toEqual([9]);
  expect(later.fetched).toEqual([]);
  expect(later.last('days')?.days).toMatchObject([{ day, held: 'all' }]);
});

test('a day opened by its address is fetched as soon as the manifest says what it is', async () => {
  const page = harness();
  const old = segment('2026-10-01.0', [request({ id: 9, endedAt: NOW - 60 * 24 * HOUR })]);
  page.blobs.set(old.entry.hash, old.bytes);
  await page.open({ day: localDay(old.entry.from) });
  await page.engine.handle({ type: 'manifest', entries: [old.entry] });
  await page.settle();
  expect(page.shown()).toEqual([9]);
});

test('what the manifest no longer names goes only while the collector is there to say so', async () => {
  const page = harness();
  const kept = segment('kept', rows(1));
  const gone = segment('gone', rows(2));
  for (const { entry, bytes } of [kept, gone]) page.blobs.set(entry.hash, bytes);
  await page.open();
  await page.engine.handle({ type: 'manifest', entries: [kept.entry, gone.entry] });
  await page.settle();
  expect(page.shown()).toEqual([2, 1]);
  await page.engine.handle({ type: 'policy', online: false, writer: true, serverOffsetMs: 0 });
  await page.engine.handle({ type: 'manifest', entries: [kept.entry] });
  await page.settle();
  expect(page.shown()).toEqual([2, 1]);
  await page.engine.handle({ type: 'policy', online: true, writer: true, serverOffsetMs: 0 });
  await page.settle();
  expect(page.shown()).toEqual([1]);
});

test('a damaged blob is not kept, and what is missing is said', async () => {
  const page = harness();
  const sealed = segment('2026-11-30T11.0', rows(1));
  page.blobs.set(sealed.entry.hash, sealed.bytes.slice(0, 30));
  await page.open();
  await page.engine.handle({ type: 'manifest', entries: [sealed.entry] });
  await page.settle();
  expect(page.shown()).toEqual([]);
  expect(page.feed()?.missing.days).toEqual([localDay(sealed.entry.to)]);
});

test('where the browser has no room, history is shown and the refusal is said', async () => {
  class FullStore extends MemorySegmentStore {
    override put(): Promise<void> {
      return Promise.reject(new Error('no room'));
    }
  }
  const page = harness(new FullStore());
  const sealed = segment('2026-11-30T11.0', rows(1));
  page.blobs.set(sealed.entry.hash, sealed.bytes);
  await page.open();
  await page.engine.handle({ type: 'manifest', entries: [sealed.entry] });
  await page.settle();
  expect(page.shown()).toEqual([1]);
  expect(page.last('storage-error')).toEqual({ type: 'storage-error', message: 'no room' });
});

test('history that the browser cleared is fetched again', async () => {
  const store = new MemorySegmentStore();
  const page = harness(store);
  const sealed = segment('2026-11-30T11.0', rows(1));
  page.blobs.set(sealed.entry.hash, sealed.bytes);
  await page.open();
  await page.engine.handle({ type: 'manifest', entries: [sealed.entry] });
  await page.settle();
  await store.drop([sealed.entry.hash]);
  page.lose();
  await page.settle();
  expect(page.fetched).toEqual([sealed.entry.hash, sealed.entry.hash]);
  expect(await store.list()).toHaveLength(1);
  expect(page.shown()).toEqual([1]);
});

test('samples of this device are read from its sealed segments, while the collector is away too', async () => {
  const page = harness();
  const samples = rollups({ hostId: 'box', count: 12, startAt: NOW - HOUR });
  const others = rollups({ hostId: 'other', count: 12, startAt: NOW - 2 * HOUR });
  const sealed = [others, samples];
  for (const { entry, bytes } of sealed) page.blobs.set(entry.hash, bytes);
  await page.open();
  await page.engine.handle({ type: 'manifest', entries: sealed.map(({ entry }) => entry) });
  await page.settle();
  await page.engine.handle({ type: 'policy', online: false, writer: true, serverOffsetMs: 0 });
  const span = { hostId: 'box', from: NOW - HOUR / 2, to: NOW };
  await page.engine.handle({ type: 'performance', callId: 7, span });
  const told = page.last('performance');
  expect(told).toMatchObject({ callId: 7, held: { heldFrom: NOW - HOUR } });
  expect(told?.held.answer.system.map(({ at }) => at)).toEqual(
    samples.rows.flatMap(({ gpu, sample }) => (gpu === null && sample.at >= span.from ? [sample.at] : [])),
  );
  expect(told?.held.answer.gpus.map((gpu) => gpu.samples.length)).toEqual([6, 6]);
});

test('samples whose bytes the browser lost are not made up: the rest is told', async () => {
  const store = new MemorySegmentStore();
  const page = harness(store);
  const samples = rollups({ hostId: 'box', count: 2, startAt: NOW - HOUR });
  const { hash, kind, rows: count, bytes, from, to } = samples.entry;
  const note = { hash, kind, rows: count, bytes, from, to, pinnedAt: null };
  await store.put(note, samples.bytes.slice(0, 20));
  await page.open();
  await page.engine.handle({ type: 'performance', callId: 1, span: { hostId: 'box', from: 0, to: NOW } });
  expect(page.last('performance')?.held).toMatchObject({ heldFrom: null, answer: { system: [], gpus: [] } });
  expect(await store.list()).toEqual([]);
});

test('transitions of models are there at every moment of a seal, and offline: once, and whole where a segment has them', async () => {
  const page = harness();
  const lines = ['load_tensors: 3 GiB', 'CUDA error: out of memory'];
  const failed: ModelEvent = {
    type: 'model-event',
    hostId: 'marlin',
    modelId: 'coder',
    at: NOW,
    from: 'starting',
    to: 'stopped',
    reason: 'CUDA error: out of memory',
    lines,
  };
  const earlier: ModelEvent = { ...failed, at: NOW - HOUR, from: 'stopped', to: 'starting', reason: null };
  const { lines: _lines, ...ready } = { ...earlier, at: NOW - HOUR + 4_000, from: 'starting', to: 'ready' };
  const held = async (hostId = 'marlin'): Promise<[readonly ModelEvent[], number | null]> => {
    const span = { hostId, from: 0, to: NOW + 1 };
    await page.engine.handle({ type: 'model-events', callId: 1, span });
    const answer = page.last('model-events')?.held;
    return [answer?.events ?? [], answer?.from ?? null];
  };
  const doc = new Y.Doc();
  follow(doc, page.engine);
  await page.open();
  const old = eventSegment('2026-11-30T11.0', [ready]);
  page.blobs.set(old.entry.hash, old.bytes);
  await page.engine.handle({ type: 'manifest', entries: [old.entry] });
  appendTail(doc, [failed, request({ id: 7, endedAt: NOW })]);
  await page.settle();
  const { lines: _cut, ...short } = failed;
  expect(await held()).toEqual([[ready, short], ready.at]);
  // Trimmed; the segment is named only later, and its bytes come later still.
  trimTail(doc, 1);
  await page.settle();
  expect((await held())[0]).toEqual([ready, short]);
  const sealedNow = eventSegment('2026-11-30T12.0', [failed]);
  await page.engine.handle({ type: 'manifest', entries: [old.entry, sealedNow.entry] });
  expect((await held())[0]).toEqual([ready, short]);
  // A hole: this device does not see past it.
  expect((await held())[1]).toBe(NOW);
  page.blobs.set(sealedNow.entry.hash, sealedNow.bytes);
  await page.later(60_000);
  await page.engine.handle({ type: 'manifest', entries: [old.entry, sealedNow.entry] });
  await page.settle();
  await page.engine.handle({ type: 'policy', online: false, writer: true, serverOffsetMs: 0 });
  expect(await held()).toEqual([[ready, failed], ready.at]);
  expect((await held('other'))[0]).toEqual([]);
  expect((await held())[0]).toHaveLength(2);
});

test('requests by bucket are those of segments and tail, once each, offline too, and it is said how far back they are known', async () => {
  const page = harness();
  const doc = new Y.Doc();
  follow(doc, page.engine);
  await page.open();
  const sealed = segment('2026-11-30T11.0', rows(1, 2, 3));
  const missing = segment('2026-11-30T09.0', [request({ id: 0, endedAt: NOW - 3 * HOUR })]);
  page.blobs.set(sealed.entry.hash, sealed.bytes);
  await page.engine.handle({ type: 'manifest', entries: [missing.entry, sealed.entry] });
  appendTail(doc, rows(3, 4));
  await page.settle();
  await page.engine.handle({ type: 'policy', online: false, writer: true, serverOffsetMs: 0 });
  const wish = { from: NOW - 4 * HOUR, to: NOW, bucketMs: HOUR, clockOffsetMs: 0 };
  await page.engine.handle({
    type: 'timelines',
    callId: 9,
    wishes: [
      { ...wish, hostId: 'marlin' },
      { ...wish, hostId: 'heron' },
    ],
  });
  const told = page.last('timelines');
  expect(told?.callId).toBe(9);
  expect(told?.held.map(({ requests }) => requests)).toEqual([
    [0, 0, 0, 4],
    [0, 0, 0, 0],
  ]);
  expect(told?.held[0]?.heldFrom, 'an hour that is not on this device').toBe(missing.entry.to);
});

test('a day that was wanted without the collector is fetched when it is back, all kinds of it, and then said to be here', async () => {
  const { engine, settle, last, blobs } = harness();
  const startAt = NOW - 240 * HOUR;
  const old = segment('2026-11-20.0', [request({ id: 9, endedAt: startAt })]);
  const charts = rollups({ hostId: 'marlin', count: 3, startAt });
  const day = localDay(old.entry.from);
  await engine.handle({ type: 'open', database: 'x' });
  await engine.handle({ type: 'policy', online: false, writer: false, serverOffsetMs: 0 });
  await engine.handle({ type: 'manifest', entries: [old.entry, charts.entry] });
  const wishes = { budgetBytes: 1_000_000, pinnedDays: [], wantedDays: [day], skippedDays: [] };
  await engine.handle({ type: 'wishes', wishes });
  await settle();
  expect(last('days-arrived')).toBeUndefined();
  expect(last('days')?.stored).toMatchObject([
    {
      day,
      heldBytes: 0,
      parts: [
        { kind: 'activity', held: 'none' },
        { kind: 'perf-5m', held: 'none' },
        { kind: 'model-events', held: 'nothing' },
      ],
    },
  ]);
  blobs.set(old.entry.hash, old.bytes);
  blobs.set(charts.entry.hash, charts.bytes);
  await engine.handle({ type: 'policy', online: true, writer: false, serverOffsetMs: 0 });
  await settle();
  expect(last('days-arrived')).toEqual({ type: 'days-arrived', days: [day] });
  expect(last('days')).toMatchObject({
    heldByKind: { activity: old.entry.bytes, 'perf-5m': charts.entry.bytes, 'model-events': 0 },
    stored: [{ parts: [{ held: 'all' }, { held: 'all' }, { held: 'nothing' }] }],
  });
});

test('a smaller budget drops what is oldest at once, and a day taken off is not fetched again', async () => {
  const store = new MemorySegmentStore();
  const { engine, settle, blobs, fetched, open } = harness(store);
  const days = [3, 2].map((back) =>
    segment(`2026-11-2${back}.0`, [request({ id: back, endedAt: NOW - back * 24 * HOUR })]),
  );
  for (const { entry, bytes } of days) blobs.set(entry.hash, bytes);
  const hashes = async (): Promise<string[]> => (await store.list()).map(({ hash }) => hash);
  const [older, newer] = days.map(({ entry }) => entry);
  if (!older || !newer) throw new Error('two days');
  await open();
  await engine.handle({ type: 'manifest', entries: [older, newer] });
  await settle();
  expect(await hashes()).toHaveLength(2);
  const wish = async (skippedDays: string[], budgetBytes: number): Promise<void> => {
    const wishes = { budgetBytes, pinnedDays: [], wantedDays: [], skippedDays };
    await engine.handle({ type: 'wishes', wishes });
    await settle();
  };
  await wish([], newer.bytes);
  expect(await hashes()).toEqual([newer.hash]);
  fetched.length = 0;
  await wish([localDay(newer.to)], 1_000_000);
  expect(await hashes()).toEqual([older.hash]);
  expect(fetched).toEqual([older.hash]);
});

test('a day that was looked at and then taken off stays off, until it is fetched again', async () => {
  const store = new MemorySegmentStore();
  const { engine, settle, blobs, fetched, open, last } = harness(store);
  const old = segment('2026-11-20.0', [request({ id: 1, endedAt: NOW - 10 * 24 * HOUR })]);
  blobs.set(old.entry.hash, old.bytes);
  const day = localDay(old.entry.to);
  await open();
  await engine.handle({ type: 'policy', online: true, writer: true, serverOffsetMs: 0 });
  await engine.handle({ type: 'manifest', entries: [old.entry] });
  await engine.handle({ type: 'query', queryId: 1, filter: { day } });
  await settle();
  const wish = async (skippedDays: string[], budgetBytes = 1_000_000): Promise<void> => {
    await engine.handle({
      type: 'wishes',
      wishes: { budgetBytes, pinnedDays: [], wantedDays: [], skippedDays },
    });
    for (let round = 0; round < 4; round += 1) await settle();
  };
  const hashes = async (): Promise<readonly string[]> => (await store.list()).map(({ hash }) => hash);
  expect(await hashes()).toEqual([old.entry.hash]);
  fetched.length = 0;
  await wish([day]);
  await engine.handle({ type: 'query', queryId: 2, filter: { day } });
  await settle();
  expect([await hashes(), fetched]).toEqual([[], []]);

  await wish([]);
  await engine.handle({ type: 'fetch-day', callId: 7, day });
  await settle();
  expect(last('day-fetched')).toEqual({ type: 'day-fetched', callId: 7, error: null });
  expect(await hashes()).toEqual([old.entry.hash]);

  // Half of the budget is for days that were looked at: this one does not fit, which is said, once.
  fetched.length = 0;
  await wish([], old.entry.bytes);
  await engine.handle({ type: 'fetch-day', callId: 8, day });
  for (let round = 0; round < 4; round += 1) await settle();
  expect(last('day-fetched')).toMatchObject({ callId: 8, error: { code: 'no_place' } });
  expect(fetched).toEqual([old.entry.hash]);
});

test('everything held is exported, and an export that is cancelled says so', async () => {
  const { engine, settle, last, blobs, open } = harness();
  const sealed = segment('2026-11-29.0', [request({ id: 1, endedAt: NOW - 24 * HOUR + 1000 })]);
  blobs.set(sealed.entry.hash, sealed.bytes);
  await open();
  await engine.handle({ type: 'manifest', entries: [sealed.entry] });
  await settle();
  await engine.handle({ type: 'export', callId: 1, format: 'ndjson' });
  await vi.waitFor(() => expect(last('exported')).toMatchObject({ callId: 1, error: null }));
  expect(last('export-progress')).toMatchObject({
    doneBytes: sealed.entry.bytes,
    totalBytes: sealed.entry.bytes,
  });
  await engine.handle({ type: 'export', callId: 2, format: 'csv' });
  await engine.handle({ type: 'cancel-export', callId: 2 });
  await vi.waitFor(() =>
    expect(last('exported')).toMatchObject({ callId: 2, blob: null, error: { code: 'cancelled' } }),
  );
});
