import { describe, expect, it } from 'vitest';
import { requestRow } from '../../testing/activity-rows.ts';
import type { HostFacts } from '../host-facts.ts';
import type { CaptureContext } from './capture-ports.ts';
import { reasonNotFound, reasonNotToAsk } from './capture-reasons.ts';

const ENDED = Date.UTC(2026, 10, 30, 12);
const row = requestRow({ hostId: 'marlin', endedAt: ENDED, hasCapture: true });

const context = (changes: Partial<CaptureContext> = {}): CaptureContext => ({
  row,
  isCurrentEpoch: true,
  laterRows: 312,
  recentRows: 50,
  recentCaptures: 40,
  ...changes,
});
const without = (changes: Partial<typeof row> = {}) => ({ ...row, hasCapture: false, ...changes });

const facts = (changes: Partial<HostFacts> = {}): HostFacts => ({
  host: {
    id: 'marlin',
    label: 'marlin',
    url: 'http://marlin.lan:8080',
    paused: false,
    managedByFile: false,
    demo: false,
    keySource: null,
  },
  liveness: 'connected',
  since: ENDED - 3_600_000,
  reason: null,
  current: true,
  models: [],
  inFlight: null,
  features: ['activity'],
  listed: true,
  profile: null,
  ...changes,
});

describe('a host is not asked', () => {
  it.each<[string, Parameters<typeof reasonNotToAsk>[0], string, RegExp]>([
    ['that was removed', { context: context(), facts: null, version: null }, 'capture_gone', /was removed/],
    [
      'whose release keeps none',
      { context: context({ row: without() }), facts: facts(), version: 'v150' },
      'capture_gone',
      /^llama-swap v150 on marlin keeps no captures; they came with v190\.$/,
    ],
    [
      'whose ids began anew',
      { context: context({ isCurrentEpoch: false }), facts: facts(), version: 'v217' },
      'capture_gone',
      /restarted or read its config anew/,
    ],
    [
      'that sleeps',
      { context: context(), facts: facts({ liveness: 'asleep' }), version: 'v250' },
      'capture_unavailable',
      /asking would wake it/,
    ],
    [
      'behind a wake-on-LAN proxy',
      { context: context(), facts: facts({ features: ['wol-proxy'] }), version: 'v250' },
      'capture_gone',
      /keep the machine awake/,
    ],
    [
      'that is paused',
      { context: context(), facts: facts({ host: { ...facts().host, paused: true } }), version: 'v250' },
      'capture_unavailable',
      /paused/,
    ],
    [
      'that is down',
      { context: context(), facts: facts({ liveness: 'down' }), version: 'v250' },
      'capture_unavailable',
      /not connected/,
    ],
    [
      'with captures switched off',
      { context: context({ row: without(), recentCaptures: 0 }), facts: facts(), version: 'v250' },
      'capture_gone',
      /switched off on marlin.*none of its last 50 requests.*captureBuffer/,
    ],
    [
      'about a request that failed, before failures were kept',
      { context: context({ row: without({ status: 500 }) }), facts: facts(), version: 'v228' },
      'capture_gone',
      /v228 keeps no captures of requests that failed; v229/,
    ],
    [
      'about a client that left',
      { context: context({ row: without({ status: 499 }) }), facts: facts(), version: 'v262' },
      'capture_gone',
      /the client left/,
    ],
    [
      'about one that it kept nothing of',
      { context: context({ row: without() }), facts: facts(), version: 'v250-5-g0bdb3720' },
      'capture_gone',
      /larger than its captureBuffer/,
    ],
    [
      'about a failure of a build without a release, where it is not said what that keeps',
      { context: context({ row: without({ status: 500 }) }), facts: facts(), version: 'local_1a2b' },
      'capture_gone',
      /kept none of this request/,
    ],
  ])('%s', (_name, known, code, words) => {
    const reason = reasonNotToAsk(known);
    expect(reason).toMatchObject({ code, words: expect.stringMatching(words) });
  });
});

describe('a host is asked', () => {
  it('when it is connected and said that it has the capture, or may have it', () => {
    for (const version of ['v200', 'v217', 'v250', 'v262', 'devel', null])
      expect(reasonNotToAsk({ context: context(), facts: facts(), version })).toBeNull();
    expect(
      reasonNotToAsk({ context: context({ row: without() }), facts: facts(), version: 'v209' }),
    ).toBeNull();
  });

  it.each<[string, Partial<CaptureContext>, Partial<HostFacts>, RegExp]>([
    [
      'pushed out',
      {},
      {},
      /^Likely pushed out by newer ones: 312 requests ended on marlin since\. .*captureBuffer/,
    ],
    ['pushed out by one', { laterRows: 1 }, {}, /: 1 request ended on marlin since/],
    ['pushed out long ago', { laterRows: 1000 }, {}, /: 1000 requests or more ended on marlin since/],
    ['reloaded', {}, { since: ENDED + 1 }, /^Likely lost when marlin restarted or read its config anew/],
    ['switched off since', { recentCaptures: 0 }, {}, /seems to keep no captures any more.*captureBuffer/],
  ])('and has it no more: %s', (_name, changes, host, words) => {
    expect(reasonNotFound({ context: context(changes), facts: facts(host), version: 'v250' })).toMatchObject({
      code: 'capture_gone',
      words: expect.stringMatching(words),
    });
  });
});
