import { NO_TALLY } from '../../data/history/no-tally.ts';
import { expect, test } from 'vitest';
import type { ActivityRow } from '#shared/schemas/activity.ts';
import { lastUses } from '../../data/last-uses.ts';
import { request } from '../../data/testing/activity.ts';
import type { ActivityFeed } from '../../data/types.ts';
import type { TtlFacts } from './ttl-view.ts';
import { ttlView } from './ttl-view.ts';

const NOW = 1_780_000_000_000;
const MINUTE = 60_000;
const TTL = 10 * MINUTE;

/** A feed of rows, newest first; a row stays the same object from feed to feed. */
function feedOf(rows: readonly ActivityRow[], from: number | null = NOW - 60 * MINUTE): ActivityFeed {
  return {
    state: 'ready',
    count: rows.length,
    rowAt: (index) => rows[index],
    counts: { failed: 0, gaps: 0, total: rows.length },
    tally: NO_TALLY,
    version: 1,
    from,
    missing: { days: [] },
  };
}

let nextId = 1;
const ended = (agoMs: number, modelId = 'coder'): ActivityRow => {
  nextId += 1;
  return request({ id: nextId, modelId, endedAt: NOW - agoMs });
};

function view(feed: ActivityFeed, change: Partial<TtlFacts> = {}) {
  const facts = {
    hostId: 'marlin',
    names: ['coder', 'gpt'],
    since: NOW - 30 * MINUTE,
    ttlMs: TTL,
    isIdle: true,
  };
  return ttlView({ ...facts, ...change }, lastUses(feed), NOW);
}

test('an idle model stays for its TTL after the last request that was recorded, under any of its names', () => {
  const old = ended(8 * MINUTE);
  expect(view(feedOf([ended(4 * MINUTE, 'chat'), old]))).toEqual({
    kind: 'left',
    leftMs: 2 * MINUTE,
    ttlMs: TTL,
  });
  expect(view(feedOf([ended(3 * MINUTE, 'gpt'), old]))).toEqual({
    kind: 'left',
    leftMs: 7 * MINUTE,
    ttlMs: TTL,
  });
  // Loaded and not used yet.
  expect(view(feedOf([ended(20 * MINUTE, 'chat')]), { since: NOW - MINUTE })).toMatchObject({
    leftMs: 9 * MINUTE,
  });
});

test.each<[string, ActivityFeed, Partial<TtlFacts>]>([
  ['something may run on it', feedOf([ended(MINUTE)]), { isIdle: false }],
  ['it should be over: a request was not recorded', feedOf([ended(11 * MINUTE)]), {}],
  ['a later request may be missing', feedOf([ended(20 * MINUTE, 'chat')], NOW - 20 * MINUTE), {}],
  [
    'a gap stands after the last one',
    feedOf([
      {
        type: 'gap',
        hostId: 'marlin',
        idEpoch: 1,
        fromId: 1,
        toId: 2,
        from: null,
        to: NOW - MINUTE,
        reason: 'ring_wrapped',
        endedAt: NOW - MINUTE,
      },
      ended(4 * MINUTE),
    ]),
    {},
  ],
  ['nothing of it was ever seen', feedOf([], null), { since: null }],
])('is not counted down when %s', (_why, feed, change) => {
  expect(view(feed, change)).toEqual({ kind: 'configured', ttlMs: TTL });
});

test('0 is no TTL', () => {
  expect(view(feedOf([ended(MINUTE)]), { ttlMs: 0 })).toEqual({ kind: 'never' });
});

test('rows that come later are counted, also those that belong between others', () => {
  const first = [ended(9 * MINUTE), ended(9 * MINUTE + 1, 'chat')];
  expect(view(feedOf(first))).toMatchObject({ leftMs: MINUTE });
  const grown = [ended(5 * MINUTE, 'chat'), ...first];
  expect(view(feedOf(grown))).toMatchObject({ leftMs: MINUTE });
  // A host was away: its rows come in below newer ones of others.
  const late = [...grown.slice(0, 1), ended(6 * MINUTE), ...grown.slice(1)];
  expect(view(feedOf(late))).toMatchObject({ leftMs: 4 * MINUTE });
  expect(view(feedOf([ended(MINUTE), ...late]))).toMatchObject({ leftMs: 9 * MINUTE });
});
