import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

/** A snapshot's messages follow each other at once; the next recorded step is hundreds of milliseconds away. */
const CONNECT_MS = 20;
const FOLDER = join(import.meta.dirname, '..', 'recordings');

const exchange = z.object({
  t: z.number(),
  request: z.object({
    method: z.string(),
    path: z.string(),
    headers: z.record(z.string(), z.coerce.string()),
    body: z.string().nullish(),
  }),
  response: z
    .object({
      status: z.number(),
      headers: z.record(z.string(), z.coerce.string()),
      body: z.string().nullish(),
      ms: z.number(),
      cut: z.string().nullish(),
    })
    .nullish(),
  error: z.string().nullish(),
  abortedByClientAfterMs: z.number().nullish(),
});
/** One recorded request and its answer. */
export type RecordedExchange = z.infer<typeof exchange>;

const frame = z.object({ type: z.string(), data: z.string() });
/** A frame of `/api/events`, its inner JSON parsed. */
export interface RecordedMessage {
  readonly type: string;
  readonly data: unknown;
}

/** Exchanges of a recording, in order of their start. */
export function recordedExchanges(era: string): readonly RecordedExchange[] {
  return readFileSync(join(FOLDER, era, 'http.ndjson'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => exchange.parse(JSON.parse(line)))
    .sort((a, b) => a.t - b.t);
}

const step = z.object({ t: z.number(), step: z.string() });
/** A step of the recorded story and when it began. */
export type RecordedStep = z.infer<typeof step>;

/** The recorded story. */
export function recordedSteps(era: string): readonly RecordedStep[] {
  return readFileSync(join(FOLDER, era, 'steps.ndjson'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => step.parse(JSON.parse(line)));
}

/** Messages of the N-th recorded event stream. */
export function recordedMessages(era: string, connection: number): readonly RecordedMessage[] {
  return parseMessages(readFileSync(join(FOLDER, era, `events-${connection}.sse`), 'utf8'));
}

const connection = z.object({
  headers: z.record(z.string(), z.string()),
  chunks: z.array(z.tuple([z.number(), z.number()])),
});

function readConnection(era: string, number: number): z.infer<typeof connection> {
  const text = readFileSync(join(FOLDER, era, `events-${number}.json`), 'utf8');
  return connection.parse(JSON.parse(text));
}

/** Response headers of the N-th recorded event stream. */
export function recordedStreamHeaders(era: string, number: number): Readonly<Record<string, string>> {
  return readConnection(era, number).headers;
}

/** What came within a moment of the N-th connection's first byte: its snapshot. */
export function connectOrder(era: string, number: number): readonly string[] {
  const { chunks } = readConnection(era, number);
  const bytes = readFileSync(join(FOLDER, era, `events-${number}.sse`));
  const [firstAt = 0] = chunks[0] ?? [];
  const next = chunks.find(([at]) => at > firstAt + CONNECT_MS);
  return parseMessages(bytes.subarray(0, next?.[1]).toString('utf8')).map(kindOf);
}

const logData = z.object({ source: z.string(), data: z.string() });

/** A message's type; of a log, with its source. */
export function kindOf({ type, data }: RecordedMessage): string {
  return type === 'logData' ? `logData ${logData.parse(data).source}` : type;
}

/** Whole frames of an event stream; a frame cut at the end is left out. */
export function parseMessages(text: string): RecordedMessage[] {
  return text
    .split('\n\n')
    .slice(0, -1)
    .map((raw) => {
      const lines = raw.split('\n');
      if (lines.length !== 2 || lines[0] !== 'event:message' || !lines[1]?.startsWith('data:')) {
        throw new Error(`not a frame of llama-swap: ${raw.slice(0, 80)}`);
      }
      const { type, data } = frame.parse(JSON.parse(lines[1].slice(5)));
      return { type, data: JSON.parse(data) };
    });
}
