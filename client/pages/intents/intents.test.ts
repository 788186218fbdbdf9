import { describe, expect, it } from 'vitest';
import type { IntentEntry } from '../../data/intents/types.ts';
import { intentEntry } from '../../data/testing/intent-entry.ts';
import { briefOutcome, contradictionWords, intentOutcome, outcomeSentence } from './intent-outcome.ts';
import { intentLook, intentPlace } from './intent-state.ts';
import {
  expiryView,
  intentCondition,
  intentTitle,
  intentTitleOn,
  tookWords,
  usualMs,
} from './intent-words.ts';

const NOW = new Date(2026, 10, 30, 14, 11, 0).getTime();
const at = (hour: number, minute: number, second = 0): number =>
  new Date(2026, 10, 30, hour, minute, second).getTime();

const entry = intentEntry;
const says = (change: Partial<IntentEntry>, more: Partial<Parameters<typeof intentOutcome>[1]> = {}) => {
  const { word, text } = intentOutcome(entry(change), { now: NOW, ...more });
  return `${word} ${text}`.trim();
};

describe('what an action is called', () => {
  it.each([
    [{ kind: 'model.load' }, 'Load coder'],
    [{ kind: 'model.unload' }, 'Unload coder'],
    [{ kind: 'model.unload', target: { hostId: 'marlin' }, params: { all: true } }, 'Unload all models'],
    [{ kind: 'request.cancel', params: { requestId: '19' } }, 'Cancel request 19 of coder'],
    [
      { kind: 'request.cancel', target: { hostId: 'marlin' }, params: { requestId: '19' } },
      'Cancel request 19',
    ],
    [{ kind: 'profile.activate', params: { name: 'day' } }, 'Activate profile day'],
    [{ kind: 'profile.activate', params: { name: null } }, 'Activate no profile'],
    [{ kind: 'bench.run' }, 'bench.run'],
  ])('%j is %s', (change, title) => {
    expect(intentTitle(entry(change))).toBe(title);
  });

  it('names the host where it stands away from it', () => {
    expect(intentTitleOn(entry(), 'bluefin')).toBe('Unload coder on bluefin');
    expect(intentTitleOn(entry({ kind: 'host.pause' }), 'bluefin')).toBe('Pause monitoring of bluefin');
  });

  it.each([
    [{ precondition: { idleForMs: 600_000 } }, 'only if idle 10 min'],
    [{ precondition: { inFlightMax: 0 } }, 'only if idle'],
    [{ precondition: { inFlightMax: 1 } }, 'only if at most 1 request runs'],
    [{ precondition: { modelState: ['ready', 'starting'] } }, 'only if ready or starting'],
    [{ whenDown: 'wait' as const }, 'when it is back'],
    [
      { precondition: { idleForMs: 600_000 }, whenDown: 'wait' as const },
      'only if idle 10 min, when it is back',
    ],
    [{ params: { untilMs: at(15, 0) } }, 'until 15:00'],
    [{}, ''],
  ])('%j holds %s', (change, words) => {
    expect(intentCondition(entry(change), NOW)).toBe(words);
  });
});

describe('how long it counts', () => {
  it('is counted down near its end, with a warning in the last 3 min, and is a time before', () => {
    expect(expiryView(entry({ expiresAt: at(14, 13, 40) }), NOW)).toMatchObject({
      words: '2:40 left',
      isSoon: true,
    });
    expect(expiryView(entry({ expiresAt: at(14, 16) }), NOW)).toMatchObject({
      words: '5:00 left',
      isSoon: false,
    });
    expect(expiryView(entry({ expiresAt: at(22, 0) }), NOW).words).toBe('void 22:00');
    expect(expiryView(entry({ expiresAt: at(14, 0) }), NOW).leftMs).toBe(0);
  });

  it('says how long it took, and how long the same takes', () => {
    const done = (seconds: number): IntentEntry =>
      entry({
        state: 'succeeded',
        endedAt: at(13, 33, seconds),
        steps: [{ state: 'running', at: at(13, 33), by: 'collector' }],
      });
    expect(tookWords(done(4))).toBe('took 4 s');
    expect(usualMs(entry(), [done(4), done(22), done(30)])).toBe(22_000);
    expect(usualMs(entry({ kind: 'model.load' }), [done(4)])).toBe(null);
  });
});

describe('what became of it', () => {
  it.each<[Partial<IntentEntry>, string]>([
    [{ state: 'queued' }, 'queued here 14:05, 6 min ago'],
    [
      { state: 'expired-here', endedAt: at(14, 10) },
      'Expired 14:10, 5 min after you asked. Nothing was done',
    ],
    [
      { state: 'waiting', reason: 'Until kestrel is back. kestrel was down: connection refused.' },
      'Waiting until kestrel is back',
    ],
    [{ state: 'waiting', reason: 'Behind Load coder (Ben).' }, 'Waiting behind Load coder (Ben)'],
    [
      { state: 'running', steps: [{ state: 'running', at: at(14, 10, 46), by: 'collector' }] },
      'Running 0:14',
    ],
    [{ state: 'succeeded', reason: 'Done. Ready after 4 s.' }, 'Done. Ready after 4 s'],
    [
      { state: 'failed', reason: 'It did not start: CUDA error: out of memory.' },
      'Failed. It did not start: CUDA error: out of memory',
    ],
    [
      { state: 'needs_confirmation', reason: 'Not unloaded: 2 requests were running; you had confirmed 1.' },
      'Confirm again. 2 requests were running; you had confirmed 1',
    ],
    [
      {
        state: 'rejected',
        code: 'precondition',
        reason: 'Not loaded: coder was ready; you had asked for stopped.',
      },
      'Not accepted. coder was ready; you had asked for stopped',
    ],
    [
      { state: 'rejected', code: 'role', reason: 'The role of ana-phone is viewer; this needs operator.' },
      'Not accepted. Your role is viewer; this needs operator',
    ],
    [
      {
        state: 'expired',
        endedAt: at(13, 51),
        reason: 'Expired while kestrel was down. Nothing was done.',
      },
      'Expired 13:51 while kestrel was down. Nothing was done',
    ],
    [
      { state: 'cancelled', reason: 'By ana-phone, before it was claimed.' },
      'Cancelled by you before it was claimed',
    ],
    [
      {
        state: 'superseded',
        code: 'same_meaning',
        reason: 'Ben asked for the same 6 s earlier; that one runs.',
      },
      'Replaced. Ben asked for the same 6 s earlier; that one runs',
    ],
    [{ state: 'unknown', reason: null }, 'Not known'],
  ])('%j is said as %s', (change, words) => {
    expect(says(change)).toBe(words);
  });

  it('says “you” to nobody else', () => {
    const reason = 'Not unloaded: 2 requests were running; you had confirmed 1.';
    expect(says({ state: 'needs_confirmation', isMine: false, reason })).toBe(
      'Confirm again. 2 requests were running; ana-phone had confirmed 1',
    );
  });

  it('speaks in the past tense of what goes on at a collector that is away', () => {
    const running = {
      state: 'running',
      steps: [{ state: 'running', at: at(13, 51), by: 'collector' }],
    } as const;
    expect(says(running, { isPast: true })).toBe('was running since 13:51');
    expect(intentLook('running', true).hue).toBe('stale');
    expect(intentLook('succeeded', true)).toEqual(intentLook('succeeded'));
    expect(intentLook('queued', true)).toEqual(intentLook('queued'));
  });

  it('tells both of two people who wanted different things', () => {
    const mine = entry({ id: 'mine', kind: 'model.load', state: 'succeeded' });
    const theirs = entry({
      id: 'theirs',
      isMine: false,
      author: { kind: 'device', id: 'd2', label: 'Ben' },
      state: 'succeeded',
      reason: 'Done. Unloaded after 1 s. It came after ana-phone\'s "Load coder", received 20 s earlier.',
      evidence: { byIntentId: 'mine' },
    });
    expect(contradictionWords(theirs, mine)).toBe(
      'Ben’s “Unload coder” was done after your “Load coder”, received 20 s later.',
    );
    expect(contradictionWords(mine, theirs)).toBe(null);
    expect(outcomeSentence(theirs, { now: NOW, other: mine })).toBe(
      'Done, after your “Load coder”, received 20 s earlier. Unloaded after 1 s.',
    );
  });

  it('is short beside a page', () => {
    const done = entry({
      state: 'succeeded',
      endedAt: at(13, 33, 4),
      steps: [{ state: 'running', at: at(13, 33), by: 'collector' }],
    });
    const brief = (change: IntentEntry): string => briefOutcome(change, { now: NOW });
    expect(brief(done)).toBe('13:33, took 4 s');
    expect(brief(entry({ state: 'needs_confirmation' }))).toBe('needs you');
    expect(
      brief(
        entry({
          state: 'failed',
          endedAt: at(12, 44),
          reason: 'It did not start: CUDA error: out of memory.',
        }),
      ),
    ).toBe('12:44, out of memory, see log');
    expect(brief(entry({ state: 'sent' }))).toBe('sent');
  });

  it('knows what is on this device, at the collector and over', () => {
    expect(intentPlace('sent')).toBe('device');
    expect(intentPlace('claimed')).toBe('collector');
    expect(intentPlace('expired-here')).toBe('ended');
    expect(intentPlace('unknown')).toBe('ended');
  });
});
