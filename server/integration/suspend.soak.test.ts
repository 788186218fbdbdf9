import { expect, test } from 'vitest';
import { suspendFor } from './suspend-check.ts';

const suspendMs = process.env['DROVER_SOAK_ROUNDS'] === undefined ? 10_000 : 60_000;

test(`a server suspended for ${suspendMs / 1000} s beside a busy host closes, opens anew and catches up`, async () => {
  expect(await suspendFor(suspendMs)).toEqual([]);
});
