import { activityRow } from '#shared/schemas/activity.ts';
import type { ActivityGap, ActivityRequest } from '#shared/schemas/activity.ts';
import type { ModelEvent } from '#shared/schemas/model.ts';
import { ByteReader, ByteWriter, CorruptBytesError } from './bytes.ts';
import { quantiseSpeed } from './speed.ts';
import { fitsRequest, ItemState, readRequest, writeRequest } from './tail-request.ts';
import {
  capText,
  readHost,
  readNullableText,
  readText,
  time,
  writeNullableText,
  writeText,
} from './tail-text.ts';
import type { InternString } from './tail-text.ts';

/** A row of the tail document: what {@link ActivityRequest}, {@link ActivityGap} or {@link ModelEvent} describe. */
export type TailRow = ActivityRequest | ActivityGap | ModelEvent;

const VERSION = 1;
/** Gaps, and any row the compact forms cannot hold: rare, so JSON will do. */
const KIND_JSON = 1;
const KIND_MODEL_EVENT = 2;

/** Encodes the rows of one flush as one item of the tail. */
export function encodeTailItem(rows: readonly TailRow[], intern: InternString): Uint8Array {
  const out = new ByteWriter();
  out.uint(VERSION);
  const state = new ItemState();
  for (const row of rows) writeRow(out, state, row, intern);
  return out.toBytes();
}

/** What {@link decodeTailItem} found in one item. */
export interface DecodedTailItem {
  readonly rows: readonly TailRow[];
  /** Rows of a kind this version does not know, or that do not fit their schema. */
  readonly skippedRows: number;
}

/** Decodes one item against the dictionary; null when its version is unknown or its bytes are corrupt. Never throws. */
export function decodeTailItem(bytes: Uint8Array, dictionary: readonly string[]): DecodedTailItem | null {
  const input = new ByteReader(bytes);
  const rows: TailRow[] = [];
  let skippedRows = 0;
  try {
    if (input.uint() !== VERSION) return null;
    const state = new ItemState();
    while (input.remaining > 0) {
      const row = readRow(input, state, dictionary);
      if (row) rows.push(row);
      else skippedRows += 1;
    }
  } catch (error) {
    if (error instanceof CorruptBytesError) return null;
    throw error;
  }
  return { rows, skippedRows };
}

function writeRow(out: ByteWriter, state: ItemState, row: TailRow, intern: InternString): void {
  if (row.type === 'request' && fitsRequest(row, state)) {
    writeRequest(out, state, row, intern);
    return;
  }
  // Every kind but the usual request has its length before it, so that an older reader can step over a newer kind.
  const body = new ByteWriter();
  if (row.type === 'model-event') writeModelEvent(body, row, intern);
  else body.string(JSON.stringify(row.type === 'request' ? shortened(row) : row));
  out.uint((row.type === 'model-event' ? KIND_MODEL_EVENT : KIND_JSON) * 2 + 1);
  out.block(body.toBytes());
}

function readRow(input: ByteReader, state: ItemState, dictionary: readonly string[]): TailRow | null {
  const head = input.uint();
  if (head % 2 === 0) return readRequest(input, state, head / 2, dictionary);
  const body = new ByteReader(input.block());
  switch ((head - 1) / 2) {
    case KIND_MODEL_EVENT:
      return readModelEvent(body, dictionary);
    case KIND_JSON:
      return readJson(body);
    default:
      return null;
  }
}

/** Its log lines are left out: the tail is small, and a failed start that still counts stands in the fleet document. */
function writeModelEvent(out: ByteWriter, event: ModelEvent, intern: InternString): void {
  writeText(out, event.hostId, intern);
  writeText(out, event.modelId, intern);
  out.int(event.at);
  writeNullableText(out, event.from, intern);
  writeText(out, event.to, intern);
  writeNullableText(out, event.reason === null ? null : capText(event.reason), () => null);
}

function readModelEvent(input: ByteReader, dictionary: readonly string[]): ModelEvent {
  return {
    type: 'model-event',
    hostId: readHost(input, dictionary),
    modelId: readText(input, dictionary),
    at: time(input.int()),
    from: readNullableText(input, dictionary),
    to: readText(input, dictionary),
    reason: readNullableText(input, dictionary),
  };
}

/** The JSON form: the schema decides, since anything may stand in it. */
function readJson(input: ByteReader): TailRow | null {
  const text = input.string();
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new CorruptBytesError('a row is not JSON');
  }
  return activityRow.safeParse(value).data ?? null;
}

/** What the compact form does to a row's text and speeds, for the JSON form. */
function shortened(row: ActivityRequest): ActivityRequest {
  return {
    ...row,
    promptPerSecond: quantiseSpeed(row.promptPerSecond),
    tokensPerSecond: quantiseSpeed(row.tokensPerSecond),
    error: row.error === null ? null : capText(row.error),
  };
}
