import { activityRow } from '#shared/schemas/activity.ts';
import type { ActivityGap, ActivityRequest } from '#shared/schemas/activity.ts';
import { hostId } from '#shared/schemas/ids.ts';
import type { ModelEvent } from '#shared/schemas/model.ts';
import { ByteReader, ByteWriter, CorruptBytesError } from './bytes.ts';
import { fromHundredths, quantiseSpeed, toHundredths } from './speed.ts';

/** A row of the tail document: what {@link ActivityRequest}, {@link ActivityGap} or {@link ModelEvent} describe. */
export type TailRow = ActivityRequest | ActivityGap | ModelEvent;

/** Longest error text (UTF-16 units) in the tail; SQLite and segments hold it whole. */
export const TAIL_TEXT_LIMIT = 120;

/** Turns strings into dictionary references while writing; null means "not in the dictionary, write it inline". */
export type InternString = (text: string) => number | null;

const VERSION = 1;
/** Gaps, and any row the compact forms cannot hold: rare, so JSON will do. */
const KIND_JSON = 1;
const KIND_MODEL_EVENT = 2;

/** Times are written relative to 2026-01-01: five bytes instead of six for the next decades. */
const TIME_BASE = Date.UTC(2026, 0, 1);
const MAX_TIME = 8.64e15;
const HTTP_OK = 200;

/** Bits of a request's head. A set bit is the rarer case, so that a usual row's head is one byte. */
const FLAG = {
  newHost: 1,
  capture: 2,
  noCachedTokens: 4,
  noPromptSpeed: 8,
  noSpeed: 16,
  source: 32,
  error: 64,
  noStatus: 128,
  noInput: 256,
  noOutput: 512,
  noDuration: 1024,
  noPath: 2048,
} as const;

/** What deltas inside one item refer to; writer and reader advance it alike. */
class ItemState {
  lastTime = TIME_BASE;
  lastHost: string | null = null;
  readonly hosts = new Map<string, { idEpoch: number; id: number }>();

  host(hostId: string): { idEpoch: number; id: number } {
    let last = this.hosts.get(hostId);
    if (!last) {
      last = { idEpoch: 0, id: 0 };
      this.hosts.set(hostId, last);
    }
    return last;
  }
}

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

/** False for numbers the compact form cannot hold (negative, or a difference past 2^53): those rows go as JSON. */
function fitsRequest(row: ActivityRequest, state: ItemState): boolean {
  const counts = [row.inputTokens, row.outputTokens, row.cachedTokens, row.durationMs];
  return (
    counts.every((count) => count === null || count >= 0) &&
    [row.promptPerSecond, row.tokensPerSecond].every((speed) => (toHundredths(speed) ?? 0) >= 0) &&
    Number.isSafeInteger(row.endedAt - state.lastTime) &&
    Number.isSafeInteger((row.status ?? HTTP_OK) - HTTP_OK)
  );
}

function writeRequest(out: ByteWriter, state: ItemState, row: ActivityRequest, intern: InternString): void {
  const promptSpeed = toHundredths(row.promptPerSecond);
  const speed = toHundredths(row.tokensPerSecond);
  const last = state.host(row.hostId);
  const flags =
    (row.hostId === state.lastHost && row.idEpoch === last.idEpoch ? 0 : FLAG.newHost) |
    (row.hasCapture ? FLAG.capture : 0) |
    (row.cachedTokens === null ? FLAG.noCachedTokens : 0) |
    (promptSpeed === null ? FLAG.noPromptSpeed : 0) |
    (speed === null ? FLAG.noSpeed : 0) |
    (row.source === null ? 0 : FLAG.source) |
    (row.error === null ? 0 : FLAG.error) |
    (row.status === null ? FLAG.noStatus : 0) |
    (row.inputTokens === null ? FLAG.noInput : 0) |
    (row.outputTokens === null ? FLAG.noOutput : 0) |
    (row.durationMs === null ? FLAG.noDuration : 0) |
    (row.path === null ? FLAG.noPath : 0);
  out.uint(flags * 2);
  if (flags & FLAG.newHost) {
    writeText(out, row.hostId, intern);
    out.int(row.idEpoch - last.idEpoch);
  }
  out.int(row.id - last.id);
  writeText(out, row.modelId, intern);
  if (row.path !== null) writeText(out, row.path, intern);
  out.int(row.endedAt - state.lastTime);
  if (row.status !== null) out.int(row.status - HTTP_OK);
  if (row.inputTokens !== null) out.uint(row.inputTokens);
  if (row.outputTokens !== null) out.uint(row.outputTokens);
  if (row.cachedTokens !== null) out.uint(row.cachedTokens);
  if (promptSpeed !== null) out.uint(promptSpeed);
  if (speed !== null) out.uint(speed);
  if (row.durationMs !== null) out.uint(row.durationMs);
  if (row.source !== null) writeText(out, row.source, intern);
  if (row.error !== null) out.string(capText(row.error));
  last.idEpoch = row.idEpoch;
  last.id = row.id;
  state.lastTime = row.endedAt;
  state.lastHost = row.hostId;
}

function readRequest(
  input: ByteReader,
  state: ItemState,
  flags: number,
  dictionary: readonly string[],
): ActivityRequest {
  const host = flags & FLAG.newHost ? readHost(input, dictionary) : state.lastHost;
  if (host === null) throw new CorruptBytesError('the first row of an item names no host');
  const last = state.host(host);
  if (flags & FLAG.newHost) last.idEpoch = natural(last.idEpoch + input.int());
  last.id = natural(last.id + input.int());
  state.lastHost = host;
  const modelId = readText(input, dictionary);
  const path = flags & FLAG.noPath ? null : readText(input, dictionary);
  state.lastTime = time(state.lastTime + input.int());
  const status = flags & FLAG.noStatus ? null : input.int() + HTTP_OK;
  const inputTokens = flags & FLAG.noInput ? null : input.uint();
  const outputTokens = flags & FLAG.noOutput ? null : input.uint();
  const cachedTokens = flags & FLAG.noCachedTokens ? null : input.uint();
  const promptPerSecond = flags & FLAG.noPromptSpeed ? null : fromHundredths(input.uint());
  const tokensPerSecond = flags & FLAG.noSpeed ? null : fromHundredths(input.uint());
  const durationMs = flags & FLAG.noDuration ? null : input.uint();
  const source = flags & FLAG.source ? readText(input, dictionary) : null;
  const error = flags & FLAG.error ? input.string() : null;
  return {
    type: 'request',
    hostId: host,
    idEpoch: last.idEpoch,
    id: last.id,
    modelId,
    path,
    endedAt: state.lastTime,
    status,
    inputTokens,
    outputTokens,
    cachedTokens,
    promptPerSecond,
    tokensPerSecond,
    durationMs,
    hasCapture: (flags & FLAG.capture) !== 0,
    error,
    source,
  };
}

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

/** 0: inline text follows; n: dictionary entry n − 1. */
function writeText(out: ByteWriter, text: string, intern: InternString): void {
  const index = intern(text);
  out.uint(index === null ? 0 : index + 1);
  if (index === null) out.string(text);
}

function readText(input: ByteReader, dictionary: readonly string[]): string {
  return resolveText(input, input.uint(), dictionary);
}

/** 0: null; otherwise one more than {@link writeText} writes. */
function writeNullableText(out: ByteWriter, text: string | null, intern: InternString): void {
  if (text === null) {
    out.uint(0);
    return;
  }
  const index = intern(text);
  out.uint(index === null ? 1 : index + 2);
  if (index === null) out.string(text);
}

function readNullableText(input: ByteReader, dictionary: readonly string[]): string | null {
  const reference = input.uint();
  return reference === 0 ? null : resolveText(input, reference - 1, dictionary);
}

function resolveText(input: ByteReader, reference: number, dictionary: readonly string[]): string {
  if (reference === 0) return input.string();
  const text = dictionary[reference - 1];
  if (text === undefined) throw new CorruptBytesError('a reference past the end of the dictionary');
  return text;
}

function readHost(input: ByteReader, dictionary: readonly string[]): string {
  const text = readText(input, dictionary);
  if (!hostId.safeParse(text).success) throw new CorruptBytesError('not a host id');
  return text;
}

function natural(value: number): number {
  if (Number.isSafeInteger(value) && value >= 0) return value;
  throw new CorruptBytesError('an id is out of range');
}

function time(value: number): number {
  if (Math.abs(value) <= MAX_TIME) return value;
  throw new CorruptBytesError('a time is out of range');
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

/** The first {@link TAIL_TEXT_LIMIT} units of `text`, not cut inside a surrogate pair; the last one is `…` when it is longer. */
function capText(text: string): string {
  if (text.length <= TAIL_TEXT_LIMIT) return text;
  const cut = text.slice(0, TAIL_TEXT_LIMIT - 1);
  return `${/[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut}…`;
}
