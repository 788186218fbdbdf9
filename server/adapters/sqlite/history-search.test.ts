import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { activityQuery } from '#shared/schemas/activity.ts';
import type { ActivityRow } from '#shared/schemas/activity.ts';
import { gapRow, requestRow, requestRows } from '../../testing/activity-rows.ts';
import { temporaryStore } from '../../testing/temporary-store.ts';
import { FacetIndex } from './facet-index.ts';
import { decodeCursor, encodeCursor } from './history-cursor.ts';
import { searchActivity } from './history-search.ts';
import type { SqliteStore } from './open-store.ts';

type Filter = Readonly<Record<string, string | number>>;

function searcher({ connection }: SqliteStore) {
  const search = { connection, facets: new FacetIndex(connection), checkDeadline: () => undefined };
  const page = (filter: Filter) => searchActivity(activityQuery.parse(filter), search);
  const all = (filter: Filter): ActivityRow[] => {
    const rows: ActivityRow[] = [];
    let cursor: string | null | undefined;
    while (cursor !== null) {
      const answer = page(cursor === undefined ? filter : { ...filter, cursor });
      rows.push(...answer.rows);
      cursor = answer.nextCursor;
    }
    return rows;
  };
  return { page, all };
}

function ids(rows: readonly ActivityRow[]): (number | string | null)[] {
  return rows.map((row) => (row.type === 'gap' ? `gap ${row.fromId}` : row.id));
}

describe('pages', () => {
  test('come newest first, later received first among equals, and end with a null cursor', () => {
    const store = temporaryStore();
    store.activity.insert(
      [1, 2, 3, 4, 5].map((id) => requestRow({ id, endedAt: id === 2 ? 900 : 500 })),
      1,
    );
    const { page } = searcher(store);
    const first = page({ limit: 2 });
    expect(ids(first.rows)).toEqual([2, 5]);
    const second = page({ limit: 2, cursor: first.nextCursor ?? '' });
    expect(ids(second.rows)).toEqual([4, 3]);
    const third = page({ limit: 2, cursor: second.nextCursor ?? '' });
    expect(ids(third.rows)).toEqual([1]);
    expect(third.nextCursor).toBeNull();
    expect(page({ limit: 5 }).nextCursor).toBeNull();
  });

  test('rows that arrive while someone pages move nothing', () => {
    const store = temporaryStore();
    store.activity.insert(requestRows(10), 1);
    const { page } = searcher(store);
    const first = page({ limit: 5 });
    store.activity.insert(requestRows(5, { firstId: 11, endedAt: Date.UTC(2026, 10, 30, 13) }), 2);
    expect(ids(page({ limit: 10, cursor: first.nextCursor ?? '' }).rows)).toEqual([5, 4, 3, 2, 1]);
  });

  test('from is inclusive, to exclusive', () => {
    const store = temporaryStore();
    store.activity.insert(
      [100, 200, 300].map((endedAt) => requestRow({ id: endedAt, endedAt })),
      1,
    );
    expect(ids(searcher(store).all({ from: 100, to: 300 }))).toEqual([200, 100]);
  });

  test('gaps stand in the feed of a host or the fleet, and not under a filter on what rows hold', () => {
    const store = temporaryStore();
    store.activity.insert(
      [requestRow({ id: 9, endedAt: 100 }), gapRow({ to: 150 }), requestRow({ id: 21, endedAt: 200 })],
      1,
    );
    const { all } = searcher(store);
    expect(ids(all({}))).toEqual([21, 'gap 10', 9]);
    expect(ids(all({ hostId: 'box' }))).toEqual([21, 'gap 10', 9]);
    expect(ids(all({ hostId: 'other' }))).toEqual([]);
    expect(ids(all({ q: 'qwen' }))).toEqual([21, 9]);
    expect(ids(all({ statusClass: '2xx' }))).toEqual([21, 9]);
  });
});

describe('filters', () => {
  test('q is a substring of model, path, error or source, of any length and case', () => {
    const store = temporaryStore();
    store.activity.insert(
      [
        requestRow({ id: 1, modelId: 'Mistral-7B' }),
        requestRow({ id: 2, path: '/v1/embeddings' }),
        requestRow({ id: 3, error: 'upstream: Ünïcode 100%_done' }),
        requestRow({ id: 4, source: 'z' }),
      ],
      1,
    );
    const { all } = searcher(store);
    expect(ids(all({ q: 'mistral' }))).toEqual([1]);
    expect(ids(all({ q: 'EMBED' }))).toEqual([2]);
    expect(ids(all({ q: 'ÜNÏ' }))).toEqual([3]);
    expect(ids(all({ q: '%_' }))).toEqual([3]);
    expect(ids(all({ q: 'z' }))).toEqual([4]);
    expect(ids(all({ q: 'nothing' }))).toEqual([]);
    expect(ids(all({ q: '\0' }))).toEqual([]);
    expect(ids(all({ q: '' }))).toEqual([4, 3, 2, 1]);
  });

  test('status classes leave out rows without a status', () => {
    const store = temporaryStore();
    store.activity.insert(
      [200, 499, 503, null].map((status, id) => requestRow({ id, status })),
      1,
    );
    expect(ids(searcher(store).all({ statusClass: '4xx' }))).toEqual([1]);
    expect(ids(searcher(store).all({ statusClass: '5xx' }))).toEqual([2]);
  });

  test('a rare model is found behind thousands of other rows, page after page', () => {
    const store = temporaryStore();
    store.transact(() => {
      store.activity.insert(requestRows(30, { modelId: 'rare', endedAt: 1000 }), 1);
      store.activity.insert(requestRows(20, { modelId: 'rare-too', firstId: 100, endedAt: 500 }), 1);
      store.activity.insert(requestRows(8000, { firstId: 1000, endedAt: 1_000_000 }), 1);
    });
    const { page, all } = searcher(store);
    expect(page({ modelId: 'rare', limit: 7 }).rows).toHaveLength(7);
    expect(ids(all({ modelId: 'rare', limit: 7 }))).toEqual(Array.from({ length: 30 }, (_, at) => 30 - at));
    const both = all({ q: 'rare', limit: 7 });
    expect(both).toHaveLength(50);
    expect(both.map(({ endedAt }) => endedAt)).toEqual(
      both.map(({ endedAt }) => endedAt).toSorted((a, b) => b - a),
    );
  });

  test('any filter and page size gives exactly the rows a plain scan gives, in the same order', () => {
    const store = temporaryStore();
    const row = fc.record({
      hostId: fc.constantFrom('a', 'b'),
      modelId: fc.constantFrom('m1', 'm2', 'm10'),
      path: fc.constantFrom('/v1/x', null),
      error: fc.constantFrom(null, 'bad m1'),
      status: fc.constantFrom(200, 404, null),
      endedAt: fc.integer({ min: 0, max: 20 }),
    });
    const filter = fc.record(
      {
        hostId: fc.constantFrom('a', 'b'),
        modelId: fc.constantFrom('m1', 'm10'),
        statusClass: fc.constantFrom('2xx', '4xx'),
        path: fc.constant('/v1/x'),
        q: fc.constantFrom('m1', 'bad', 'x'),
        from: fc.integer({ min: 0, max: 20 }),
        to: fc.integer({ min: 0, max: 20 }),
        limit: fc.integer({ min: 1, max: 7 }),
      },
      { requiredKeys: ['limit'] },
    );
    const { all } = searcher(store);
    const stored: ActivityRow[] = [];
    fc.assert(
      fc.property(fc.array(row, { maxLength: 8 }), filter, (rows, filter) => {
        const made = rows.map((fields, index) => requestRow({ ...fields, id: stored.length + index }));
        store.activity.insert(made, 1);
        stored.push(...made);
        const expected = stored
          .map((entry, seq) => ({ entry, seq }))
          .filter(({ entry }) => fits(entry, filter))
          .sort((x, y) => y.entry.endedAt - x.entry.endedAt || y.seq - x.seq)
          .map(({ entry }) => entry);
        expect(all(filter)).toEqual(expected);
      }),
      { numRuns: 60 },
    );
  });
});

function fits(row: ActivityRow, filter: Filter): boolean {
  if (row.type === 'gap') return false;
  const { hostId, modelId, statusClass, path, q, from, to } = filter;
  const text = [row.modelId, row.path, row.error, row.source].map((part) => part ?? '');
  return (
    (hostId === undefined || row.hostId === hostId) &&
    (modelId === undefined || row.modelId === modelId) &&
    (path === undefined || row.path === path) &&
    (statusClass === undefined || `${Math.floor((row.status ?? 0) / 100)}xx` === statusClass) &&
    (q === undefined || text.some((part) => part.includes(String(q)))) &&
    (from === undefined || row.endedAt >= Number(from)) &&
    (to === undefined || row.endedAt < Number(to))
  );
}

test('a cursor reads back; anything else is refused as invalid_cursor', () => {
  const position = { endedAt: -5, seq: 12 };
  expect(decodeCursor(encodeCursor(position))).toEqual(position);
  const bad = ['', 'x', `${encodeCursor(position)}=`, Buffer.from('2.1.1').toString('base64url'), '💥'];
  for (const cursor of bad) {
    expect(() => decodeCursor(cursor)).toThrow(expect.objectContaining({ code: 'invalid_cursor' }));
  }
});
