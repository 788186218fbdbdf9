import { describe, expect, it } from 'vitest';
import {
  countQuarantine,
  epochAfterRestore,
  holdMs,
  isOfLostHistory,
  offsetOf,
  shouldRotate,
  type OutboxSize,
  type Quarantines,
} from './outbox-policy.ts';

const DAY_MS = 86_400_000;
const NOW = Date.UTC(2026, 10, 30, 12);
const small: OutboxSize = { records: 0, bytes: 500, recordBytes: 0, clients: 2, since: NOW - DAY_MS };

describe('outbox policy', () => {
  it('begins another epoch when an empty outbox has grown or is a week old, and not under records that wait', () => {
    expect(shouldRotate(small, NOW)).toBe(false);
    expect(shouldRotate({ ...small, bytes: 20_000 }, NOW)).toBe(true);
    expect(shouldRotate({ ...small, clients: 100 }, NOW)).toBe(true);
    expect(shouldRotate(small, NOW + 7 * DAY_MS)).toBe(true);
    expect(shouldRotate({ ...small, bytes: 0 }, NOW + 7 * DAY_MS)).toBe(false);
    const waits = { ...small, records: 3, bytes: 40_000, recordBytes: 1_500, since: 0 };
    expect(shouldRotate(waits, NOW)).toBe(false);
    // Unless what nobody needs grows without end below them.
    expect(shouldRotate({ ...waits, bytes: 60_000 }, NOW)).toBe(true);
    expect(shouldRotate({ ...waits, bytes: 200_000, recordBytes: 180_000 }, NOW)).toBe(false);
  });

  it('after a restore an epoch lies above all that were given out in the lost history', () => {
    expect(epochAfterRestore(3, NOW)).toBe(NOW / 60_000);
    expect(epochAfterRestore(NOW / 60_000 + 5, NOW)).toBe(NOW / 60_000 + 6);
    expect(String(epochAfterRestore(1, NOW + 900 * 365 * DAY_MS)).length).toBeLessThanOrEqual(9);
  });

  it('holds back who is quarantined again and again, longer each time, and forgives after an hour of peace', () => {
    let row: Quarantines | null = null;
    const holds: number[] = [];
    for (let round = 0; round < 8; round += 1) {
      row = countQuarantine(row, NOW + round);
      holds.push(holdMs(row, NOW + round));
    }
    expect(holds).toEqual([0, 2_000, 8_000, 32_000, 128_000, 512_000, 900_000, 900_000]);
    expect(holdMs({ count: 3, lastAt: NOW }, NOW + 5_000)).toBe(3_000);
    expect(holdMs({ count: 3, lastAt: NOW }, NOW + 9_000)).toBe(0);
    expect(countQuarantine({ count: 7, lastAt: NOW }, NOW + 3_600_001)).toMatchObject({ count: 1 });
    // A clock that was set back holds nobody for ever.
    expect(holdMs({ count: 9, lastAt: NOW }, NOW - DAY_MS)).toBeLessThanOrEqual(900_000);
  });

  it('takes any clock for a clock, however wrong, and anything else for none', () => {
    expect(offsetOf(NOW - 600_000, NOW)).toBe(600_000);
    expect(offsetOf(0, NOW)).toBe(NOW);
    for (const said of [-1, Number.NaN, 0.5, 9e15, Infinity]) expect(offsetOf(said, NOW)).toBeNull();
  });

  it('knows a record of a lost history by the epoch it was made in', () => {
    expect(isOfLostHistory({ epoch: 2 }, 3)).toBe(true);
    expect(isOfLostHistory({ epoch: 3 }, 3)).toBe(false);
    for (const record of [null, 'x', {}, { epoch: '1' }]) expect(isOfLostHistory(record, 3)).toBe(false);
  });
});
