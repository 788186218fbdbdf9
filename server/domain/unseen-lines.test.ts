import { expect, it } from 'vitest';
import { unseenLines } from './unseen-lines.ts';

const start = ['load', 'out of memory'];

it.each([
  ['what was added', ['a', ...start], ['a', ...start, ...start], start],
  ['what was added while the beginning was lost', ['a', 'b', 'c'], ['c', 'd', 'e'], ['d', 'e']],
  ['nothing where nothing was added', start, start, []],
  ['all of a log that began anew', ['a', 'b'], ['c', 'd'], ['c', 'd']],
  ['all where nothing was read before', [], start, start],
  ['all where the log became shorter and another', ['a', 'b', 'c'], ['a'], ['a']],
])('gives %s', (_what, before, lines, expected) => {
  expect(unseenLines(before, lines)).toEqual(expected);
});
