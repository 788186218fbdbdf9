import { describe, expect, test } from 'vitest';
import { parseUpstreamFrame } from '../domain/parse-upstream-frame.ts';
import type { UpstreamEvent } from '../domain/upstream-event.ts';
import { readConnections, RECORDED_VERSIONS } from '../testing/recordings.ts';
import { EventPipeline, MAX_BACKLOG_BYTES, MAX_FRAME_LENGTH, MAX_LAG_MS } from './event-pipeline.ts';

class Collector {
  readonly events: UpstreamEvent[] = [];
  logsDropped = 0;
  onEvent(event: UpstreamEvent): void {
    this.events.push(event);
  }
  onLogsDropped(count: number): void {
    this.logsDropped += count;
  }
}

function readAll(chunks: Iterable<Uint8Array>): UpstreamEvent[] {
  const collector = new Collector();
  const pipeline = new EventPipeline(collector);
  for (const chunk of chunks) pipeline.push(chunk);
  while (pipeline.run(1000) !== 'idle');
  return collector.events;
}

function* cut(bytes: Uint8Array, nextSize: () => number): Generator<Uint8Array> {
  for (let offset = 0; offset < bytes.length;) {
    const size = nextSize();
    yield bytes.subarray(offset, offset + size);
    offset += size;
  }
}

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

const bytesOf = (text: string) => new TextEncoder().encode(text);
const frame = (type: string, data: unknown) =>
  `event:message\ndata:${JSON.stringify({ type, data: JSON.stringify(data) })}\n\n`;
const types = (events: readonly UpstreamEvent[]) => events.map((event) => event.type);

describe.each(RECORDED_VERSIONS)('the recording of %s', (version) => {
  const connections = readConnections(version);

  test('is read frame by frame, with nothing malformed or unknown', () => {
    for (const { name, bytes, chunks } of connections) {
      const frames = new TextDecoder().decode(bytes).split('\n\n').slice(0, -1);
      const expected = frames.flatMap((text) => parseUpstreamFrame(text.replace('event:message\ndata:', '')));
      const events = readAll(chunks);
      expect(events.length, name).toBe(frames.length);
      expect(events, name).toEqual(expected);
      expect(types(events), name).not.toContain('malformed');
      expect(types(events), name).not.toContain('unknown');
    }
  });

  test('gives the same events however its bytes are cut', () => {
    for (const { name, bytes, chunks } of connections) {
      const expected = JSON.stringify(readAll(chunks));
      const isSame = (pieces: Iterable<Uint8Array>) => JSON.stringify(readAll(pieces)) === expected;
      for (let size = 1; size <= 64; size += 1)
        expect(isSame(cut(bytes, () => size)), `${name} by ${size}`).toBe(true);
    }
  });

  test('gives the same events at 200 random cuts', () => {
    for (let seed = 0; seed < 200; seed += 1) {
      const connection = connections[seed % connections.length];
      if (!connection) throw new Error('no connection');
      const { name, bytes, chunks } = connection;
      const random = seeded(seed);
      const pieces = cut(bytes, () => 1 + Math.floor(random() ** 3 * 20_000));
      expect(
        JSON.stringify(readAll(pieces)) === JSON.stringify(readAll(chunks)),
        `${name} seed ${seed}`,
      ).toBe(true);
    }
  });
});

describe('what the recordings hold', () => {
  const eventsOf = (version: string) => readConnections(version).map(({ chunks }) => readAll(chunks));

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
    '%s: rows on the stream ascend from 0 in each process',
    (version) => {
      for (const events of eventsOf(version)) {
        const ids = events.flatMap((event) =>
          event.type === 'activity-rows' ? event.rows.map(({ id }) => id) : [],
        );
        expect(ids).toEqual([...new Set(ids)].sort((a, b) => a - b));
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

describe('input that is not as it should be', () => {
  test('a line of 5 MB is one event', () => {
    const text = 'x'.repeat(5 * 1024 * 1024);
    const events = readAll(cut(bytesOf(frame('logData', { source: 'proxy', data: text })), () => 16_384));
    expect(events).toHaveLength(1);
    expect(events[0]).toEqual({ type: 'log', source: 'proxy', text });
  });

  test('a message over the limit is malformed, and what follows is read', () => {
    const piece = new Uint8Array(1024 * 1024).fill(120);
    const pieces = Array.from({ length: MAX_FRAME_LENGTH / piece.length + 2 }, () => piece);
    const events = readAll([
      bytesOf('data:'),
      ...pieces,
      bytesOf('\n\n'),
      bytesOf(frame('activity', { id: 3 })),
    ]);
    expect(events).toEqual([
      { type: 'malformed', detail: `a message over ${MAX_FRAME_LENGTH} characters` },
      { type: 'activity-id', id: 3 },
    ]);
  });

  test('lines that are no SSE, broken JSON and a frame cut off at the end', () => {
    const text = `<html>\n<body>\n\n${frame('activity', { id: 1 })}data:{"type":\n\n: comment\n\nretry: 5\n\n${frame('activity', { id: 2 })}data:{"type":"activity"`;
    const events = readAll([bytesOf(text)]);
    expect(types(events)).toEqual(['malformed', 'activity-id', 'malformed', 'activity-id']);
    expect(events.at(-1)).toEqual({ type: 'activity-id', id: 2 });
  });

  test('invalid UTF-8 is replaced, never fatal', () => {
    const [head = '', tail = ''] = frame('logData', { source: 'proxy', data: 'aXb' }).split('X');
    const events = readAll([bytesOf(head), Uint8Array.of(0xff, 0xc3), bytesOf(tail)]);
    expect(events).toEqual([{ type: 'log', source: 'proxy', text: 'a\uFFFD\uFFFDb' }]);
  });

  test('CRLF, spaces after the colon and several data lines are read as the standard says', () => {
    const events = readAll([
      bytesOf('event: message\r\ndata: {"type":"activity",\r\ndata: "data":"{\\"id\\":4}"}\r\n\r\n'),
    ]);
    expect(events).toEqual([{ type: 'activity-id', id: 4 }]);
  });
});

describe('when parsing falls behind', () => {
  const log = bytesOf(frame('logData', { source: 'upstream', data: 'y'.repeat(1000) }));
  const notice = bytesOf(frame('activity', { id: 9 }));

  test('by bytes: logs are cut out and counted, everything else is read', () => {
    const collector = new Collector();
    const pipeline = new EventPipeline(collector);
    const count = Math.ceil(MAX_BACKLOG_BYTES / log.length) + 100;
    for (let index = 0; index < count; index += 1) pipeline.push(log);
    pipeline.push(notice);
    expect(pipeline.run(0)).toBe('busy');
    while (pipeline.run(1000) !== 'idle');
    const read = collector.events.filter((event) => event.type === 'log').length;
    expect(collector.logsDropped).toBeGreaterThan(count / 2);
    expect(read + collector.logsDropped).toBe(count);
    expect(collector.events.at(-1)).toEqual({ type: 'activity-id', id: 9 });
  });

  test('by time: the same', () => {
    let now = 0;
    const collector = new Collector();
    const pipeline = new EventPipeline(collector, () => now);
    for (let index = 0; index < 10; index += 1) pipeline.push(log);
    now += MAX_LAG_MS;
    expect(pipeline.run(0)).toBe('busy');
    expect(collector.logsDropped).toBe(10);
  });

  test('when what is left is still too much, the connection has to go', () => {
    const models = Array.from({ length: 1000 }, (_, index) => ({ id: `model-${index}`, state: 'stopped' }));
    const snapshot = bytesOf(frame('modelStatus', models));
    const pipeline = new EventPipeline(new Collector());
    for (let size = 0; size < MAX_BACKLOG_BYTES * 1.2; size += snapshot.length) pipeline.push(snapshot);
    expect(pipeline.run(0)).toBe('overload');
  });

  test('one large message alone is not an overload', () => {
    const large = bytesOf(frame('logData', { source: 'proxy', data: 'z'.repeat(MAX_BACKLOG_BYTES + 1000) }));
    const collector = new Collector();
    const pipeline = new EventPipeline(collector);
    for (const piece of cut(large, () => 65_536)) {
      pipeline.push(piece);
      expect(pipeline.run(0)).not.toBe('overload');
    }
    pipeline.push(notice);
    while (pipeline.run(0) === 'busy');
    expect(types(collector.events)).toEqual(['log', 'activity-id']);
    expect(collector.logsDropped).toBe(0);
  });
});
