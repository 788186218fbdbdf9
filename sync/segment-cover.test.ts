import { describe, expect, test } from 'vitest';
import { standIns } from './segment-cover.ts';

const note = (hash: string, seqs: readonly number[] | undefined, rows: number, from = 10, to = 20) => ({
  hash,
  kind: 'activity',
  rows,
  from,
  to,
  seqs,
});
const hashes = (found: readonly { readonly hash: string }[] | null) => found?.map(({ hash }) => hash).sort();

describe('G8: held segments stand in for a listed one', () => {
  const day = note('day', [1, 100], 100);
  const morning = note('morning', [1, 40], 40, 10, 15);
  const evening = note('evening', [41, 100], 60, 14, 20);

  test('when they hold its rows, each once', () => {
    expect(hashes(standIns(day, [evening, note('else', [101, 110], 10), morning]))).toEqual([
      'evening',
      'morning',
    ]);
    const quarter = note('quarter', [41, 60], 20, 14, 17);
    expect(hashes(standIns(day, [quarter, morning, evening])), 'the larger of two').toEqual([
      'evening',
      'morning',
    ]);
    expect(hashes(standIns(note('gappy', [1, 40, 50, 60], 51), [note('all', [1, 40, 50, 60], 51)]))).toEqual([
      'all',
    ]);
  });

  test.each([
    ['a part is missing', [morning]],
    ['a part is of another kind', [morning, { ...evening, kind: 'model-events' }]],
    ['a row was deleted since', [morning, note('evening', [41, 100], 61, 14, 20)]],
    ['a part reaches over the edge', [morning, note('wide', [41, 101], 60, 14, 20)]],
    ['parts overlap', [note('early', [1, 60], 60, 10, 15), evening]],
    ['the same numbers were of other times', [morning, note('evening', [41, 100], 60, 14, 19)]],
    ['numbers are unknown', [morning, note('evening', undefined, 60, 14, 20)]],
    ['numbers are nonsense', [morning, note('evening', [41, 100, 99], 60, 14, 20)]],
  ])('but not when %s', (_, held) => {
    expect(standIns(day, held)).toBe(null);
  });

  test('nor for an entry that names no numbers', () => {
    expect(standIns({ ...day, seqs: undefined }, [morning, evening])).toBe(null);
  });
});
