import { describe, expect, test } from 'vitest';
import type { Host, Liveness } from '#shared/schemas/host.ts';
import { LIVENESS } from '#shared/schemas/host.ts';
import type { InFlight } from '#shared/schemas/in-flight.ts';
import type { Model } from '#shared/schemas/model.ts';
import { hostOf, modelOf } from '../../data/testing/fleet.ts';
import type { CollectorHop, Freshness, HostFacts } from './host-view.ts';
import { failedModels, hostCard, hostFreshness, isTrouble, nothingRunsWords } from './host-view.ts';
import { shortFailure } from './reason-words.ts';

const MIN = 60_000;
const now = new Date(2026, 10, 30, 14, 11, 4).getTime();

const host = (change: Partial<Host> = {}): Host =>
  hostOf({ id: 'bluefin', since: now - 30 * MIN, lastSeenAt: now - 31 * MIN, ...change });
const model = (change: Partial<Model> = {}): Model =>
  modelOf({ hostId: 'bluefin', since: now - 134 * MIN, observedAt: now, ...change });
const running = (change: Partial<InFlight> = {}): InFlight => ({
  hostId: 'bluefin',
  total: 1,
  observedAt: now,
  requests: [
    { id: '1', modelId: 'coder', path: null, method: null, elapsedMs: 7000, observedAt: now, source: null },
  ],
  ...change,
});
const facts = (change: Partial<HostFacts> = {}): HostFacts => ({
  host: host(),
  models: [model()],
  inFlight: running(),
  ...change,
});

const LIVE: CollectorHop = { kind: 'live' };
const AWAY_9S: CollectorHop = { kind: 'away', asOf: now - 9000 };
const AWAY_19MIN: CollectorHop = { kind: 'away', asOf: now - 19 * MIN };

type State = Liveness | 'paused';
const withState = (state: State): Host =>
  state === 'paused' ? host({ paused: true }) : host({ liveness: state });

/** Every state of a host × every age of the collector's word: freshness, word, hue. */
const TABLE: Readonly<Record<State, readonly (readonly [CollectorHop, Freshness, string, string])[]>> = {
  connected: [
    [LIVE, 'live', 'Live', 'ready'],
    [AWAY_9S, 'ageing', 'as of 14:10:55, 5 s ago', 'stale'],
    [AWAY_19MIN, 'past', 'was live', 'stale'],
  ],
  reconnecting: [
    [LIVE, 'past', 'Reconnecting', 'warn'],
    [AWAY_9S, 'past', 'was reconnecting', 'stale'],
    [AWAY_19MIN, 'past', 'was reconnecting', 'stale'],
  ],
  asleep: [
    [LIVE, 'past', 'Asleep', 'sleep'],
    [AWAY_9S, 'past', 'was asleep', 'stale'],
    [AWAY_19MIN, 'past', 'was asleep', 'stale'],
  ],
  down: [
    [LIVE, 'past', 'Down 30 min', 'bad'],
    [AWAY_9S, 'past', 'was down', 'stale'],
    [AWAY_19MIN, 'past', 'was down', 'stale'],
  ],
  unauthorized: [
    [LIVE, 'past', 'Key refused', 'key'],
    [AWAY_9S, 'past', 'key was refused', 'stale'],
    [AWAY_19MIN, 'past', 'key was refused', 'stale'],
  ],
  incompatible: [
    [LIVE, 'past', 'Not supported', 'odd'],
    [AWAY_9S, 'past', 'was not supported', 'stale'],
    [AWAY_19MIN, 'past', 'was not supported', 'stale'],
  ],
  paused: [
    [LIVE, 'past', 'Paused', 'off'],
    [AWAY_9S, 'past', 'was paused', 'stale'],
    [AWAY_19MIN, 'past', 'was paused', 'stale'],
  ],
};
const STATES: readonly State[] = [...LIVENESS, 'paused'];

describe('a host in every state, heard now, a moment ago and long ago', () => {
  for (const state of STATES) {
    test.each(TABLE[state])(`${state}, %o: %s, "%s" in %s`, (hop, freshness, word, hue) => {
      const card = hostCard(facts({ host: withState(state) }), hop, now);
      expect(card).toMatchObject({ freshness, word, hue });
    });
  }

  test('nothing on stale ground is green, running or in the present tense', () => {
    for (const state of STATES) {
      for (const [hop, freshness] of TABLE[state]) {
        if (freshness !== 'past') continue;
        const card = hostCard(facts({ host: withState(state) }), hop, now);
        for (const row of card.models) {
          expect(row.hue).toBe('stale');
          expect(row.word).toBe('was ready');
          expect(row.running).toBeNull();
        }
      }
    }
  });

  test('a stream that closed a moment ago leaves the values, stamped', () => {
    const fresh = host({ liveness: 'reconnecting', lastSeenAt: now - 20_000 });
    expect(hostFreshness(fresh, LIVE, now)).toBe('ageing');
    const card = hostCard(facts({ host: fresh }), LIVE, now);
    expect(card.models[0]).toMatchObject({ word: 'ready', running: null, runningWords: '' });
    expect(hostFreshness(fresh, AWAY_9S, now)).toBe('past');
    expect(hostFreshness(host({ liveness: 'reconnecting', lastSeenAt: null }), LIVE, now)).toBe('past');
  });

  test('a minute is the limit, to the millisecond', () => {
    expect(hostFreshness(host(), { kind: 'away', asOf: now - MIN + 1 }, now)).toBe('ageing');
    expect(hostFreshness(host(), { kind: 'away', asOf: now - MIN }, now)).toBe('past');
  });
});

describe('the second line carries one stamp', () => {
  const line = (state: State, hop: CollectorHop): string =>
    hostCard(facts({ host: withState(state) }), hop, now).facts.join(' · ');

  test('none while live, of the last data when down, of the beginning when asleep', () => {
    expect(line('connected', LIVE)).toBe('llama-swap v250');
    expect(line('connected', AWAY_19MIN)).toBe('llama-swap v250 · seen 13:52, 19 min ago');
    expect(line('down', LIVE)).toBe('llama-swap v250 · as of 13:40, 31 min ago');
    expect(line('asleep', LIVE)).toBe('llama-swap v250 · since 13:41');
    expect(line('unauthorized', LIVE)).toBe('llama-swap v250 · last data 13:40 · since 13:41');
  });

  test('a host that was never heard says so, and a demo host that it is emulated', () => {
    const never = hostCard(
      facts({ host: host({ liveness: 'down', lastSeenAt: null, version: null }) }),
      LIVE,
      now,
    );
    expect(never.facts).toEqual(['llama-swap, version not known', 'never heard', 'since 13:41']);
    expect(hostCard(facts({ host: host({ demo: true }) }), LIVE, now).facts[0]).toBe(
      'emulated llama-swap v250',
    );
  });

  test('names the active profile while the host is heard; one that is gone may have come back with another', () => {
    const profiles = { active: 'day', names: [{ id: 'day', description: '' }] };
    const line = (change: Partial<Host>, hop: CollectorHop = LIVE) =>
      hostCard(facts({ host: host({ profiles, ...change }) }), hop, now).facts;
    expect(line({})).toEqual(['llama-swap v250', 'profile day']);
    expect(line({}, AWAY_9S)).toEqual(['llama-swap v250', 'profile day']);
    expect(line({}, AWAY_19MIN)).not.toContain('profile day');
    expect(line({ liveness: 'down' })).not.toContain('profile day');
    expect(line({ profiles: { ...profiles, active: null } })).toEqual(['llama-swap v250']);
    expect(line({ profiles: null })).toEqual(['llama-swap v250']);
  });

  test('says until when a pause lasts, where it ends by itself', () => {
    const word = (pausedUntil: number | null, hop: CollectorHop = LIVE) =>
      hostCard(facts({ host: host({ paused: true, pausedUntil }) }), hop, now).word;
    const evening = new Date(2026, 10, 30, 18).getTime();
    expect([word(evening), word(evening, AWAY_19MIN)]).toEqual([
      'Paused until 18:00',
      'was paused until 18:00',
    ]);
    expect(word(new Date(2026, 11, 1, 8).getTime())).toBe('Paused until Tue 1 Dec, 08:00');
    expect(word(null)).toBe('Paused');
  });

  test('what cannot be counted per model is said once', () => {
    const unknown = hostCard(facts({ inFlight: running({ total: null, requests: null }) }), LIVE, now);
    expect(unknown.facts).toContain('running requests not known');
    const numberOnly = hostCard(facts({ inFlight: running({ total: 3, requests: null }) }), LIVE, now);
    expect(numberOnly.facts).toContain('3 running');
    expect(numberOnly.models[0]).toMatchObject({ running: null, runningWords: '' });
  });
});

describe('the reason', () => {
  const reasonOf = (change: Partial<Host>, hop: CollectorHop): string | null =>
    hostCard(facts({ host: host(change) }), hop, now).reason;

  test('gets the time it began, in the zone of the device', () => {
    const reason = 'Connection refused. llama-swap may have stopped; the machine answers.';
    expect(reasonOf({ liveness: 'down', reason }, LIVE)).toBe(
      'Connection refused since 13:41. llama-swap may have stopped; the machine answers.',
    );
    expect(reasonOf({ liveness: 'down', reason }, AWAY_19MIN)).toBe('Connection refused from 13:41 on.');
    expect(
      reasonOf({ liveness: 'unauthorized', reason: '401: the host does not accept the key.' }, AWAY_9S),
    ).toBe('401 from 13:41 on: the host did not accept the key.');
  });

  test('counts attempts while reconnecting, and only then', () => {
    const change: Partial<Host> = {
      liveness: 'reconnecting',
      reason: 'The event stream closed.',
      attempt: 3,
      nextAttemptAt: now + 3200,
    };
    expect(reasonOf(change, LIVE)).toBe('The event stream closed. Attempt 3, next try in 4 s.');
    expect(reasonOf({ ...change, nextAttemptAt: now - 1 }, LIVE)).toBe('The event stream closed. Attempt 3.');
    expect(reasonOf(change, AWAY_9S)).toBe('The event stream closed.');
  });

  test('is there even when the collector gave none', () => {
    for (const liveness of LIVENESS.filter((state) => state !== 'connected')) {
      expect(reasonOf({ liveness }, LIVE)).not.toBeNull();
    }
    expect(reasonOf({}, LIVE)).toBeNull();
  });
});

describe('models', () => {
  const rows = (models: readonly Model[], hop: CollectorHop = LIVE, inFlight: InFlight | null = running()) =>
    hostCard(facts({ models, inFlight }), hop, now);

  test('at rest stand together, by name', () => {
    const card = rows([
      model({ modelId: 'b', state: 'stopped' }),
      model({ modelId: 'a', state: 'stopped' }),
      model(),
    ]);
    expect(card.models.map((row) => row.modelId)).toEqual(['coder']);
    expect(card.others).toEqual({ word: '2 stopped', names: ['a', 'b'], more: 0 });
    expect(rows([model({ state: 'stopped' })], AWAY_19MIN).others?.word).toBe('1 other');
  });

  test('that are too many for the copy here are counted', () => {
    const card = hostCard({ ...facts({ models: [model()] }), host: host({ modelCount: 700 }) }, LIVE, now);
    expect(card.others).toEqual({ word: '699 stopped', names: [], more: 699 });
  });

  test('that are ready say how long, and how many requests run on them', () => {
    expect(rows([model()]).models[0]).toMatchObject({
      glyph: 'ready',
      hue: 'ready',
      word: 'ready',
      time: '2 h 14 min',
      runningWords: '1 running',
    });
    expect(rows([model()], AWAY_19MIN).models[0]).toMatchObject({
      word: 'was ready',
      time: 'since 11:57',
      runningWords: '– running',
    });
  });

  test('that start or stop run a clock, which stands still while the collector is away', () => {
    const starting = model({ state: 'starting', since: now - 14_000 });
    expect(rows([starting]).models[0]).toMatchObject({ glyph: 'starting', hue: 'busy', time: '0:14' });
    expect(rows([starting], AWAY_9S).models[0]).toMatchObject({ word: 'starting', time: '0:05' });
    expect(rows([starting], AWAY_19MIN).models[0]).toMatchObject({ glyph: 'unknown', word: 'was starting' });
  });

  test('have a time to live only while they are live, ready and idle', () => {
    const ready = model({ state: 'ready', ttlMs: 600_000 });
    const idle = running({ total: 0, requests: [] });
    expect(rows([ready]).models[0]?.ttl).toBeNull();
    expect(rows([ready], LIVE, idle).models[0]?.ttl).toMatchObject({ ttlMs: 600_000, isIdle: true });
    expect(rows([ready], LIVE, null).models[0]?.ttl).toMatchObject({ isIdle: false });
    expect(rows([ready], AWAY_9S, idle).models[0]?.ttl).toBeNull();
    expect(rows([ready], AWAY_19MIN, idle).models[0]?.ttl).toBeNull();
    expect(rows([model({ state: 'ready' })], LIVE, idle).models[0]?.ttl).toBeNull();
  });

  test('that failed to start are told apart from stopped ones', () => {
    const failedStart = { at: now - 9 * MIN, reason: 'out of memory', lines: [] };
    const failed = model({ state: 'stopped', failedStart });
    expect(rows([failed]).models[0]).toMatchObject({
      glyph: 'failed',
      hue: 'bad',
      word: 'failed',
      time: '14:02',
    });
    expect(rows([failed], AWAY_19MIN).models[0]).toMatchObject({ hue: 'stale', word: 'had failed' });
    expect(isTrouble({ host: host(), models: [failed] })).toBe(true);
    const over = model({ state: 'stopped', failedStart: { ...failedStart, beforeRestart: true } });
    expect(isTrouble({ host: host(), models: [over] })).toBe(false);
    expect(failedModels({ host: host(), models: [failed, over] })).toEqual([failed.modelId]);
    expect(rows([over]).models).toEqual([]);
    expect(isTrouble({ host: host({ paused: true }), models: [failed] })).toBe(false);
  });

  test('of a peer, of a fork and of unknown age claim nothing', () => {
    expect(rows([model({ state: 'unknown', peerId: 'p' })]).models).toEqual([]);
    expect(rows([model({ state: 'sleeping', since: null })]).models[0]).toMatchObject({
      glyph: 'unknown',
      word: 'sleeping',
      time: '',
    });
  });
});

test('where no request is listed, what is not known is not put on the host', () => {
  const told = (total: number | null): InFlight => ({
    hostId: 'bluefin',
    observedAt: now,
    total,
    requests: null,
  });
  const live: CollectorHop = { kind: 'live' };
  expect(nothingRunsWords(host(), told(0), live)).toBe('Nothing runs.');
  expect(nothingRunsWords(host(), told(2), live)).toBe('Only a count is known.');
  expect(nothingRunsWords(host(), told(null), live)).toMatch(/^This version of llama-swap does not say/);
  expect(nothingRunsWords(host(), null, live)).toBe('Not known yet.');
  // After a reload without the collector, as the copy holds no live frames.
  expect(nothingRunsWords(host(), null, { kind: 'away', asOf: now })).toBe(
    'Not known while the collector is away.',
  );
  expect(nothingRunsWords(host({ liveness: 'down' }), told(0), live)).toMatch(/while the host is not heard/);
});

test.each([
  ['CUDA error: out of memory', 'out of memory'],
  ['Out of memory: llama_model_load: error loading model: unable to allocate CUDA0 buffer', 'out of memory'],
  ['Its port is in use: a process of an earlier run may still hold it and its memory.', 'port in use'],
  ['A file is missing: llama-server: failed to open GGUF file', 'a file is missing'],
  ['The health check timed out after 120 s.', 'health check timed out'],
  [
    'Its command ended before it was ready, with exit code 1.',
    'Its command ended before it was ready, with exit code 1',
  ],
])('%s: %s', (reason, words) => {
  expect(shortFailure(reason)).toBe(words);
});
