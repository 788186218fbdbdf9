import { describe, expect, test } from 'vitest';
import type { Model, ModelEvent } from '#shared/schemas/model.ts';
import type { GpuSample } from '#shared/schemas/performance.ts';
import type { HostHistory } from '../../../data/use-fleet-history.ts';
import { firstBefore } from './first-before.ts';
import type { PastFacts } from './past-host.ts';
import { pastHost } from './past-host.ts';
import { heldFrom, nextChanges, otherDay, pastDay, pastTraffic } from './past-moments.ts';

const HOUR = 3_600_000;
const BUCKET = 300_000;
const midnight = new Date(2026, 10, 30).getTime();
const now = midnight + 14 * HOUR;
const at = (hours: number): number => midnight + hours * HOUR;

const event = (modelId: string, hours: number, change: Partial<ModelEvent>): ModelEvent => ({
  type: 'model-event',
  hostId: 'bluefin',
  modelId,
  at: at(hours),
  from: 'stopped',
  to: 'ready',
  reason: null,
  ...change,
});
const model = (modelId: string, change: Partial<Model> = {}): Model => ({
  hostId: 'bluefin',
  modelId,
  name: '',
  description: '',
  state: 'stopped',
  since: null,
  observedAt: now,
  aliases: [],
  peerId: null,
  unlisted: false,
  contextLength: null,
  capabilities: [],
  failedStart: null,
  ...change,
});
const sample = (hours: number, memUsedMb: number): GpuSample => ({
  at: at(hours),
  utilPct: 10,
  memUsedMb,
  memTotalMb: 24_576,
  tempC: 50,
  memTempC: null,
  fanPct: null,
  powerW: 100,
  stale: false,
});

interface Held {
  readonly events?: readonly ModelEvent[];
  readonly eventsFrom?: number | null;
  readonly gpu?: readonly GpuSample[];
  readonly heldTo?: number | null;
  readonly requests?: Readonly<Record<number, number>>;
  readonly serving?: HostHistory['timeline']['serving'];
  readonly gaps?: HostHistory['timeline']['gaps'];
}

function history(held: Held = {}): HostHistory {
  const {
    events = [],
    eventsFrom = midnight,
    gpu = [],
    heldTo = now,
    requests = {},
    serving = [],
    gaps = [],
  } = held;
  const buckets = Array.from({ length: 168 }, (_, place) => requests[place] ?? 0);
  return {
    events: { events, from: eventsFrom },
    performance: {
      answer: {
        stepMs: BUCKET,
        system: [],
        gpus: gpu.length === 0 ? [] : [{ key: 'a', id: 0, name: 'RTX 3090', uuid: 'a', samples: [...gpu] }],
      },
      heldFrom: midnight,
      heldTo,
    },
    timeline: {
      from: midnight,
      bucketMs: BUCKET,
      requests: buckets,
      failed: buckets.map((count) => (count > 5 ? 1 : 0)),
      tokens: [],
      tokenStepMs: BUCKET / 3,
      tellsTokens: false,
      serving,
      gaps,
      heldFrom: midnight,
    },
  };
}

function past(hours: number, held: Held = {}, change: Partial<PastFacts> = {}) {
  const facts: PastFacts = {
    host: { id: 'bluefin', label: 'bluefin', demo: false, features: ['performance'], hardware: null },
    models: [model('coder'), model('chat')],
    history: history(held),
    clockOffsetMs: 0,
    ...change,
  };
  return pastHost(facts, { at: at(hours), now });
}

const said = (host: ReturnType<typeof past>): readonly string[] =>
  host.models.map(({ modelId, word, time, runningWords }) =>
    [modelId, word, time, runningWords].filter((part) => part !== '').join(' '),
  );

describe('a host at a moment', () => {
  const events = [
    event('coder', 2, { to: 'starting' }),
    event('coder', 2.1, { from: 'starting' }),
    event('coder', 5, { from: 'ready', to: 'stopped' }),
    event('chat', 5.8, { to: 'starting' }),
    event('chat', 6, { from: 'starting', to: 'stopped', reason: 'CUDA error: out of memory' }),
  ];

  test('has each model in the state that the last change before it led to', () => {
    expect(said(past(3, { events }))).toEqual(['coder was ready since 02:06']);
    expect(past(3, { events }).stopped).toEqual(['chat']);
    expect(past(5.5, { events }).stopped).toEqual(['chat', 'coder']);
    expect(said(past(5.9, { events }))).toEqual(['chat was starting since 05:48']);
  });

  test('before the first change, the state that this one led away from', () => {
    expect(past(1, { events }).stopped).toEqual(['chat', 'coder']);
    const left = [event('coder', 2, { from: 'ready', to: 'stopped' })];
    expect(said(past(1, { events: left }))).toEqual(['coder was ready']);
    const found = [event('coder', 2, { from: null })];
    expect(past(1, { events: found }).unknown).toEqual(['coder']);
    expect(said(past(3, { events: found }))).toEqual(['coder was ready']);
  });

  test('a failed start says why', () => {
    const [row] = past(7, { events }).models;
    expect(row?.word).toBe('had failed');
    expect(row?.failedStart?.reason).toBe('CUDA error: out of memory');
  });

  test('a model without any change was what it is, unless it became that later', () => {
    expect(past(3).stopped).toEqual(['chat', 'coder']);
    const models = [model('coder', { state: 'ready', since: at(10) })];
    expect(past(3, {}, { models }).unknown).toEqual(['coder']);
    expect(said(past(11, {}, { models }))).toEqual(['coder was ready since 10:00']);
  });

  test('nothing is claimed of a time before what this device holds', () => {
    const early = past(3, { events, eventsFrom: at(4) });
    expect(early.unknown).toEqual(['chat', 'coder']);
    expect(early.note).toBe('This device knows its states from 04:00 on.');
    expect(past(3, {}, { history: null }).note).toBe('This device holds no states of it.');
  });

  test('says which models served, and how many requests there were', () => {
    const serving = [{ modelId: 'coder', spans: [{ from: at(2.9), to: at(3.1) }] }];
    const host = past(3, { events, serving, requests: { 30: 4, 35: 6 } });
    expect(said(host)).toEqual(['coder was ready since 02:06 was serving']);
    expect(host.requests).toBe('10 requests in the hour before, 1 failed');
    expect(past(0.5).requests).toBeNull();
    const lost = {
      type: 'gap',
      hostId: 'bluefin',
      idEpoch: 0,
      fromId: 1,
      toId: 9,
      reason: 'ring_wrapped',
    } as const;
    const gaps = [{ ...lost, from: at(2.5), to: at(2.6), endedAt: at(2.6) }];
    expect(past(3, { requests: { 30: 4 }, gaps }).requests).toBe('at least 4 requests in the hour before');
    expect(past(5, { requests: { 55: 4 }, gaps }).requests).toBe('4 requests in the hour before');
  });

  test('has the memory of the sample of that moment, on the host’s clock', () => {
    const gpu = [sample(3, 12_288), sample(3 + 1 / 12, 6_144)];
    expect(past(3.01, { gpu }).gpus.map(({ memory }) => memory)).toEqual(['12 / 24 GiB']);
    expect(past(3.1, { gpu }).gpus.map(({ memory }) => memory)).toEqual(['6 / 24 GiB']);
    expect(past(4.01, { gpu }, { clockOffsetMs: HOUR }).gpus.map(({ memory }) => memory)).toEqual([
      '12 / 24 GiB',
    ]);
  });

  test('where no sample is it tells a silent host from what is not on this device', () => {
    expect(past(5, { gpu: [sample(3, 1)] }).note).toMatch(
      /^No samples of this moment: the host or the collector/,
    );
    expect(past(5, { heldTo: at(4) }).note).toBe('Samples of this time are not on this device.');
    expect(past(3, { gpu: [sample(3, 1)] }).note).toBeNull();
    const host = { id: 'bluefin', label: 'bluefin', demo: false, features: [], hardware: null };
    expect(past(5, {}, { host }).note).toMatch(/^It serves no samples/);
  });
});

describe('the scrubber', () => {
  test('reaches over a day, today until now', () => {
    expect(pastDay(at(3), now)).toEqual({ day: '2026-11-30', from: midnight, to: now, isToday: true });
    const yesterday = pastDay(midnight - HOUR, now);
    expect(yesterday).toMatchObject({ day: '2026-11-29', to: midnight - 1, isToday: false });
    expect(pastDay(now + 5 * HOUR, now).day).toBe('2026-11-30');
    for (let back = 0; back < 400; back += 1) {
      const moment = otherDay(new Date(2026, 10, 30, 23, 30).getTime(), -back);
      expect([new Date(moment).getHours(), new Date(moment).getMinutes()]).toEqual([23, 30]);
    }
  });

  test('adds up what all hosts served, and knows the changes around a moment', () => {
    const one = history({ requests: { 3: 6 }, events: [event('coder', 2, {}), event('coder', 8, {})] });
    const other = history({ requests: { 3: 1 }, events: [event('chat', 4, {})], eventsFrom: at(-5) });
    const traffic = pastTraffic([one, other]);
    expect(traffic?.requests[3]).toBe(7);
    expect(traffic?.failed[3]).toBe(1);
    expect(nextChanges([one, other], at(4))).toEqual({ before: at(2), after: at(8) });
    expect(nextChanges([one, other], at(9))).toEqual({ before: at(8), after: null });
    expect(heldFrom([one, other])).toBe(at(-5));
    expect(heldFrom([])).toBeNull();
    expect(pastTraffic([])).toBeNull();
  });

  test('finds the last row before a moment without reading all', () => {
    const ends = [90, 70, 70, 50, 10];
    let reads = 0;
    const rowAt = (place: number) => {
      reads += 1;
      return { endedAt: ends[place] ?? 0 };
    };
    const place = (moment: number): number => firstBefore({ count: ends.length, rowAt }, moment);
    expect([95, 70, 69, 10, 5].map(place)).toEqual([0, 1, 3, 4, 5]);
    expect(reads).toBeLessThan(20);
  });
});
