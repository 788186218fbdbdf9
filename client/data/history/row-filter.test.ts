import { expect, test } from 'vitest';
import type { ActivityGap } from '#shared/schemas/activity.ts';
import { request } from '../testing/activity.ts';
import type { ActivityFilter } from '../types.ts';
import { blockOf, blockSize, rowOf } from './row-block.ts';
import { rowFilter } from './row-filter.ts';

const gap: ActivityGap = {
  type: 'gap',
  hostId: 'heron',
  idEpoch: 1,
  fromId: 3,
  toId: 5,
  from: 10,
  to: 20,
  reason: 'ring_wrapped',
  endedAt: 20,
};
const rows = [
  request({ id: 1, endedAt: 10 }),
  request({ id: 2, endedAt: 20, status: 500, error: 'CUDA error: Out of memory' }),
  request({
    id: 3,
    endedAt: 30,
    hostId: 'heron',
    modelId: 'glm',
    path: '/v1/embeddings',
    source: 'open-webui',
  }),
  request({ id: 4, endedAt: 40, status: 499 }),
  request({ id: 5, endedAt: 50, status: null, path: null }),
  gap,
];

function matching(filter: ActivityFilter, window = { from: 0, to: 100 }): (number | 'gap')[] {
  const block = blockOf(rows);
  const matches = rowFilter(block, filter, window);
  return Array.from({ length: blockSize(block) }, (_, index) => index)
    .filter((index) => matches(index) === 0)
    .map((index) => {
      const row = rowOf(block, index);
      return row?.type === 'request' ? row.id : 'gap';
    });
}

test.each<[string, ActivityFilter, (number | 'gap')[]]>([
  ['nothing', {}, [1, 2, 3, 4, 5, 'gap']],
  ['hosts', { hostIds: ['marlin'] }, [1, 2, 4, 5]],
  ['models', { modelIds: ['glm'] }, [3, 'gap']],
  ['failures, 499 among them', { failuresOnly: true }, [2, 4, 'gap']],
  ['a status class; an unknown status is in none', { statusClass: '2xx' }, [1, 3, 'gap']],
  ['a path, exactly', { path: '/v1/embeddings' }, [3, 'gap']],
  ['a source', { sources: ['open-webui'] }, [3, 'gap']],
  ['text in an error, whatever its case', { q: ' cuda ERROR ' }, [2, 'gap']],
  ['text in a model and a host', { q: 'glm', hostIds: ['heron'] }, [3, 'gap']],
  ['a host that has nothing', { hostIds: ['tern'] }, []],
])('filters by %s', (_name, filter, expected) => {
  expect(matching(filter)).toEqual(expected);
});

test('the window takes its start and leaves its end', () => {
  expect(matching({}, { from: 20, to: 40 })).toEqual([2, 3, 'gap']);
});
