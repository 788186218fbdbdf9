import { expect, test } from 'vitest';
import { killRounds } from './kill-rounds.ts';

const rounds = Number(process.env['DROVER_SOAK_ROUNDS'] ?? 10);

test(`a server killed ${rounds} times under 500 rows a second loses, doubles and invents no row`, async () => {
  const { segments } = await killRounds(rounds);
  expect(segments).toBeGreaterThan(0);
});
