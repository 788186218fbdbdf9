import { expect, test } from 'vitest';
import { INTENT_KINDS, INTENT_STATES } from '#shared/schemas/intent.ts';
import type { IntentState } from '#shared/schemas/intent.ts';
import type { IntentRecord } from '#shared/schemas/intent-request.ts';
import { intentViewOf } from '../testing/intents.ts';
import { blankRow, makeRecord, rowOf } from './make-record.ts';
import type { QueueRow } from './queue-row.ts';
import { advance, expiryOf, gateOf, isForReview, isReady, isWaiting, prunable } from './row-rules.ts';

const NOW = 1_796_000_000_000;
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

const record: IntentRecord = {
  v: 1,
  id: '0199c3a4-7d10-7c55-9b1e-52f0a1c0de77',
  kind: 'model.load',
  target: { hostId: 'marlin', modelId: 'coder' },
  params: {},
  whenDown: 'reject',
  createdAt: NOW,
  seenAt: null,
  epoch: 3,
};
const row: QueueRow = rowOf(record, 'd1', 'ana-phone');
const facts = { now: NOW, label: 'ana-phone', view: undefined, before: undefined };
const seen = (state: IntentState): QueueRow => ({
  ...row,
  offered: true,
  state: 'sent',
  view: { ...intentViewOf(record.id, NOW), state },
});

test('every kind has a life on this device, and a record may say another', () => {
  for (const kind of INTENT_KINDS) expect(expiryOf({ createdAt: NOW, kind })).toBeGreaterThan(NOW);
  expect(expiryOf({ ...record, ttlMs: 1_000 })).toBe(NOW + 1_000);
});

test('five minutes divide what goes by itself from what is looked at first', () => {
  const long = { ...row, record: { ...record, ttlMs: DAY_MS } };
  expect(isReady(long, NOW + 5 * MINUTE_MS - 1)).toBe(true);
  expect(isForReview(long, NOW + 5 * MINUTE_MS)).toBe(true);
  expect(isReady(long, NOW + 5 * MINUTE_MS)).toBe(false);
  expect(isReady({ ...long, approved: true }, NOW + 5 * MINUTE_MS)).toBe(true);
  expect(isReady({ ...long, held: true }, NOW)).toBe(false);
  // What may have left already needs no second look: only the collector can stop it now.
  expect(isForReview({ ...long, offered: true }, NOW + DAY_MS / 2)).toBe(false);
});

test('what never left is void at its expiry; what may have left is for the collector to judge', () => {
  const later = { ...facts, now: NOW + 5 * MINUTE_MS };
  expect(isWaiting(row, later.now)).toBe(false);
  expect(advance(row, later)).toMatchObject({
    state: 'expired-here',
    steps: [{}, { state: 'expired-here' }],
  });
  const offered = { ...row, offered: true };
  expect(advance(offered, later)).toBe(offered);
  const dropped: QueueRow = { ...row, state: 'dropped' };
  expect(advance(dropped, later)).toBe(dropped);
});

test('a replacement goes only where the first is known not to happen', () => {
  const gates = {
    received: 'wait',
    waiting: 'wait',
    claimed: 'drop',
    running: 'drop',
    succeeded: 'drop',
    failed: 'drop',
    unknown: 'drop',
    rejected: 'go',
    expired: 'go',
    cancelled: 'go',
    superseded: 'drop',
    needs_confirmation: 'drop',
  } as const satisfies Record<IntentState, ReturnType<typeof gateOf>>;
  for (const state of INTENT_STATES) expect([state, gateOf(seen(state))]).toEqual([state, gates[state]]);
  expect(gateOf({ ...row, state: 'dropped' })).toBe('go');
  expect(gateOf({ ...row, state: 'sent' })).toBe('wait');
  // A wish to cancel what this device did not make says nothing before the ledger does.
  expect(gateOf(blankRow(record.id, 'd1', NOW))).toBe('wait');
  expect(gateOf(undefined)).toBe('drop');
});

test('an end is final: a ledger of an earlier history does not open it again', () => {
  const ended = seen('succeeded');
  expect(advance(ended, { ...facts, view: intentViewOf(record.id, NOW) })).toBe(ended);
});

test('a note on an end that is not known is kept with it', () => {
  const lost = seen('unknown');
  const note = { text: 'It was loaded.', at: NOW + 1, by: 'ben' };
  const noted = { ...intentViewOf(record.id, NOW), state: 'unknown' as const, note };
  const next = advance(lost, { ...facts, view: noted });
  expect(next.view?.note).toEqual(note);
  expect(advance(next, { ...facts, view: noted })).toBe(next);
});

test('what ended is kept for a week, and no more of it than anybody reads; what is open stays', () => {
  const ended = Array.from({ length: 210 }, (_, index): QueueRow => ({
    ...row,
    id: `e${index}`,
    state: 'dropped',
    madeAt: NOW - index,
  }));
  const old: QueueRow = { ...row, id: 'old', state: 'expired-here', madeAt: NOW - 8 * DAY_MS };
  const open: QueueRow = { ...row, id: 'open', madeAt: NOW - 30 * DAY_MS };
  expect(prunable([old, open], NOW)).toEqual(['old']);
  expect(prunable([...ended, open], NOW)).toHaveLength(10);
});

test('a record carries the epoch of its outbox, and ids rise', () => {
  const place = { outboxName: 'outbox:d1@e7', now: NOW, rows: [] };
  const fields = { kind: 'host.resume', target: { hostId: 'marlin' }, params: {}, seenAt: null };
  const made = [1, 2, 3].map(() => makeRecord(fields, place));
  const ids = made.map((answer) => (answer.ok ? answer.value.id : ''));
  expect(made[0]).toMatchObject({ ok: true, value: { epoch: 7, v: 1, createdAt: NOW, whenDown: 'reject' } });
  expect([...ids].sort()).toEqual(ids);
  expect(new Set(ids).size).toBe(3);
});
