import type { LogWish } from '#shared/schemas/live.ts';
import { ByteReader, ByteWriter, CorruptBytesError } from './bytes.ts';
import { LIVE_KIND, LIVE_MESSAGE } from './live-frame.ts';

/** How the source of log lines is; only `live` brings new ones. */
export const LOG_STATES = ['live', 'not-connected', 'asleep', 'not-offered', 'failed'] as const;
/** See {@link LOG_STATES}. */
export type LogState = (typeof LOG_STATES)[number];

/** A line of a log, or a place where lines are missing. Times are the collector's; null: written before it listened. */
export type LogEntry =
  | { readonly type: 'line'; readonly source: string; readonly at: number | null; readonly text: string }
  /** `count` null: it is not known how many. */
  | {
      readonly type: 'dropped';
      readonly source: string;
      readonly at: number | null;
      readonly count: number | null;
    };

/** What a log frame says. */
export interface LogFrame extends LogWish {
  /** True: the tail begins anew, what was held of it before is replaced. */
  readonly begins: boolean;
  readonly state: LogState;
  /** Why, in words, where `state` alone does not say it. */
  readonly detail: string | null;
  /** Collector time of the frame. */
  readonly at: number;
  readonly entries: readonly LogEntry[];
}

const MAX_TIME = 8.64e15;
/** An entry's head: its source's place in the table, and which of these four it is. */
const ENTRY = { line: 0, oldLine: 1, dropped: 2, oldDropped: 3 } as const;
const ENTRY_KINDS = 4;

/** Server → client: log lines of whom the client asked for. */
export function encodeLogFrame(frame: LogFrame): Uint8Array {
  const out = new ByteWriter();
  out.uint(LIVE_MESSAGE);
  out.uint(LIVE_KIND.logs);
  out.string(frame.hostId);
  out.uint(frame.modelId === null ? 0 : 1);
  if (frame.modelId !== null) out.string(frame.modelId);
  out.uint(frame.begins ? 1 : 0);
  out.uint(LOG_STATES.indexOf(frame.state));
  out.string(frame.detail ?? '');
  out.int(frame.at);
  const sources = [...new Set(frame.entries.map((entry) => entry.source))];
  out.uint(sources.length);
  for (const source of sources) out.string(source);
  for (const entry of frame.entries) {
    const kind =
      entry.type === 'line'
        ? entry.at === null
          ? ENTRY.oldLine
          : ENTRY.line
        : entry.at === null
          ? ENTRY.oldDropped
          : ENTRY.dropped;
    out.uint(sources.indexOf(entry.source) * ENTRY_KINDS + kind);
    if (entry.at !== null) out.int(frame.at - entry.at);
    if (entry.type === 'line') out.string(entry.text);
    else out.uint(entry.count === null ? 0 : entry.count + 1);
  }
  return out.toBytes();
}

/** Reads the body of a log frame (after its kind); null when it is none. */
export function decodeLogFrame(body: Uint8Array): LogFrame | null {
  try {
    return read(new ByteReader(body));
  } catch (error) {
    if (error instanceof CorruptBytesError) return null;
    throw error;
  }
}

function read(input: ByteReader): LogFrame | null {
  const hostId = input.string();
  const modelId = input.uint() === 0 ? null : input.string();
  const begins = input.uint() === 1;
  const state = LOG_STATES[input.uint()];
  if (state === undefined) return null;
  const detail = input.string();
  const at = input.int();
  const count = input.uint();
  if (count > input.remaining) throw new CorruptBytesError('more sources than bytes');
  const sources = Array.from({ length: count }, () => input.string());
  const entries: LogEntry[] = [];
  while (input.remaining > 0) entries.push(readEntry(input, at, sources));
  return { hostId, modelId, begins, state, detail: detail === '' ? null : detail, at, entries };
}

function readEntry(input: ByteReader, frameAt: number, sources: readonly string[]): LogEntry {
  const head = input.uint();
  const kind = head % ENTRY_KINDS;
  const source = sources[Math.floor(head / ENTRY_KINDS)];
  if (source === undefined) throw new CorruptBytesError('a source past the end of the table');
  const isOld = kind === ENTRY.oldLine || kind === ENTRY.oldDropped;
  const at = isOld ? null : frameAt - input.int();
  if (at !== null && Math.abs(at) > MAX_TIME) throw new CorruptBytesError('a time is out of range');
  if (kind === ENTRY.line || kind === ENTRY.oldLine)
    return { type: 'line', source, at, text: input.string() };
  const count = input.uint();
  return { type: 'dropped', source, at, count: count === 0 ? null : count - 1 };
}
