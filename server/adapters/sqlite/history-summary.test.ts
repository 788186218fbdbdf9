import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { activityQuery, activitySummaryQuery } from '#shared/schemas/activity.ts';
import type { ActivityRequest, ActivityRow } from '#shared/schemas/activity.ts';
import { gapRow, requestRow } from '../../testing/activity-rows.ts';
import { temporaryStore } from '../../testing/temporary-store.ts';
import { FacetIndex } from './facet-index.ts';
import { searchActivity } from './history-search.ts';
import { summarizeActivity } from './history-summary.ts';

type Filter = Readonly<Record<string, unknown>>;

function rowsAndCounts(rows: readonly ActivityRow[]) {
  const { connection, activity } = temporaryStore();
  activity.insert(rows, 1);
  const search = { connection, facets: new FacetIndex(connection), checkDeadline: () => undefined };
  const find = (filter: Filter): ActivityRequest[] => {
    const { rows: found } = searchActivity(activityQuery.parse({ ...filter, limit: 500 }), search);
    return found.filter((row) => row.type === 'request');
  };
  return { find, count: (filter: Filter) => summarizeActivity(activitySummaryQuery.parse(filter), search) };
}

function countsOf(rows: readonly ActivityRequest[], of: (row: ActivityRequest) => string) {
  const counts = new Map<string, number>();
  for (const row of rows) counts.set(of(row), (counts.get(of(row)) ?? 0) + 1);
  return [...counts]
    .map(([value, count]) => ({ value, count }))
    .sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1));
}

const anyRow = fc
  .record({
    hostId: fc.constantFrom('box', 'attic', 'lab'),
    modelId: fc.constantFrom('coder', 'qwen'),
    source: fc.constantFrom(null, 'phone', 'ci'),
    matched: fc.boolean(),
    status: fc.constantFrom(200, 500),
    endedAt: fc.integer({ min: 0, max: 100 }),
    inputTokens: fc.option(fc.nat(50), { nil: null }),
  })
  .map(({ matched, ...row }) => ({
    ...row,
    sourceCertainty:
      row.source === null ? ('unknown' as const) : matched ? ('matched' as const) : ('exact' as const),
  }));

const anyFilter = fc.record(
  {
    hostId: fc.constantFrom('box', ['box', 'lab']),
    modelId: fc.constant('coder'),
    source: fc.constantFrom('', 'phone', ['ci', '']),
    failed: fc.constant(true),
    q: fc.constantFrom('QW', 'pho', 'nothing'),
    from: fc.nat(50),
    to: fc.integer({ min: 40, max: 100 }),
  },
  { requiredKeys: [] },
);

test('counts are those of the rows a search finds, each menu’s with its own choice left open', () => {
  fc.assert(
    fc.property(fc.array(anyRow, { maxLength: 40 }), anyFilter, (rows, filter) => {
      const { find, count } = rowsAndCounts(rows.map((row, id) => requestRow({ ...row, id })));
      const { hostId: _host, ...anyHost } = filter;
      const { modelId: _model, ...anyModel } = filter;
      const { source: _source, ...anySource } = filter;
      const found = find(filter);
      const summary = count(filter);
      expect(summary).toMatchObject({
        requests: found.length,
        failed: found.filter((row) => row.status === 500).length,
        hosts: countsOf(find(anyHost), (row) => row.hostId),
        models: countsOf(find(anyModel), (row) => row.modelId),
        sources: countsOf(find(anySource), (row) => row.source ?? ''),
      });
      for (const sum of summary.bySource) {
        const own = found.filter((row) => (row.source ?? '') === sum.source);
        const told = own.filter((row) => row.inputTokens !== null);
        expect(sum).toMatchObject({
          requests: own.length,
          exact: own.filter((row) => row.sourceCertainty === 'exact').length,
          matched: own.filter((row) => row.sourceCertainty === 'matched').length,
          inputTokens: told.length === 0 ? null : told.reduce((all, row) => all + (row.inputTokens ?? 0), 0),
        });
      }
    }),
    { numRuns: 60 },
  );
});

test('gaps count where only host and time are filtered; nothing at all is no error', () => {
  const { count } = rowsAndCounts([gapRow({ to: 100 }), gapRow({ to: 200, hostId: 'attic' }), requestRow()]);
  expect(count({}).gaps).toBe(2);
  expect(count({ hostId: ['attic', 'lab'] })).toMatchObject({ gaps: 1, requests: 0 });
  expect(count({ failed: 'true' }).gaps).toBe(0);
  expect(rowsAndCounts([]).count({})).toEqual({
    requests: 0,
    failed: 0,
    gaps: 0,
    hosts: [],
    models: [],
    sources: [],
    bySource: [],
  });
});

test('signs of other languages have no meaning in a text: %, _ and composed letters', () => {
  const names = ['100%_done', '100x_done', 'Caf\u00e9', 'cafe\u0301-2', '\u0130stanbul', '💥'];
  const { find } = rowsAndCounts(names.map((modelId, id) => requestRow({ id, modelId })));
  const models = (q: string) =>
    find({ q })
      .map((row) => row.modelId)
      .sort();
  expect(models('0%_')).toEqual(['100%_done']);
  expect(models('_done')).toEqual(['100%_done', '100x_done']);
  expect(models('CAFE\u0301')).toEqual(['Caf\u00e9', 'cafe\u0301-2']);
  expect(models('\u0130')).toEqual(['\u0130stanbul']);
  expect(models('💥')).toEqual(['💥']);
  expect(models('%')).toEqual(['100%_done']);
});
