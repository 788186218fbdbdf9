import { expect, test } from 'vitest';
import { cutDevices, cutHosts } from './cable-rounds.ts';

test('devices whose cable is cut ten times end with what the server has', async () => {
  expect(await cutDevices(10)).toEqual([]);
}, 120_000);

test('hosts whose cable is cut ten times lose and double no row, and leave no gap', async () => {
  expect(await cutHosts(10, { eras: ['v217', 'v250', 'v262'], patient: false })).toEqual([]);
}, 300_000);
