import { expect, test } from 'vitest';
import { killRounds } from '../testing/kill-rounds.ts';

const rounds = Number(process.env['DROVER_SOAK_ROUNDS'] ?? 10);

test(`kill -9 at 500 rows a second, ${rounds} rounds`, async () => {
  const left = await killRounds(rounds);
  expect(left.segments).toBeGreaterThan(0);
});
