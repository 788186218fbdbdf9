import { beforeEach, expect, test, vi } from 'vitest';
import { connectionCell } from '../connection-state.ts';
import { setServerOffset } from '../server-clock.ts';
import type { ConnectionFacts } from './connection-view.ts';
import { NO_SOCKET } from './connection-view.ts';
import type { CopyFacts } from './publish-connection.ts';
import { publishConnection } from './publish-connection.ts';

const NOW = 1_700_000_000_000;
const LAST_IN_STEP = NOW - 19 * 60_000;
const refused: ConnectionFacts = {
  now: NOW,
  startedAt: NOW - 400,
  verdict: null,
  browserOnline: true,
  wasLive: false,
  lostAt: NOW - 400,
  fleet: { ...NO_SOCKET, closeCode: 1006 },
  tail: NO_SOCKET,
};
const copy: CopyFacts = {
  inStepAt: LAST_IN_STEP,
  lastSyncAt: LAST_IN_STEP - 5000,
  storageError: null,
  refusal: null,
  isIncomplete: false,
};
const synced = { phase: 'synced', since: NOW, lastMessageAt: NOW, closeCode: null } as const;
const live: ConnectionFacts = { ...refused, wasLive: true, lostAt: null, fleet: synced, tail: synced };

beforeEach(() => {
  vi.useFakeTimers({ now: NOW });
  setServerOffset(0);
  publishConnection(live, { ...copy, inStepAt: NOW });
});

test('a page that opens without the collector is offline since its copy was last in step', () => {
  publishConnection(refused, copy);
  expect(connectionCell.get()).toMatchObject({
    kind: 'offline',
    since: LAST_IN_STEP,
    dataAsOf: LAST_IN_STEP,
    lastSyncAt: copy.lastSyncAt,
  });
});

test('without a copy it is offline since now, and nothing is said of an age', () => {
  publishConnection(refused, { ...copy, inStepAt: null, lastSyncAt: null });
  expect(connectionCell.get()).toMatchObject({ kind: 'offline', since: NOW, dataAsOf: null });
});

test('while live, components wake only when the copy is ten seconds newer', () => {
  const wake = vi.fn();
  const stop = connectionCell.subscribe(wake);
  publishConnection(live, { ...copy, inStepAt: NOW + 9_000 });
  expect(wake).not.toHaveBeenCalled();
  publishConnection(live, { ...copy, inStepAt: NOW + 11_000 });
  expect(wake).toHaveBeenCalledOnce();
  expect(connectionCell.get().dataAsOf).toBe(NOW + 11_000);
  stop();
});

test('a refusal and a missing piece are said in words', () => {
  publishConnection(live, { ...copy, inStepAt: NOW, refusal: 'Not for viewers.' });
  expect(connectionCell.get().unsyncedReason).toBe('Not for viewers.');
  publishConnection(live, { ...copy, inStepAt: NOW, isIncomplete: true });
  expect(connectionCell.get().unsyncedReason).toContain('missing');
});
