import { describe, expect, test } from 'vitest';
import type { UpstreamEvent } from '../domain/upstream-event.ts';
import { cutBytes, EventCollector, readEvents } from '../testing/read-events.ts';
import { EventPipeline, MAX_BACKLOG_BYTES, MAX_FRAME_LENGTH, MAX_LAG_MS } from './event-pipeline.ts';

const bytesOf = (text: string) => new TextEncoder().encode(text);
const frame = (type: string, data: unknown) =>
  `event:message\ndata:${JSON.stringify({ type, data: JSON.stringify(data) })}\n\n`;
const types = (events: readonly UpstreamEvent[]) => events.map((event) => event.type);

describe('input that is not as it should be', () => {
  test('a line of 5 MB is one event', () => {
    const text = 'x'.repeat(5 * 1024 * 1024);
    const events = readEvents(
      cutBytes(bytesOf(frame('logData', { source: 'proxy', data: text })), () => 16_384),
    );
    expect(events).toHaveLength(1);
    expect(events[0]).toEqual({ type: 'log', source: 'proxy', text });
  });

  test('a message over the limit is malformed, and what follows is read', () => {
    const piece = new Uint8Array(1024 * 1024).fill(120);
    const pieces = Array.from({ length: MAX_FRAME_LENGTH / piece.length + 2 }, () => piece);
    const events = readEvents([
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
    const events = readEvents([bytesOf(text)]);
    expect(types(events)).toEqual(['malformed', 'activity-id', 'malformed', 'activity-id']);
    expect(events.at(-1)).toEqual({ type: 'activity-id', id: 2 });
  });

  test('invalid UTF-8 is replaced, never fatal', () => {
    const [head = '', tail = ''] = frame('logData', { source: 'proxy', data: 'aXb' }).split('X');
    const events = readEvents([bytesOf(head), Uint8Array.of(0xff, 0xc3), bytesOf(tail)]);
    expect(events).toEqual([{ type: 'log', source: 'proxy', text: 'a\uFFFD\uFFFDb' }]);
  });

  test('CRLF, spaces after the colon and several data lines are read as the standard says', () => {
    const events = readEvents([
      bytesOf('event: message\r\ndata: {"type":"activity",\r\ndata: "data":"{\\"id\\":4}"}\r\n\r\n'),
    ]);
    expect(events).toEqual([{ type: 'activity-id', id: 4 }]);
  });
});

describe('when parsing falls behind', () => {
  const log = bytesOf(frame('logData', { source: 'upstream', data: 'y'.repeat(1000) }));
  const notice = bytesOf(frame('activity', { id: 9 }));

  test('by bytes: logs are cut out and counted, everything else is read', () => {
    const collector = new EventCollector();
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
    const collector = new EventCollector();
    const pipeline = new EventPipeline(collector, () => now);
    for (let index = 0; index < 10; index += 1) pipeline.push(log);
    now += MAX_LAG_MS;
    expect(pipeline.run(0)).toBe('busy');
    expect(collector.logsDropped).toBe(10);
  });

  test('when what is left is still too much, the connection has to go', () => {
    const models = Array.from({ length: 1000 }, (_, index) => ({ id: `model-${index}`, state: 'stopped' }));
    const snapshot = bytesOf(frame('modelStatus', models));
    const pipeline = new EventPipeline(new EventCollector());
    for (let size = 0; size < MAX_BACKLOG_BYTES * 1.2; size += snapshot.length) pipeline.push(snapshot);
    expect(pipeline.run(0)).toBe('overload');
  });

  test('one large message alone is not an overload', () => {
    const large = bytesOf(frame('logData', { source: 'proxy', data: 'z'.repeat(MAX_BACKLOG_BYTES + 1000) }));
    const collector = new EventCollector();
    const pipeline = new EventPipeline(collector);
    for (const piece of cutBytes(large, () => 65_536)) {
      pipeline.push(piece);
      expect(pipeline.run(0)).not.toBe('overload');
    }
    pipeline.push(notice);
    while (pipeline.run(0) === 'busy');
    expect(types(collector.events)).toEqual(['log', 'activity-id']);
    expect(collector.logsDropped).toBe(0);
  });
});
