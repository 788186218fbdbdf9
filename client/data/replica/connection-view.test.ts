import { expect, test } from 'vitest';
import type { ConnectionKind } from '../types.ts';
import { connectionKind, isStuck, NO_SOCKET, unsyncedReason } from './connection-view.ts';
import type { ConnectionFacts, SocketState } from './connection-view.ts';

const NOW = 1_000_000;
const synced: SocketState = {
  phase: 'synced',
  since: NOW - 60_000,
  lastMessageAt: NOW - 1_000,
  closeCode: null,
};
const closed: SocketState = {
  phase: 'closed',
  since: NOW - 3_000,
  lastMessageAt: NOW - 3_000,
  closeCode: 1006,
};
const base: ConnectionFacts = {
  now: NOW,
  startedAt: NOW - 60_000,
  verdict: null,
  browserOnline: true,
  wasLive: true,
  lostAt: null,
  fleet: synced,
  tail: synced,
};

test.each<[ConnectionKind, string, Partial<ConnectionFacts>]>([
  ['live', 'both documents are in step', {}],
  [
    'live',
    'the browser thinks it is offline, but the collector is heard (loopback)',
    { browserOnline: false },
  ],
  [
    'collector-silent',
    'nothing came for 25 s',
    { fleet: { ...synced, lastMessageAt: NOW - 26_000 }, tail: { ...synced, lastMessageAt: NOW - 26_000 } },
  ],
  ['reconnecting', 'one socket closed just now', { fleet: closed, lostAt: NOW - 3_000 }],
  ['offline', 'attempts fail for 30 s', { fleet: closed, lostAt: NOW - 31_000 }],
  ['offline', 'the browser has no network', { fleet: closed, browserOnline: false, lostAt: NOW }],
  [
    'connecting',
    'the app just started',
    { wasLive: false, startedAt: NOW - 100, fleet: NO_SOCKET, tail: NO_SOCKET, lostAt: NOW - 100 },
  ],
  [
    'offline',
    'a page was just opened without a network',
    {
      wasLive: false,
      browserOnline: false,
      startedAt: NOW - 10,
      lostAt: NOW - 10,
      fleet: NO_SOCKET,
      tail: NO_SOCKET,
    },
  ],
  [
    'offline',
    'the first attempt was refused, also while the next one is under way',
    {
      wasLive: false,
      startedAt: NOW - 400,
      lostAt: NOW - 400,
      fleet: { ...closed, phase: 'connecting' },
      tail: NO_SOCKET,
    },
  ],
  [
    'offline',
    'nothing answers the first attempt for 3 s',
    {
      wasLive: false,
      startedAt: NOW - 3_100,
      lostAt: NOW - 3_100,
      fleet: { ...NO_SOCKET, phase: 'connecting' },
      tail: NO_SOCKET,
    },
  ],
  [
    'connecting',
    'a socket opened after refusals and the copy is on its way',
    {
      wasLive: false,
      startedAt: NOW - 9_000,
      lostAt: NOW - 9_000,
      fleet: { ...closed, phase: 'open' },
      tail: { ...closed, phase: 'connecting' },
    },
  ],
  ['restarting', 'the collector said so', { fleet: { ...closed, closeCode: 4503 }, lostAt: NOW - 3_000 }],
  ['sign-in', 'the session ended, whatever the sockets do', { verdict: 'sign-in' }],
  ['removed', 'the device was revoked', { verdict: 'removed' }],
  ['app-too-old', 'the protocol is newer', { verdict: 'app-too-old' }],
  ['refetching', 'the generation changed', { verdict: 'refetching', fleet: NO_SOCKET }],
])('%s when %s', (kind, _why, facts) => {
  expect(connectionKind({ ...base, ...facts })).toBe(kind);
});

test('a socket that stands without a copy is explained after a moment', () => {
  const open: SocketState = { ...synced, phase: 'open', since: NOW - 6_000 };
  expect(unsyncedReason(base, false)).toBeNull();
  expect(unsyncedReason({ ...base, tail: open }, false)).toContain('not sent its copy');
  expect(unsyncedReason({ ...base, tail: { ...open, since: NOW - 1_000 } }, false)).toBeNull();
  expect(unsyncedReason(base, true)).toContain('missing');
});

test('sockets are tried anew when they hang, when the copy keeps a hole, or when a refusal may have passed', () => {
  const fine = { isRefused: false, isIncomplete: false };
  const hangs: SocketState = { ...synced, phase: 'connecting', since: NOW - 11_000 };
  expect(isStuck(base, fine)).toBe(false);
  expect(isStuck({ ...base, tail: hangs }, fine)).toBe(true);
  expect(isStuck({ ...base, tail: hangs, verdict: 'sign-in' }, fine)).toBe(false);
  const settled = {
    ...base,
    fleet: { ...synced, since: NOW - 11_000 },
    tail: { ...synced, since: NOW - 31_000 },
  };
  expect(isStuck(settled, { ...fine, isIncomplete: true })).toBe(true);
  expect(isStuck(settled, { ...fine, isRefused: true })).toBe(false);
  const old = { ...synced, since: NOW - 31_000 };
  expect(isStuck({ ...base, fleet: old, tail: old }, { ...fine, isRefused: true })).toBe(true);
});
