import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { InFlight } from '#shared/schemas/in-flight.ts';
import type { LivePresence } from '#shared/schemas/live.ts';
import { ByteReader } from './bytes.ts';
import {
  encodeClock,
  encodeDelta,
  encodeDiscard,
  encodeNews,
  encodeNotice,
  encodePresence,
  encodeSnapshot,
  encodeSubscribe,
  LIVE_MESSAGE,
  parseSubscribe,
} from './live-frame.ts';
import { LiveReader } from './live-reader.ts';
import { parsePresence } from './live-presence.ts';
import type { InFlightPatch, StatusPatch } from './live-values.ts';
import { readClientFrame } from './sync-frame.ts';

const at = Date.UTC(2026, 10, 30, 12);

/** The body of a frame as y-websocket's message handler gets it. */
function bodyOf(frame: Uint8Array): Uint8Array {
  expect(frame[0]).toBe(LIVE_MESSAGE);
  return frame.subarray(1);
}

describe('live samples', () => {
  it('[L18] carry the newest of machine and cards, unknown apart from 0', () => {
    const system = {
      at: at - 700,
      cpuPct: 12.3,
      memUsedMb: 0,
      memTotalMb: 64_000,
      swapUsedMb: null,
      swapTotalMb: null,
      loadAvg1: 0.07,
      netInBytesPerSec: 0,
      netOutBytesPerSec: 2 ** 40,
    };
    const blank = { utilPct: 0, memUsedMb: null, memTotalMb: null, tempC: 44, memTempC: null, fanPct: null };
    const gpus = [
      {
        key: 'GPU-1',
        id: 0,
        name: 'RTX',
        uuid: 'GPU-1',
        sample: { at, ...blank, powerW: 210.4, stale: false },
      },
      {
        key: 'GPU-2#1',
        id: 1,
        name: 'RTX',
        uuid: 'GPU-2',
        sample: { at, ...blank, powerW: null, stale: true },
      },
      { key: 'id:2', id: 2, name: 'M3', uuid: null, sample: { at, ...blank, powerW: null, stale: false } },
    ];
    const value = { observedAt: at - 20, system, gpus };
    const reader = new LiveReader();
    const frame = encodeSnapshot({ seq: 1, at }, ['a', 'b', 'c'], {
      topic: 'performance',
      patches: [
        { index: 0, value },
        { index: 1, value: null },
        { index: 2, value: { observedAt: at, system: null, gpus: [] } },
      ],
    });
    expect(reader.accept(bodyOf(frame))).toMatchObject({ type: 'changed', topic: 'performance' });
    expect(reader.performance.get('a')).toEqual({ hostId: 'a', ...value });
    expect(reader.performance.has('b')).toBe(false);
    expect(reader.performance.get('c')).toEqual({ hostId: 'c', observedAt: at, system: null, gpus: [] });
    const gone = encodeDelta({ seq: 1, at }, { topic: 'performance', patches: [{ index: 0, value: null }] });
    reader.accept(bodyOf(gone));
    expect(reader.performance.has('a')).toBe(false);
    for (let length = 1; length < frame.length; length += 1) {
      expect(['ignored', 'changed']).toContain(
        new LiveReader().accept(bodyOf(frame).subarray(0, length)).type,
      );
    }
  });
});

describe('live frames', () => {
  it('[L1] carries a subscription, and reads anything else as none', () => {
    const subscription = { topics: ['status' as const], hosts: ['box'] };
    const body = bodyOf(encodeSubscribe(subscription)).subarray(1);
    expect(parseSubscribe(new ByteReader(body))).toEqual(subscription);
    const newer = '{"topics":["status","weather"]}';
    const newerBody = new Uint8Array([newer.length, ...new TextEncoder().encode(newer)]);
    expect(parseSubscribe(new ByteReader(newerBody))).toEqual({ topics: ['status'] });
    expect(parseSubscribe(new ByteReader(new Uint8Array([3, 123])))).toBeNull();
    expect(parseSubscribe(new ByteReader(new Uint8Array([2, 123, 125])))).toBeNull();
  });

  it('[L2] replaces by a snapshot and patches by deltas, null apart from 0', () => {
    const reader = new LiveReader();
    const snapshot = encodeSnapshot({ seq: 5, at }, ['a', 'b', 'c'], {
      topic: 'status',
      patches: [
        { index: 0, lastSeenAt: at - 900, inFlight: 0 },
        { index: 1, lastSeenAt: null, inFlight: null },
        { index: 2, lastSeenAt: at + 40, inFlight: 3 },
      ],
    });
    expect(reader.accept(bodyOf(snapshot))).toMatchObject({ type: 'changed', hostIds: ['a', 'b', 'c'], at });
    const delta = encodeDelta(
      { seq: 5, at: at + 1000 },
      {
        topic: 'status',
        patches: [
          { index: 0, lastSeenAt: at + 700 },
          { index: 2, inFlight: null },
        ],
      },
    );
    expect(reader.accept(bodyOf(delta))).toMatchObject({ hostIds: ['a', 'c'] });
    expect([...reader.status.values()]).toEqual([
      { hostId: 'a', lastSeenAt: at + 700, inFlight: 0 },
      { hostId: 'b', lastSeenAt: null, inFlight: null },
      { hostId: 'c', lastSeenAt: at + 40, inFlight: null },
    ]);
    const smaller = encodeSnapshot({ seq: 6, at }, ['b'], {
      topic: 'status',
      patches: [{ index: 0, inFlight: 1 }],
    });
    expect(reader.accept(bodyOf(smaller))).toMatchObject({ hostIds: ['a', 'c', 'b'] });
    expect([...reader.status.keys()]).toEqual(['b']);
  });

  it('[L3] drops deltas of another snapshot than its own', () => {
    const reader = new LiveReader();
    const delta = (seq: number): Uint8Array =>
      bodyOf(encodeDelta({ seq, at }, { topic: 'status', patches: [{ index: 0, inFlight: 9 }] }));
    expect(reader.accept(delta(1))).toEqual({ type: 'ignored', why: 'stale' });
    const values = { topic: 'status' as const, patches: [{ index: 0, inFlight: 1 }] };
    reader.accept(bodyOf(encodeSnapshot({ seq: 2, at }, ['a'], values)));
    expect(reader.accept(delta(1))).toEqual({ type: 'ignored', why: 'stale' });
    expect(reader.status.get('a')?.inFlight).toBe(1);
    reader.reset();
    expect(reader.accept(delta(2))).toEqual({ type: 'ignored', why: 'stale' });
    expect(reader.status.size).toBe(0);
  });

  it('[L4] carries what runs on a host, whatever stands in it', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 20 });
    const time = fc.integer({ min: at - 1e9, max: at + 1e9 });
    const known = {
      id: text,
      modelId: text,
      path: fc.option(text),
      method: fc.option(fc.constantFrom('GET', 'POST')),
      elapsedMs: fc.option(fc.maxSafeInteger()),
      observedAt: time,
      source: fc.option(text),
    };
    const request = fc.oneof(fc.record(known), fc.record({ ...known, responseBytes: fc.nat() }));
    const value = fc.record({
      total: fc.option(fc.nat()),
      requests: fc.option(fc.array(request, { maxLength: 6 })),
      observedAt: time,
    });
    fc.assert(
      fc.property(fc.array(fc.option(value), { maxLength: 6 }), (values) => {
        const hosts = values.map((_, index) => `host-${index}`);
        const patches = values.map((entry, index): InFlightPatch => ({ index, value: entry }));
        const reader = new LiveReader();
        reader.accept(bodyOf(encodeSnapshot({ seq: 1, at }, hosts, { topic: 'in-flight', patches })));
        const expected = values.flatMap((entry, index): InFlight[] =>
          entry === null ? [] : [{ hostId: `host-${index}`, ...entry }],
        );
        expect([...reader.inFlight.values()]).toEqual(expected);
      }),
      { numRuns: 200 },
    );
  });

  it('[L5] says how many frames were shed, and which copy to drop', () => {
    const reader = new LiveReader();
    expect(reader.accept(bodyOf(encodeNotice(12)))).toEqual({ type: 'shed', count: 12 });
    expect(reader.accept(bodyOf(encodeDiscard('tail@g2')))).toEqual({ type: 'discard', document: 'tail@g2' });
  });

  it('[L15] carries the clock of a device, whatever it says', () => {
    for (const deviceNowMs of [at, 0, -1]) {
      expect(readClientFrame(encodeClock(deviceNowMs))).toEqual({ type: 'clock', deviceNowMs });
    }
    expect(readClientFrame(encodeClock(at).subarray(0, 4))).toEqual({ type: 'malformed' });
  });

  it('[L12] carries what a page shows, and reads anything else as nothing', () => {
    const report = { hostId: 'box', preparing: { kind: 'model.unload', modelId: 'coder' } };
    const read = (value: unknown) => {
      const text = new TextEncoder().encode(JSON.stringify(value));
      const head =
        text.length < 128 ? [text.length] : [(text.length % 128) + 128, Math.floor(text.length / 128)];
      return parsePresence(new ByteReader(new Uint8Array([...head, ...text])));
    };
    expect(parsePresence(new ByteReader(bodyOf(encodePresence(report)).subarray(1)))).toEqual(report);
    expect(read({ hostId: null, preparing: null })).toEqual({ hostId: null, preparing: null });
    for (const wrong of [
      {},
      { hostId: 'Not An Id', preparing: null },
      { hostId: 'box', preparing: { kind: 'rm -rf', modelId: null } },
      { hostId: 'box', preparing: null, label: 'Root' },
      { hostId: 'box', preparing: { kind: 'model.load', modelId: 'x'.repeat(9000) } },
    ]) {
      expect(read(wrong)).toBeNull();
    }
  });

  it('[L13] carries who looks at a host, whole, and nobody as none', () => {
    const person = fc.record({
      deviceId: fc.string({ maxLength: 12 }),
      label: fc.string({ unit: 'grapheme', maxLength: 12 }),
      since: fc.integer({ min: at - 1e9, max: at + 1e9 }),
      preparing: fc.option(
        fc.record({ kind: fc.constantFrom('model.load', 'host.pause'), modelId: fc.option(fc.string()) }),
      ),
    });
    const value = fc.record({ people: fc.array(person, { maxLength: 4 }), more: fc.nat() });
    fc.assert(
      fc.property(fc.array(value, { maxLength: 5 }), (values) => {
        const hosts = values.map((_, index) => `host-${index}`);
        const patches = values.map((entry, index) => ({ index, value: entry }));
        const reader = new LiveReader();
        reader.accept(bodyOf(encodeSnapshot({ seq: 1, at }, hosts, { topic: 'presence', patches })));
        const expected = values.flatMap((entry, index): LivePresence[] =>
          entry.people.length === 0 ? [] : [{ hostId: `host-${index}`, ...entry }],
        );
        expect([...reader.presence.values()]).toEqual(expected);
        const nobody = { index: 0, value: { people: [], more: 0 } };
        if (values.length > 0) {
          reader.accept(bodyOf(encodeDelta({ seq: 1, at }, { topic: 'presence', patches: [nobody] })));
        }
        expect(reader.presence.has('host-0')).toBe(false);
      }),
      { numRuns: 100 },
    );
  });

  it('[L14] names what to ask for again; a word it does not know is ignored', () => {
    const reader = new LiveReader();
    expect(reader.accept(bodyOf(encodeNews('session')))).toEqual({ type: 'news', news: 'session' });
    expect(reader.accept(new Uint8Array([6, 2, 104, 105]))).toEqual({ type: 'ignored', why: 'unknown' });
  });

  it('[L6] costs a viewer at most 500 B/s for 50 hosts a second', () => {
    let bytes = 0;
    for (let second = 1; second <= 60; second += 1) {
      const now = at + second * 1000;
      const patches = Array.from({ length: 50 }, (_, index): StatusPatch => {
        const lastSeenAt = now - ((index * 379 + second * 97) % 1000);
        return (index + second) % 3 === 0
          ? { index, lastSeenAt, inFlight: second % 9 }
          : { index, lastSeenAt };
      });
      bytes += encodeDelta({ seq: 1, at: now }, { topic: 'status', patches }).byteLength;
    }
    expect(bytes / 60).toBeLessThanOrEqual(500);
  });

  it('[L7] changes nothing and does not throw on a corrupt or unknown frame', () => {
    const reader = new LiveReader();
    const values = { topic: 'status' as const, patches: [{ index: 0, inFlight: 1 }] };
    reader.accept(bodyOf(encodeSnapshot({ seq: 1, at }, ['a'], values)));
    const before = [...reader.status.values()];
    const pastTable = encodeDelta(
      { seq: 1, at },
      {
        topic: 'status',
        patches: [
          { index: 0, inFlight: 5 },
          { index: 7, inFlight: 5 },
        ],
      },
    );
    expect(reader.accept(bodyOf(pastTable))).toEqual({ type: 'ignored', why: 'corrupt' });
    expect(reader.accept(new Uint8Array([9, 1]))).toEqual({ type: 'ignored', why: 'unknown' });
    expect(reader.accept(new Uint8Array([1, 7, 1, 1]))).toEqual({ type: 'ignored', why: 'unknown' });
    expect(reader.accept(new Uint8Array([1, 0, 9, 1, 0xff, 0xff, 0xff, 0x7f]))).toMatchObject({
      why: 'corrupt',
    });
    expect([...reader.status.values()]).toEqual(before);
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (noise) => {
        expect(new LiveReader().accept(noise).type).toBeTypeOf('string');
      }),
      { numRuns: 1000 },
    );
  });
});
