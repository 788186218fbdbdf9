import { describe, expect, test } from 'vitest';
import { parseUpstreamFrame } from '../domain/parse-upstream-frame.ts';
import type { UpstreamEvent } from '../domain/upstream-event.ts';
import { cutBytes, readEvents } from '../testing/read-events.ts';
import { readConnections, RECORDED_VERSIONS } from '../testing/recordings.ts';

/** Small deterministic generator (mulberry32), so that a failure can be repeated from its seed. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const types = (events: readonly UpstreamEvent[]) => events.map((event) => event.type);

describe.each(RECORDED_VERSIONS)('the recording of %s', (version) => {
  const connections = readConnections(version).map((connection) => ({
    ...connection,
    expected: JSON.stringify(readEvents(connection.chunks)),
  }));

  test('is read frame by frame, with nothing malformed or unknown', () => {
    for (const { name, bytes, chunks } of connections) {
      const frames = new TextDecoder().decode(bytes).split('\n\n').slice(0, -1);
      const expected = frames.flatMap((text) => parseUpstreamFrame(text.replace('event:message\ndata:', '')));
      const events = readEvents(chunks);
      expect([name, events.length]).toEqual([name, frames.length]);
      expect(events).toEqual(expected);
      expect(types(events)).not.toContain('malformed');
      expect(types(events)).not.toContain('unknown');
    }
  });

  test('gives the same events however its bytes are cut', () => {
    for (const { name, bytes, expected } of connections) {
      const isSame = (pieces: Iterable<Uint8Array>) => JSON.stringify(readEvents(pieces)) === expected;
      for (let size = 1; size <= 64; size += 1)
        expect([name, size, isSame(cutBytes(bytes, () => size))]).toEqual([name, size, true]);
    }
  });

  test('gives the same events at 200 random cuts', () => {
    for (let seed = 0; seed < 200; seed += 1) {
      const connection = connections[seed % connections.length];
      if (!connection) throw new Error('no connection');
      const { name, bytes, expected } = connection;
      const random = seeded(seed);
      const pieces = cutBytes(bytes, () => 1 + Math.floor(random() ** 3 * 20_000));
      const isSame = JSON.stringify(readEvents(pieces)) === expected;
      expect([name, seed, isSame]).toEqual([name, seed, true]);
    }
  });
});

describe('what the recordings hold', () => {
  const eventsOf = (version: string) => readConnections(version).map(({ chunks }) => readEvents(chunks));

  test.each([
    ['v150', { log: 248, models: 45, 'activity-rows': 28 }],
    ['v217', { log: 262, models: 42, 'activity-rows': 38, 'in-flight-total': 90 }],
    ['v228', { log: 270, models: 45, 'activity-rows': 42, 'in-flight-total': 76 }],
    ['v235', { log: 271, models: 45, 'activity-rows': 42, 'in-flight-snapshot': 80 }],
    [
      'v250',
      {
        log: 286,
        models: 49,
        'ui-config': 6,
        profile: 8,
        'in-flight-snapshot': 6,
        'in-flight-upsert': 113,
        'in-flight-remove': 39,
        'activity-id': 38,
      },
    ],
    [
      'main',
      {
        log: 288,
        models: 49,
        'ui-config': 6,
        profile: 8,
        'in-flight-snapshot': 6,
        'in-flight-upsert': 113,
        'in-flight-remove': 39,
        'activity-id': 38,
      },
    ],
  ])('%s: events of each type', (version, counts) => {
    const counted: Record<string, number> = {};
    for (const { type } of eventsOf(version).flat()) counted[type] = (counted[type] ?? 0) + 1;
    expect(counted).toEqual(counts);
  });

  test.each(['v150', 'v200', 'v217', 'v228', 'v235'])(
    '%s: each connection has each row once, within the day of the recording',
    (version) => {
      for (const events of eventsOf(version)) {
        const ids = events.flatMap((event) =>
          event.type === 'activity-rows' ? event.rows.map(({ id }) => id) : [],
        );
        expect(ids.length).toBe(new Set(ids).size);
        for (const event of events) {
          if (event.type !== 'activity-rows') continue;
          for (const row of event.rows) {
            expect(row.endedAt).toBeGreaterThan(Date.UTC(2026, 10, 30));
            expect(row.endedAt).toBeLessThan(Date.UTC(2026, 11, 1));
            expect(row.status === null).toBe(version === 'v150' || version === 'v200');
          }
        }
      }
    },
  );

  test.each(RECORDED_VERSIONS)(
    '%s: the failed start goes from starting to stopped without ready',
    (version) => {
      const [first = []] = eventsOf(version);
      const states = first.flatMap((event) =>
        event.type === 'models'
          ? event.models.filter(({ modelId }) => modelId === 'oom').map(({ state }) => state)
          : [],
      );
      const changes = states.filter((state, index) => state !== states[index - 1]);
      expect(changes.slice(0, 3)).toEqual(['stopped', 'starting', 'stopped']);
      expect(changes).not.toContain('ready');
    },
  );

  test.each(['v217', 'v250', 'main'])('%s: the peer has no state, under its name of that era', (version) => {
    const [first = []] = eventsOf(version);
    const models = first.find((event) => event.type === 'models');
    expect(models?.type === 'models' && models.models.at(-1)).toMatchObject({
      modelId: version === 'v217' ? 'remote-70b' : 'lab/remote-70b',
      state: 'unknown',
      peerId: 'lab',
    });
  });
});
