import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ActivityRequest } from '#shared/schemas/activity.ts';
import { request } from '../testing/activity.ts';
import type { ActivityFilter } from '../types.ts';
import { FeedOrder } from './feed-order.ts';
import { blockOf } from './row-block.ts';

const ALL = { from: 0, to: Number.POSITIVE_INFINITY };

const anyRow = fc
  .record({
    hostId: fc.constantFrom('marlin', 'heron'),
    modelId: fc.constantFrom('coder', 'glm'),
    source: fc.constantFrom(null, 'phone', 'ci'),
    matched: fc.boolean(),
    status: fc.constantFrom(200, 500),
    inputTokens: fc.option(fc.nat(9), { nil: null }),
    outputTokens: fc.option(fc.nat(9), { nil: null }),
  })
  .map(({ matched, ...row }) =>
    request({
      ...row,
      sourceCertainty: row.source === null ? 'unknown' : matched ? 'matched' : 'exact',
    }),
  );

const anyFilter: fc.Arbitrary<ActivityFilter> = fc.record(
  {
    hostIds: fc.constantFrom(['marlin'], ['marlin', 'heron']),
    modelIds: fc.constant(['glm']),
    sources: fc.constantFrom(['ci'], ['', 'phone'], ['nobody']),
    failuresOnly: fc.constant(true),
  },
  { requiredKeys: [] },
);

function fits(row: ActivityRequest, filter: ActivityFilter): boolean {
  return (
    (filter.hostIds?.includes(row.hostId) ?? true) &&
    (filter.modelIds?.includes(row.modelId) ?? true) &&
    (filter.sources?.includes(row.source ?? '') ?? true) &&
    (filter.failuresOnly !== true || row.status === 500)
  );
}

function counts(rows: readonly ActivityRequest[], of: (row: ActivityRequest) => string) {
  return Object.fromEntries([...Map.groupBy(rows, of)].map(([value, own]) => [value, own.length]));
}

const asObject = (list: readonly { readonly value: string; readonly count: number }[]) =>
  Object.fromEntries(list.map(({ value, count }) => [value, count]));

test('each choice is counted beside the other filters, each row once, whether it came sealed, live or both', () => {
  fc.assert(
    fc.property(fc.array(anyRow, { maxLength: 30 }), anyFilter, fc.nat(30), (some, filter, cut) => {
      const rows = some.map((row, id) => ({ ...row, id, endedAt: id }));
      const order = new FeedOrder(filter);
      const sealed = rows.slice(0, cut);
      order.rebuild(
        [
          { id: 1, block: blockOf(sealed) },
          { id: 2, block: blockOf(sealed.slice(-3)) },
        ],
        ALL,
      );
      order.add({ id: 3, block: blockOf(rows.slice(Math.max(0, cut - 2))) }, 0, ALL);
      const tally = order.tally();
      const without = (name: keyof ActivityFilter) =>
        rows.filter((row) => fits(row, { ...filter, [name]: undefined }));
      expect(asObject(tally.hosts)).toEqual(counts(without('hostIds'), (row) => row.hostId));
      expect(asObject(tally.models)).toEqual(counts(without('modelIds'), (row) => row.modelId));
      expect(asObject(tally.sources)).toEqual(counts(without('sources'), (row) => row.source ?? ''));
      const found = rows.filter((row) => fits(row, filter));
      expect(tally.bySource.reduce((sum, { requests }) => sum + requests, 0)).toBe(found.length);
      for (const sum of tally.bySource) {
        const own = found.filter((row) => (row.source ?? '') === sum.source);
        expect(sum).toMatchObject({
          requests: own.length,
          failed: own.filter((row) => row.status === 500).length,
          exact: own.filter((row) => row.sourceCertainty === 'exact').length,
          matched: own.filter((row) => row.sourceCertainty === 'matched').length,
          outputTokens: own.every((row) => row.inputTokens === null && row.outputTokens === null)
            ? null
            : own.reduce((all, row) => all + (row.outputTokens ?? 0), 0),
        });
      }
    }),
  );
});
