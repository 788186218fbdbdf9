import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ActivityRow } from '#shared/schemas/activity.ts';
import { request } from '../testing/activity.ts';
import { blockOf, blockSize, rowOf, transferableBlock } from './row-block.ts';
import { blockRowKey, rowKey } from './row-key.ts';

const text = fc.option(fc.string({ maxLength: 8 }), { nil: null });
const count = fc.option(fc.nat(), { nil: null });
const rows: fc.Arbitrary<ActivityRow> = fc.oneof(
  fc
    .record({
      id: fc.nat(),
      modelId: fc.string(),
      path: text,
      status: count,
      error: text,
      source: text,
      inputTokens: count,
      tokensPerSecond: count,
      hasCapture: fc.boolean(),
    })
    .map((fields) => request(fields)),
  fc.record({ fromId: count, toId: count, from: count, to: fc.nat() }).map((range): ActivityRow => ({
    type: 'gap',
    hostId: 'heron',
    idEpoch: 2,
    reason: 'ring_wrapped',
    endedAt: range.to,
    ...range,
  })),
);

test('rows come out of columns as they went in, requests before gaps', () => {
  fc.assert(
    fc.property(fc.array(rows, { maxLength: 20 }), (given) => {
      const { block } = transferableBlock(blockOf(given));
      const expected = [
        ...given.filter((row) => row.type === 'request'),
        ...given.filter((row) => row.type === 'gap'),
      ];
      expect(blockSize(block)).toBe(given.length);
      expect(expected.map((_, index) => rowOf(block, index))).toEqual(expected);
      expect(expected.map((_, index) => blockRowKey(block, index))).toEqual(expected.map(rowKey));
    }),
  );
});
