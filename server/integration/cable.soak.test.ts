import { expect, test } from 'vitest';
import { ERAS } from '../emulator/era.ts';
import { cutDevices, cutHosts } from './cable-rounds.ts';

const rounds = Number(process.env['DROVER_SOAK_ROUNDS'] ?? 10);

test(`devices whose cable is cut ${rounds} times end with what the server has`, async () => {
  expect(await cutDevices(rounds)).toEqual([]);
});

test(`hosts whose cable is cut ${rounds} times lose and double no row, and leave no gap`, async () => {
  expect(await cutHosts(rounds, { eras: ERAS, patient: true })).toEqual([]);
});
