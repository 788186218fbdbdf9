import { expect, test } from 'vitest';
import { cutDuringIntents } from './intent-cable-rounds.ts';

test('cables cut ten times during a stream of intents lose none and do none twice', async () => {
  expect(await cutDuringIntents(10, { eras: ['v217', 'v250'], patient: false })).toBeGreaterThan(0.5);
}, 300_000);
