import { expect, test } from 'vitest';
import { killRounds } from '../testing/kill-rounds.ts';

test('kill -9 at 500 rows a second loses and doubles no acknowledged row', { timeout: 120_000 }, async () => {
  const left = await killRounds(10);
  expect(left.rows).toBeGreaterThan(500);
  expect(left.segments).toBeGreaterThan(0);
});
