import { expect, test } from 'vitest';
import type { HostConfig } from '../../domain/ports.ts';
import { gapRow, requestRow, requestRows } from '../../testing/activity-rows.ts';
import { temporaryStore } from '../../testing/temporary-store.ts';

const BOX: HostConfig = {
  id: 'box',
  label: 'Box',
  url: 'http://box.lan:8080',
  paused: false,
  managedByFile: false,
  demo: false,
  keySource: null,
};

test('rows read back as they were given, unknown values as null', () => {
  const { activity } = temporaryStore();
  const rows = [
    requestRow({ id: 0, error: 'timeout 😀', source: 'cli', sourceCertainty: 'matched', status: 502 }),
    requestRow({
      id: 7,
      path: null,
      status: null,
      inputTokens: null,
      outputTokens: null,
      cachedTokens: null,
      promptPerSecond: null,
      tokensPerSecond: 41,
      durationMs: null,
      hasCapture: true,
    }),
    gapRow({ reason: 'backfill_limit', fromId: null }),
  ];
  const inserted = activity.insert(rows, 1);
  expect(inserted).toEqual({ rows, fromSeq: 1, toSeq: 3 });
  expect(activity.read([{ fromSeq: 1, toSeq: 3, hour: 0 }])).toEqual(rows);
});

test('a row or gap that is held already is left out, and takes no sequence number', () => {
  const { activity } = temporaryStore();
  activity.insert([requestRow({ id: 1 }), gapRow()], 1);
  const again = activity.insert(
    [requestRow({ id: 1, modelId: 'other' }), gapRow(), requestRow({ id: 2 })],
    2,
  );
  expect(again).toMatchObject({ rows: [{ id: 2 }], fromSeq: 3, toSeq: 3 });
  expect(activity.insert([requestRow({ id: 2 })], 3)).toBeNull();
  expect(activity.insert([requestRow({ id: 1, idEpoch: 1 })], 3)).not.toBeNull();
});

test('the cursor shows the newest 1,000 rows of the newest epoch, ascending', () => {
  const { activity } = temporaryStore();
  expect(activity.cursor('box')).toEqual({ idEpoch: 0, lastId: null, lastEndedAt: null, recent: [] });
  activity.insert(requestRows(1200), 1);
  const cursor = activity.cursor('box');
  expect(cursor).toMatchObject({ idEpoch: 0, lastId: 1200 });
  expect(cursor.recent.map(({ id }) => id)).toEqual(Array.from({ length: 1000 }, (_, index) => 201 + index));
  expect(cursor.recent[0]).not.toHaveProperty('hostId');
  activity.insert([requestRow({ idEpoch: 3, id: 5, endedAt: 99 })], 1);
  expect(activity.cursor('box')).toMatchObject({ idEpoch: 3, lastId: 5, lastEndedAt: 99 });
});

test('a host that was removed and added again starts a fresh epoch', () => {
  const { activity, fleet } = temporaryStore();
  fleet.insertHost(BOX, 1);
  activity.insert([requestRow({ idEpoch: 2, id: 9 })], 1);
  expect(fleet.removeHost('box')).toBe(true);
  expect(fleet.removeHost('box')).toBe(false);
  fleet.insertHost(BOX, 2);
  expect(activity.cursor('box')).toEqual({ idEpoch: 3, lastId: null, lastEndedAt: null, recent: [] });
  fleet.removeHost('box');
  fleet.insertHost(BOX, 3);
  expect(activity.cursor('box').idEpoch).toBe(4);
});

test('facets of a transaction that was undone are not used again', () => {
  const store = temporaryStore();
  const { activity } = store;
  expect(() =>
    store.transact(() => {
      activity.insert([requestRow({ id: 1, modelId: 'new' })], 1);
      throw new Error('undo');
    }),
  ).toThrow('undo');
  store.transact(() => activity.insert([requestRow({ id: 1, modelId: 'new' })], 1));
  expect(activity.read([{ fromSeq: 1, toSeq: 1, hour: 0 }])).toMatchObject([{ modelId: 'new' }]);
});
