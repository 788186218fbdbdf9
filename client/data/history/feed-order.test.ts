import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ActivityRow } from '#shared/schemas/activity.ts';
import { request } from '../testing/activity.ts';
import { FeedOrder } from './feed-order.ts';
import { NO_TALLY } from './no-tally.ts';
import { FeedView } from './feed-view.ts';
import type { RowSource } from './feed-view.ts';
import type { FeedPatch } from './messages.ts';
import { blockOf } from './row-block.ts';
import { rowKey } from './row-key.ts';

const ALL = { from: 0, to: Number.POSITIVE_INFINITY };

function patch(change: { keep: number; refs: Uint32Array }): FeedPatch {
  return {
    queryId: 1,
    ready: true,
    failed: 0,
    gaps: 0,
    tally: NO_TALLY,
    from: null,
    missingDays: [],
    ...change,
  };
}

/** Ids newest first, as the page would show them. */
function shown(feed: {
  count: number;
  rowAt: (index: number) => ActivityRow | undefined;
}): (number | string)[] {
  return Array.from({ length: feed.count }, (_, index) => {
    const row = feed.rowAt(index);
    return row?.type === 'request' ? row.id : 'gap';
  });
}

test('rows of one moment stand in the order of their ids: many releases tell whole seconds only', () => {
  const block = blockOf([10, 9, 101, 2].map((id) => request({ id, endedAt: 5 })));
  const change = new FeedOrder({}).rebuild([{ id: 1, block }], ALL);
  const feed = new FeedView().apply(patch(change), new Map<number, RowSource>([[1, block]]));
  expect(shown(feed)).toEqual([101, 10, 9, 2]);
});

test('a row in a segment and in the tail is shown once, with the text of the segment', () => {
  const sealed = blockOf([request({ id: 1, endedAt: 1, error: 'the whole text' })]);
  const tail = blockOf([request({ id: 1, endedAt: 1, error: 'the wh…' }), request({ id: 2, endedAt: 2 })]);
  const order = new FeedOrder({});
  const change = order.rebuild(
    [
      { id: 1, block: sealed },
      { id: 2, block: tail },
    ],
    ALL,
  );
  const feed = new FeedView().apply(
    patch(change),
    new Map<number, RowSource>([
      [1, sealed],
      [2, tail],
    ]),
  );
  expect(shown(feed)).toEqual([2, 1]);
  expect(feed.rowAt(1)).toMatchObject({ error: 'the whole text' });
  expect(order.failed).toBe(1);
});

test('the same id of another epoch or host is another row', () => {
  const block = blockOf([
    request({ id: 7 }),
    request({ id: 7, idEpoch: 2 }),
    request({ id: 7, hostId: 'heron' }),
    request({ id: 7 }),
  ]);
  const order = new FeedOrder({});
  order.rebuild([{ id: 1, block }], ALL);
  expect(order.size).toBe(3);
});

test('live rows, late ones too, give the same order as building anew; older feeds keep what they showed', () => {
  const row = fc.record({ id: fc.nat(60), endedAt: fc.nat(40) }).map((fields) => request(fields));
  fc.assert(
    fc.property(fc.array(fc.array(row, { maxLength: 6 }), { maxLength: 8 }), (batches) => {
      const live: ActivityRow[] = [];
      const sources = new Map<number, RowSource>([[9, live]]);
      const order = new FeedOrder({});
      const view = new FeedView();
      let feed = view.apply(patch(order.rebuild([], ALL)), sources);
      const history: { feed: typeof feed; shown: (number | string)[] }[] = [];
      for (const batch of batches) {
        const change = order.add({ id: 9, block: blockOf(batch) }, live.length, ALL);
        live.push(...batch);
        if (change) feed = view.apply(patch(change), sources);
        history.push({ feed, shown: shown(feed) });
      }
      const first = new Map<string, ActivityRow>();
      for (const given of batches.flat()) if (!first.has(rowKey(given))) first.set(rowKey(given), given);
      const idOf = (given: ActivityRow): number => (given.type === 'request' ? given.id : 0);
      const expected = [...first.values()].sort((a, b) => b.endedAt - a.endedAt || idOf(b) - idOf(a));
      expect(shown(feed)).toEqual(expected.map((given) => (given.type === 'request' ? given.id : 'gap')));
      for (const past of history) expect(shown(past.feed)).toEqual(past.shown);
    }),
  );
});

test('a row stays the same object while its block is replaced', () => {
  const before = blockOf([request({ id: 1 })]);
  const order = new FeedOrder({});
  const view = new FeedView();
  const first = view.apply(patch(order.rebuild([{ id: 1, block: before }], ALL)), new Map([[1, before]]));
  const after = blockOf([request({ id: 1 })]);
  const second = view.apply(patch(order.rebuild([{ id: 2, block: after }], ALL)), new Map([[2, after]]));
  expect(second.rowAt(0)).toBe(first.rowAt(0));
  expect(second.rowAt(1)).toBeUndefined();
  expect(second.rowAt(-1)).toBeUndefined();
});
