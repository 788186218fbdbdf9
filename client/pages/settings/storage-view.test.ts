import { describe, expect, test } from 'vitest';
import { NO_WISHES } from '../../data/storage-wishes.ts';
import type { StoredDay, StoredPart } from '../../data/types.ts';
import { backWords, barParts, dayView, megabyteWords, parseBudget } from './storage-view.ts';

const NOW = new Date('2026-11-30T14:00:00').getTime();

function day(name: string, held: StoredPart['held'], bytes = 1_000_000): StoredDay {
  const heldBytes = held === 'none' || held === 'nothing' ? 0 : bytes;
  return {
    day: name,
    bytes,
    heldBytes,
    parts: [
      { kind: 'activity', held, bytes, heldBytes },
      { kind: 'perf-5m', held: 'nothing', bytes: 0, heldBytes: 0 },
      { kind: 'model-events', held: 'nothing', bytes: 0, heldBytes: 0 },
    ],
  };
}

const TODAY = day('2026-11-30', 'all');
const FACTS = { stored: [TODAY], wishes: NO_WISHES, isLive: true, today: '2026-11-30' };

describe('a day offers', () => {
  test('nothing to fetch when all that there is of it is here, and today is never taken off', () => {
    expect(dayView(TODAY, FACTS)).toEqual({
      isPinned: false,
      isWanted: false,
      pinBlock: null,
      fetch: null,
      canRemove: false,
    });
    expect(dayView(day('2026-11-28', 'all'), FACTS).canRemove).toBe(true);
  });

  test('to be fetched now, when the collector is back, or says that it waits', () => {
    const old = day('2026-10-24', 'none');
    expect(dayView(old, FACTS)).toMatchObject({ fetch: 'now', canRemove: false });
    expect(dayView(old, { ...FACTS, isLive: false }).fetch).toBe('when back');
    const wishes = { ...NO_WISHES, wantedDays: [old.day] };
    expect(dayView(old, { ...FACTS, wishes, isLive: false })).toMatchObject({
      fetch: 'waits',
      isWanted: true,
    });
    expect(dayView(day('2026-10-24', 'part'), FACTS).fetch).toBe('now');
  });

  test('a pin only as long as pinned days fit the budget, and no removal of a pinned day', () => {
    const big = day('2026-11-27', 'all', 40_000_000);
    const other = day('2026-11-26', 'all', 20_000_000);
    const stored = [TODAY, big, other];
    const wishes = { ...NO_WISHES, pinnedDays: [big.day] };
    expect(dayView(big, { ...FACTS, stored, wishes })).toMatchObject({
      isPinned: true,
      pinBlock: null,
      canRemove: false,
    });
    expect(dayView(other, { ...FACTS, stored, wishes }).pinBlock).toBe(
      'Pinned days would take 60.0 MB of 50.0 MB: raise the budget first.',
    );
  });
});

test('the bar is shared by kind, of the budget or of what is held where that is more', () => {
  const held = { activity: 10, 'perf-5m': 5, 'model-events': 0 };
  expect(barParts(held, 20).map(({ share }) => share)).toEqual([0.5, 0.25, 0]);
  expect(barParts(held, 10).map(({ share }) => share)).toEqual([10 / 15, 5 / 15, 0]);
});

test('how far back this device goes', () => {
  expect(backWords([TODAY, day('2026-11-29', 'part'), day('2026-11-28', 'none')], NOW)).toBe(
    '2 days, back to 29 Nov',
  );
  expect(backWords([day('2026-11-28', 'none')], NOW)).toBeNull();
});

test.each([
  ['75', 75_000_000],
  [' 12.5 MB ', 12_500_000],
])('a budget of %j is %i bytes', (text, bytes) => {
  expect(parseBudget(text)).toEqual({ bytes });
});

test.each(['', 'a lot', '0', '-3', '1e9'])('a budget of %j is refused with the reason', (text) => {
  expect(parseBudget(text)).toMatchObject({ problem: expect.stringMatching(/\d/) });
});

test('little is never said to be nothing', () => {
  expect([0, 19_000, 60_000, 18_400_000].map((bytes) => megabyteWords(bytes))).toEqual([
    '0',
    '<0.1',
    '0.1',
    '18.4',
  ]);
});
