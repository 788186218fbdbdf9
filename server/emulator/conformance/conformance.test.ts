import { beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { must } from '#shared/lib/assert.ts';
import { RECORDED_VERSIONS } from '../../testing/recordings.ts';
import type { Era } from '../era.ts';
import { headOf, headerNames, label } from './compare.ts';
import type { AnswerHead } from './compare.ts';
import { connectOrder, kindOf, recordedMessages, recordedStreamHeaders, parseMessages } from './recording.ts';
import type { RecordedMessage } from './recording.ts';
import { bodyShape, shapeOf } from './shape.ts';
import { replayStory } from './story.ts';
import type { Replayed, Story } from './story.ts';

// Each recorded story is told again to the emulator, and everything it said is compared with what the real host said:
// exactly where words and order are the contract, by derived structure where values differ between any two runs.
const RECORDED = RECORDED_VERSIONS satisfies readonly Era[];
const stories = new Map<Era, Story>();

beforeAll(async () => {
  await Promise.all(RECORDED.map(async (era) => stories.set(era, await replayStory(era))));
}, 150_000);

describe.each(RECORDED)('HTTP answers of %s', (era) => {
  const told = (): readonly Replayed[] => storyOf(era).replayed;

  test('are given to the same requests', () => {
    const paths = (silent: readonly Replayed[]): readonly string[] =>
      silent.map(({ recorded }) => recorded.request.path);
    expect(paths(told().filter(({ answer }) => answer === null))).toEqual(
      paths(told().filter(({ recorded }) => !recorded.response)),
    );
  });

  test('have the same status and header names', () => {
    expect(told().map(({ recorded, answer }) => label(recorded, answer && headOf(answer)))).toEqual(
      told().map(({ recorded }) => label(recorded, recorded.response ? headOf(recorded.response) : null)),
    );
  });

  test('have bodies of the same keys, in the same order, of the same types', () => {
    const pairs = told().flatMap(({ recorded, answer }) => {
      const theirs = recorded.response;
      if (!theirs || !answer || theirs.cut) return [];
      // Prometheus text is empty until the first sample was taken.
      if (recorded.request.path === '/metrics' && (theirs.body === '' || answer.body === '')) return [];
      return [{ recorded, theirs, ours: answer }];
    });
    expect(pairs.map(({ recorded, ours }) => label(recorded, shape(ours)))).toEqual(
      pairs.map(({ recorded, theirs }) => label(recorded, shape(theirs))),
    );
  });

  test('say errors in the same words', () => {
    const errors = told().filter(({ recorded, answer }) => answer && (recorded.response?.status ?? 0) >= 400);
    expect(errors.map(({ recorded, answer }) => label(recorded, answer?.body ?? null))).toEqual(
      errors.map(({ recorded }) => label(recorded, recorded.response?.body ?? null)),
    );
  });

  test('list the same activity rows: ids, models, paths, statuses, errors and which numbers are known', () => {
    const listings = told().filter(
      ({ recorded: { request, response } }) =>
        response?.status === 200 && /^\/api\/metrics(\/activity\?.*)?$/.test(request.path),
    );
    expect(listings.length).toBeGreaterThan(0);
    expect(listings.map(({ recorded, answer }) => [recorded.request.path, rowFacts(answer?.body)])).toEqual(
      listings.map(({ recorded }) => [recorded.request.path, rowFacts(recorded.response?.body)]),
    );
  });
});

describe.each(RECORDED)('event stream of %s', (era) => {
  test('has the same headers', () => {
    expect(headerNames(streamOf(era, 1).headers)).toEqual(headerNames(recordedStreamHeaders(era, 1)));
  });

  test('begins with the same messages in the same order, on every connection', () => {
    const connections = [...storyOf(era).streams.keys()];
    expect(connections.length).toBeGreaterThan(2);
    const recorded = connections.map((number) => connectOrder(era, number));
    const ours = connections.map((number, at) =>
      messagesOf(era, number).slice(0, must(recorded[at], 'order').length).map(kindOf),
    );
    expect(ours).toEqual(recorded);
  });

  test('carries the same types of messages with data of the same structure', () => {
    const structure = (messages: readonly RecordedMessage[]): readonly string[] =>
      [...new Set(messages.map(({ type, data }) => `${type} ${shapeOf(data)}`))].sort();
    expect(structure(messagesOf(era, 1))).toEqual(structure(recordedMessages(era, 1)));
  });

  test('tells the same states of models, in the same order', () => {
    expect(statesOf(messagesOf(era, 1))).toEqual(statesOf(recordedMessages(era, 1)));
  });

  test('logs the same lines, in llama-swap’s own words', () => {
    expect(proxyLines(messagesOf(era, 1))).toEqual(proxyLines(recordedMessages(era, 1)));
  });
});

function storyOf(era: Era): Story {
  return must(stories.get(era), `story of ${era}`);
}

function streamOf(era: Era, connection: number) {
  return must(storyOf(era).streams.get(connection), `stream ${connection} of ${era}`);
}

function messagesOf(era: Era, connection: number): readonly RecordedMessage[] {
  return parseMessages(streamOf(era, connection).text());
}

function shape({
  headers,
  body,
}: {
  headers: AnswerHead['headers'];
  body?: string | null | undefined;
}): string {
  return bodyShape(body ?? '', headers['content-type'] ?? '');
}

const logData = z.object({ source: z.string(), data: z.string() });
const row = z.looseObject({ id: z.number() });

/** Everything of a row but times; numbers as −1, 0 or 1, since that tells unknown from known. */
function rowFacts(body: string | null | undefined): unknown {
  const parsed: unknown = JSON.parse(body ?? 'null');
  const rows = z.union([z.null(), z.array(row), z.object({ data: z.array(row) })]).parse(parsed);
  const list = rows === null ? [] : Array.isArray(rows) ? rows : rows.data;
  return list.map(({ id, timestamp: _timestamp, duration_ms: _duration, ...facts }) => [
    id,
    JSON.stringify(facts, (key, value: unknown) =>
      typeof value === 'number' && key !== 'resp_status_code' ? Math.sign(value) : value,
    ),
  ]);
}

/** Runs of one picture count once; pictures in which nothing runs may fall between two messages. */
function statesOf(messages: readonly RecordedMessage[]): readonly string[] {
  const model = z.array(z.looseObject({ id: z.string(), state: z.string() }));
  const pictures = messages
    .filter(({ type }) => type === 'modelStatus')
    .map(({ data }) => model.parse(data).filter(({ state }) => state !== '' && state !== 'stopped'))
    .map((active) => active.map(({ id, state }) => `${id} ${state}`).join(', '))
    .filter((picture) => picture !== '');
  return pictures.filter((picture, at) => picture !== pictures[at - 1]);
}

/**
 * llama-swap's own lines without those that differ by nature: access lines, addresses, ports, and the line that races
 * with the end of the stream it announces.
 */
function proxyLines(messages: readonly RecordedMessage[]): readonly string[] {
  const text = messages
    .filter(({ type }) => type === 'logData')
    .map(({ data }) => logData.parse(data))
    .filter(({ source }) => source === 'proxy')
    .map(({ data }) => data)
    .join('');
  const lines = text.split('\n').filter((line) => !/^$|\] Request 127\.0\.0\.1 |reloading config/.test(line));
  const plain = lines.map((line) => line.replace(/(localhost|127\.0\.0\.1):\d{4,}/, '$1:PORT'));
  return [...new Set(plain)].sort();
}
