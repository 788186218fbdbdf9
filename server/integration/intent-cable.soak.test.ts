import { expect, test } from 'vitest';
import { ERAS } from '../emulator/era.ts';
import { cutDuringIntents } from './intent-cable-rounds.ts';

const rounds = Number(process.env['DROVER_SOAK_ROUNDS'] ?? 10);

test(`cables cut ${rounds} times during intents on every era lose none and do none twice`, async () => {
  expect(await cutDuringIntents(rounds, { eras: ERAS, patient: true })).toBeGreaterThan(0.5);
});
