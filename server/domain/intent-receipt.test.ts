import { describe, expect, it } from 'vitest';
import { validityOf } from './intent-receipt.ts';

const NOW = 1_796_000_000_000;
const TEN_MIN = 600_000;

describe('how long a record is worth something', () => {
  it('counts from the moment of making on the collector’s clock, whatever the device’s clock says', () => {
    for (const clockOffsetMs of [TEN_MIN, 0, -TEN_MIN]) {
      // Made two minutes ago.
      const createdAt = NOW - 120_000 - clockOffsetMs;
      expect(validityOf({ receivedAt: NOW, createdAt, clockOffsetMs }, 300_000)).toEqual({
        kind: 'valid',
        createdAt: NOW - 120_000,
        expiresAt: NOW + 180_000,
      });
      expect(validityOf({ receivedAt: NOW, createdAt, clockOffsetMs }, 120_000).kind).toBe('expired');
    }
  });

  it('takes a little future for clocks that differ, and refuses more', () => {
    const made = (aheadMs: number) =>
      validityOf({ receivedAt: NOW, createdAt: NOW + aheadMs, clockOffsetMs: null }, 1_000);
    expect(made(60_000)).toMatchObject({ kind: 'valid', createdAt: NOW });
    expect(made(60_001).kind).toBe('impossible');
  });
});
