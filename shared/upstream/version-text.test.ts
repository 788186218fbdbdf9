import { expect, test } from 'vitest';
import { displayVersion } from './version-text.ts';

test.each([
  ['250', 'v250'],
  ['v250', 'v250'],
  ['v250-3-gabc123', 'v250-3-gabc123'],
  ['local_1a2b3c', 'local_1a2b3c'],
  ['devel', 'devel'],
  ['main', 'main'],
  ['0', '0'],
])('%s is shown as %s', (text, shown) => {
  expect(displayVersion(text)).toBe(shown);
});
