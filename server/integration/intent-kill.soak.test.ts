import { expect, test } from 'vitest';
import { ERAS } from '../emulator/era.ts';
import { killDuringIntents } from './intent-kill-rounds.ts';

const rounds = Number(process.env['DROVER_SOAK_ROUNDS'] ?? 10);

test(`a server killed ${rounds} times during actions on every era loses none and does none twice`, async () => {
  expect(await killDuringIntents(rounds, ERAS)).toBeGreaterThan(0.5);
});

test(`a server killed ${rounds} times loses nothing of an outbox and does none of it twice`, async () => {
  expect(await killDuringIntents(rounds, ERAS, 'outbox')).toBeGreaterThan(0.5);
});
