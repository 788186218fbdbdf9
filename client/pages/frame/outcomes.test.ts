import { describe, expect, it } from 'vitest';
import { must } from '#shared/lib/assert.ts';
import { hostOf, modelOf, runningOf } from '../../data/testing/fleet.ts';
import { intentEntry } from '../../data/testing/intent-entry.ts';
import type { IntentEntry } from '../../data/intents/types.ts';
import type { ActFacts } from '../intents/act-need.ts';
import { isInView, outcomeNotices, summedNotice } from './outcome-view.ts';
import { reviewView } from './review-view.ts';
import { sendWords } from './review-words.ts';

const NOW = new Date(2026, 10, 30, 14, 11).getTime();
const ben = { isMine: false, author: { kind: 'device', id: 'd2', label: 'Ben' } } as const;
const facts = { now: NOW, hostLabel: (hostId: string) => (hostId === 'marlin' ? 'Marlin' : null) };
const at = (path: string, search: Record<string, unknown> = {}) => ({
  path,
  search,
  fleet: [
    { host: hostOf(), models: [modelOf()], inFlight: null },
    { host: hostOf({ id: 'bluefin', label: 'Bluefin' }), models: [], inFlight: null },
  ],
});
const before = (...entries: readonly IntentEntry[]): ReadonlyMap<string, IntentEntry> =>
  new Map(entries.map((entry) => [entry.id, entry]));

describe('what is said in passing', () => {
  const running = intentEntry({ id: 'a', state: 'running' });
  const done = intentEntry({
    id: 'a',
    state: 'succeeded',
    endedAt: NOW,
    reason: 'Done. Unloaded after 1 s.',
  });

  it('is how an own action ended, once, by the host’s name', () => {
    expect(outcomeNotices(before(running), [done], facts)).toEqual([
      {
        id: 'a',
        hostId: 'marlin',
        title: 'Unload coder on Marlin',
        detail: 'Done. Unloaded after 1 s.',
        isFailure: false,
        isOnRow: false,
      },
    ]);
    expect(outcomeNotices(before(done), [done], facts)).toEqual([]);
    // It was over when the page began.
    expect(outcomeNotices(before(), [done], facts)).toEqual([]);
  });

  it('stays for what was not done, and is nothing for what one did oneself', () => {
    const ended = (change: Partial<IntentEntry>): readonly boolean[] =>
      outcomeNotices(before(running), [{ ...running, endedAt: NOW, ...change }], facts).map(
        ({ isFailure }) => isFailure,
      );
    expect(ended({ state: 'failed', reason: 'It did not start: no memory.' })).toEqual([true]);
    expect(ended({ state: 'needs_confirmation' })).toEqual([true]);
    expect(ended({ state: 'expired-here' })).toEqual([true]);
    expect(ended({ state: 'cancelled', cancelAsked: true })).toEqual([]);
    expect(ended({ state: 'cancelled', reason: 'By Ben, before it was claimed.' })).toEqual([false]);
    expect(ended({ state: 'dropped' })).toEqual([]);
  });

  it('needs no toast where the page shows it; a host’s page shows that it was done, not why it was not', () => {
    const notice = { hostId: 'marlin', isFailure: false, isOnRow: false };
    expect(isInView(notice, at('/hosts/marlin'))).toBe(true);
    expect(isInView({ ...notice, isFailure: true }, at('/hosts/marlin'))).toBe(false);
    expect(isInView({ ...notice, isFailure: true }, at('/outbox'))).toBe(true);
    expect(isInView(notice, at('/hosts/bluefin'))).toBe(false);
  });

  it('needs no toast for a start that failed where the row of its model says so', () => {
    const failed = { ...running, kind: 'model.load', state: 'failed' as const, endedAt: NOW };
    const notice = (code: string) => outcomeNotices(before(running), [{ ...failed, code }], facts)[0];
    const places = ['/', '/hosts/marlin', '/hosts/bluefin', '/activity'];
    const shown = (code: string) => places.map((path) => isInView(must(notice(code), 'a notice'), at(path)));
    expect(shown('start_failed')).toEqual([true, true, false, false]);
    expect(shown('not_loaded')).toEqual([false, false, false, false]);
  });

  it('needs one on a fleet of another time, and where filters hide the host', () => {
    const failed = { hostId: 'marlin', isFailure: true, isOnRow: true };
    const shown = (search: Record<string, unknown>) => isInView(failed, at('/', search));
    expect(shown({ q: 'cod', layout: 'table' })).toBe(true);
    expect(shown({ at: NOW })).toBe(false);
    expect(shown({ q: 'bluefin' })).toBe(false);
    expect(isInView({ ...failed, hostId: 'heron' }, at('/'))).toBe(false);
  });

  it('tells what somebody else did against it, and nothing else of others', () => {
    const mine = intentEntry({ id: 'mine', kind: 'model.load', state: 'succeeded', endedAt: NOW });
    const theirs = intentEntry({
      id: 'theirs',
      ...ben,
      state: 'succeeded',
      endedAt: NOW,
      reason: 'Done. Unloaded after 1 s. It came after ana-phone\'s "Load coder", received 20 s earlier.',
      evidence: { byIntentId: 'mine' },
    });
    const words = (entries: readonly IntentEntry[]): readonly string[] =>
      outcomeNotices(before(mine, { ...theirs, state: 'running' }), entries, facts).map(
        ({ detail }) => detail,
      );
    expect(words([theirs, mine])).toEqual([
      'Ben’s “Unload coder” was done after your “Load coder”, received 20 s later.',
    ]);
    expect(words([{ ...theirs, evidence: null }, mine])).toEqual([]);
  });

  it('sums up several at once', () => {
    const failed = intentEntry({ id: 'b', state: 'failed', endedAt: NOW });
    const notices = outcomeNotices(before(running, { ...failed, state: 'running' }), [done, failed], facts);
    expect(summedNotice(notices, [done, failed])).toEqual({
      title: '2 actions ended',
      detail: '1 done, 1 failed',
      isFailure: true,
    });
  });
});

describe('what waited too long', () => {
  const about = (change: Partial<ActFacts> = {}): ActFacts => ({
    host: hostOf(),
    models: [modelOf(), modelOf({ modelId: 'gpt', state: 'stopped' })],
    inFlight: runningOf(0),
    isLive: true,
    ...change,
  });
  const quiet = { precondition: { idleForMs: 600_000 } };
  const load = { kind: 'model.load', target: { hostId: 'marlin', modelId: 'gpt' } };
  const starting = [modelOf({ state: 'starting' }), modelOf({ modelId: 'gpt', state: 'stopped' })];

  it.each<[string, Partial<IntentEntry>, Partial<ActFacts>, string, boolean]>([
    ['an unload of what is idle', quiet, {}, 'idle', false],
    ['an unload of what is busy', quiet, { inFlight: runningOf(2) }, '2 requests run', true],
    ['an unload of what is gone', {}, { models: [modelOf({ state: 'stopped' })] }, 'stopped already', true],
    [
      'an unload that was agreed to',
      { confirm: { hostId: 'marlin', modelId: 'coder', inFlight: 2 } },
      { inFlight: runningOf(1) },
      '1 request runs',
      false,
    ],
    [
      'an unload that cuts more than was agreed to',
      { confirm: { hostId: 'marlin', modelId: 'coder', inFlight: 1 } },
      { inFlight: runningOf(2) },
      '2 requests run; you had confirmed 1',
      true,
    ],
    ['a load beside another that starts', load, { models: starting }, 'coder is starting there', true],
    ['a load beside one at rest', load, {}, 'stopped; coder is ready there', false],
    [
      'a load of what is ready',
      { ...load, target: { hostId: 'marlin', modelId: 'coder' } },
      {},
      'ready already',
      true,
    ],
    ['a host that is down', load, { host: hostOf({ liveness: 'down' }) }, 'down', true],
    [
      'one that may wait for its host',
      { ...load, whenDown: 'wait' },
      { host: hostOf({ liveness: 'down' }) },
      'still down',
      false,
    ],
    ['a host that sleeps', load, { host: hostOf({ liveness: 'asleep' }) }, 'asleep', true],
    ['a host that was removed', {}, { host: null }, 'the fleet has no such host any more', true],
    [
      'a pause of a paused host',
      { kind: 'host.pause' },
      { host: hostOf({ paused: true }) },
      'paused already',
      true,
    ],
    [
      'a request that has ended',
      { kind: 'request.cancel', params: { requestId: '19' } },
      {},
      'that request does not run any more',
      true,
    ],
  ])('%s: now %s', (_what, change, more, now, isAgainst) => {
    expect(reviewView(intentEntry(change), about(more))).toMatchObject({ now, isAgainst });
  });

  it('is not ticked while nothing is known', () => {
    expect(reviewView(intentEntry(quiet), about({ isLive: false })).isAgainst).toBe(true);
    expect(reviewView(intentEntry(quiet), about({ inFlight: null })).isAgainst).toBe(true);
  });

  it('says what the button does', () => {
    expect(sendWords(2, 1)).toBe('Send 2, drop 1');
    expect(sendWords(1, 0)).toBe('Send it');
    expect(sendWords(0, 3)).toBe('Drop all 3');
  });
});
