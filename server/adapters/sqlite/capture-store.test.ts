import { expect, it } from 'vitest';
import type { CaptureContent } from '#shared/schemas/capture.ts';
import { MAX_LATER_ROWS } from '../../domain/captures/capture-ports.ts';
import { StoreError } from '../../domain/store-error.ts';
import { requestRow, requestRows } from '../../testing/activity-rows.ts';
import { temporaryStore } from '../../testing/temporary-store.ts';

const NOW = Date.UTC(2026, 10, 30, 12);
const MINUTE = 60_000;
const key = (id: number, idEpoch = 0) => ({ hostId: 'box', idEpoch, id });
const nothing = { headers: null, body: { kind: 'none' } } as const;

const content = (chars: number): CaptureContent => ({
  redactions: 2,
  request: {
    headers: null,
    body: { kind: 'text', text: 'x'.repeat(chars), sizeBytes: chars, omittedBytes: 0, brokenAt: null },
  },
  response: nothing,
  answer: null,
});

it('gives back what was kept, and nothing for what was not', () => {
  const { captures } = temporaryStore();
  expect(captures.open(key(1), NOW)).toBeNull();
  captures.put(key(1), { fetchedAt: NOW, content: content(10) }, 1_000_000);
  expect(captures.open(key(1), NOW)).toEqual({ fetchedAt: NOW, content: content(10) });
  expect(captures.open(key(1, 1), NOW)).toBeNull();
  expect(captures.open({ ...key(1), hostId: 'other' }, NOW)).toBeNull();
});

it('gives up those opened longest ago, until the rest fits', () => {
  const { captures } = temporaryStore();
  const bytes = JSON.stringify(content(1000)).length;
  for (const id of [1, 2, 3])
    captures.put(key(id), { fetchedAt: NOW + id, content: content(1000) }, 3 * bytes);
  expect(captures.totals()).toEqual({ count: 3, bytes: 3 * bytes });
  captures.open(key(1), NOW + 1 + MINUTE);
  captures.put(key(4), { fetchedAt: NOW + 2 * MINUTE, content: content(1000) }, 3 * bytes);
  const held = [1, 2, 3, 4].filter((id) => captures.open(key(id), NOW + 2 * MINUTE) !== null);
  expect(held).toEqual([1, 3, 4]);
  captures.put(key(5), { fetchedAt: NOW + 3 * MINUTE, content: content(1) }, 10);
  expect(captures.totals().count).toBe(0);
});

it('is read also where it cannot be written down that it was', () => {
  const { captures, connection } = temporaryStore();
  captures.put(key(1), { fetchedAt: NOW, content: content(10) }, 1_000_000);
  connection.pragma('query_only = ON');
  expect(() => captures.put(key(2), { fetchedAt: NOW, content: content(10) }, 1_000_000)).toThrow(StoreError);
  expect(captures.open(key(1), NOW + MINUTE)).toEqual({ fetchedAt: NOW, content: content(10) });
  connection.pragma('query_only = OFF');
  expect(connection.statement('SELECT opened_at FROM capture').all()).toEqual([{ opened_at: NOW }]);
});

it('an older shape is as if it were not there', () => {
  const { captures, connection } = temporaryStore();
  captures.put(key(1), { fetchedAt: NOW, content: content(1) }, 1_000_000);
  connection.statement('UPDATE capture SET value = \'{"v":0}\'').run();
  expect(captures.open(key(1), NOW)).toBeNull();
});

it('goes with its row and with its host', () => {
  const { captures, activity } = temporaryStore();
  activity.insert([requestRow(key(1))], NOW);
  for (const id of [1, 2]) captures.put(key(id), { fetchedAt: NOW, content: content(1) }, 1_000_000);
  captures.dropOrphans();
  expect(captures.totals().count).toBe(1);
  captures.deleteHost('box');
  expect(captures.totals().count).toBe(0);
});

it('counts later requests up to a limit', () => {
  const { captures, activity } = temporaryStore();
  activity.insert(requestRows(MAX_LATER_ROWS + 50, { hostId: 'box' }), NOW);
  expect(captures.context(key(2))?.laterRows).toBe(MAX_LATER_ROWS);
  expect(captures.context(key(MAX_LATER_ROWS + 40))?.laterRows).toBe(10);
});

it('says what is known of a request and its host', () => {
  const { captures, activity } = temporaryStore();
  expect(captures.context(key(1))).toBeNull();
  expect(captures.row(key(1))).toBeNull();
  activity.insert(
    [
      ...requestRows(60, { hostId: 'box', hasCapture: true }),
      ...requestRows(5, { hostId: 'box', firstId: 61, status: 500 }),
    ],
    NOW,
  );
  expect(captures.context(key(2))).toMatchObject({
    row: requestRow({ id: 2, hasCapture: true, endedAt: expect.any(Number) }),
    isCurrentEpoch: true,
    laterRows: 63,
    recentRows: 50,
    recentCaptures: 50,
  });
  expect(captures.row(key(2))).toEqual(captures.context(key(2))?.row);
  activity.insert(requestRows(6, { hostId: 'box', idEpoch: 1 }), NOW);
  expect(captures.context(key(2))).toMatchObject({ isCurrentEpoch: false, recentRows: 6, recentCaptures: 0 });
});
