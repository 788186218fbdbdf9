import { expect, test } from 'vitest';
import { killDuringIntents } from './intent-kill-rounds.ts';

test('a server killed at any moment of an action loses no intent and does none twice', async () => {
  expect(await killDuringIntents(10, ['v217', 'v250'])).toBeGreaterThan(0.5);
}, 180_000);

test('a server killed at any moment loses nothing of an outbox and does none of it twice', async () => {
  expect(await killDuringIntents(10, ['v217', 'v250'], 'outbox')).toBeGreaterThan(0.5);
}, 180_000);
