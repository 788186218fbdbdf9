import { expect, test } from 'vitest';
import { intentId } from '#shared/schemas/intent.ts';
import { uuidV7 } from './uuid-v7.ts';

const NOW = 1_796_000_000_000;

test('ids are UUIDs of version 7 that carry their time', () => {
  const id = uuidV7(NOW);
  expect(intentId.safeParse(id).success).toBe(true);
  expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)).toBe(NOW);
});

test('ids rise and differ also within a millisecond, past 4,096 of them, and when the clock goes back', () => {
  const ids = Array.from({ length: 5_000 }, (_, index) => uuidV7(NOW + 1_000 - (index % 3)));
  expect(ids.toSorted()).toEqual(ids);
  expect(new Set(ids).size).toBe(ids.length);
});
