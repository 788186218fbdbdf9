import { expect, test } from 'vitest';
import { killRounds } from './kill-rounds.ts';

test('a server killed ten times under 500 rows a second loses, doubles and invents no row', async () => {
  const { rows, segments } = await killRounds(10);
  expect(rows).toBeGreaterThan(2_000);
  expect(segments).toBeGreaterThan(0);
}, 300_000);
