import type { ActivityRequest } from '#shared/schemas/activity.ts';
import { CorruptBytesError } from './bytes.ts';
import type { ByteReader, ByteWriter } from './bytes.ts';
import { fromHundredths, toHundredths } from './speed.ts';
import { certaintyOf, isMatched } from './source-certainty.ts';
import { capText, readHost, readText, time, writeText } from './tail-text.ts';
import type { InternString } from './tail-text.ts';

/** Times are written relative to 2026-01-01: five bytes instead of six for the next decades. */
const TIME_BASE = Date.UTC(2026, 0, 1);
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
  /** The source is `matched`; without it a source is `exact`. */
  matched: 4096,
} as const;

const KNOWN_FLAGS = Object.values(FLAG).reduce((all, flag) => all + flag, 0);

/** What deltas inside one item refer to; writer and reader advance it alike. */
export class ItemState {
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

/** False for numbers the compact form cannot hold (negative, or a difference past 2^53): those rows go as JSON. */
export function fitsRequest(row: ActivityRequest, state: ItemState): boolean {
  const counts = [row.inputTokens, row.outputTokens, row.cachedTokens, row.durationMs];
  return (
    counts.every((count) => count === null || count >= 0) &&
    [row.promptPerSecond, row.tokensPerSecond].every((speed) => (toHundredths(speed) ?? 0) >= 0) &&
    Number.isSafeInteger(row.endedAt - state.lastTime) &&
    Number.isSafeInteger((row.status ?? HTTP_OK) - HTTP_OK)
  );
}

/** Writes a request: its head is its flags, doubled, so even. */
export function writeRequest(
  out: ByteWriter,
  state: ItemState,
  row: ActivityRequest,
  intern: InternString,
): void {
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
    (isMatched(row) ? FLAG.matched : 0) |
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

/** Reads what {@link writeRequest} wrote after the head. */
export function readRequest(
  input: ByteReader,
  state: ItemState,
  flags: number,
  dictionary: readonly string[],
): ActivityRequest {
  // A flag of a newer writer announces bytes that cannot be told from the next field's.
  if (flags > KNOWN_FLAGS) throw new CorruptBytesError('flags of a newer version');
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
    sourceCertainty: certaintyOf(source, (flags & FLAG.matched) !== 0),
  };
}

function natural(value: number): number {
  if (Number.isSafeInteger(value) && value >= 0) return value;
  throw new CorruptBytesError('an id is out of range');
}
