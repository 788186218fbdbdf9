import type { InFlight, InFlightRequest } from '#shared/schemas/in-flight.ts';
import { CorruptBytesError } from './bytes.ts';
import type { ByteReader, ByteWriter } from './bytes.ts';
import type { PerformancePatch } from './live-performance.ts';
import type { PresencePatch } from './live-presence.ts';

/** What changed of a host's status; a field left out is as it was. `index` is the host's place in the snapshot's table. */
export interface StatusPatch {
  readonly index: number;
  readonly lastSeenAt?: number | null;
  readonly inFlight?: number | null;
}

/** What runs on a host now; null when nothing is known any more. */
export interface InFlightPatch {
  readonly index: number;
  readonly value: Omit<InFlight, 'hostId'> | null;
}

/** Values of one topic, in ascending order of their index. */
export type LiveValues =
  | { readonly topic: 'status'; readonly patches: readonly StatusPatch[] }
  | { readonly topic: 'in-flight'; readonly patches: readonly InFlightPatch[] }
  | { readonly topic: 'presence'; readonly patches: readonly PresencePatch[] }
  | { readonly topic: 'performance'; readonly patches: readonly PerformancePatch[] };

const SEEN = 1;
const SEEN_NEVER = 2;
const COUNT = 4;
const FLAG_VALUES = 8;
/** What is known of a request besides. */
const ELAPSED = 1;
const BYTES = 2;
const MAX_TIME = 8.64e15;

/** Steps between indexes share a number with what follows: usually one byte, and two for the age of `lastSeenAt`. */
export function writeStatuses(out: ByteWriter, at: number, patches: readonly StatusPatch[]): void {
  let last = -1;
  for (const { index, lastSeenAt, inFlight } of patches) {
    const seen = lastSeenAt === undefined ? 0 : lastSeenAt === null ? SEEN_NEVER : SEEN;
    out.uint((index - last - 1) * FLAG_VALUES + seen + (inFlight === undefined ? 0 : COUNT));
    if (lastSeenAt !== undefined && lastSeenAt !== null) out.int(at - lastSeenAt);
    if (inFlight !== undefined) out.uint(inFlight === null ? 0 : inFlight + 1);
    last = index;
  }
}

/** Reads to the end what {@link writeStatuses} wrote. */
export function readStatuses(input: ByteReader, at: number): StatusPatch[] {
  const patches: StatusPatch[] = [];
  let last = -1;
  while (input.remaining > 0) {
    const head = input.uint();
    const index = last + 1 + Math.floor(head / FLAG_VALUES);
    const flags = head % FLAG_VALUES;
    const lastSeenAt = flags & SEEN ? time(at - input.int()) : null;
    const inFlight = flags & COUNT ? nullableCount(input) : null;
    patches.push({
      index,
      ...(flags & (SEEN | SEEN_NEVER) ? { lastSeenAt } : {}),
      ...(flags & COUNT ? { inFlight } : {}),
    });
    last = index;
  }
  return patches;
}

/** Each host's requests whole: texts that come twice in a frame are written once. */
export function writeInFlights(out: ByteWriter, at: number, patches: readonly InFlightPatch[]): void {
  const texts = new Map<string, number>();
  const writeText = (text: string | null): void => {
    const known = text === null ? 0 : texts.get(text);
    out.uint(known ?? texts.size + 1);
    if (known !== undefined || text === null) return;
    texts.set(text, texts.size + 1);
    out.string(text);
  };
  for (const { index, value } of patches) {
    out.uint(index * 2 + (value === null ? 0 : 1));
    if (value === null) continue;
    out.int(at - value.observedAt);
    out.uint(value.total === null ? 0 : value.total + 1);
    out.uint(value.requests === null ? 0 : value.requests.length + 1);
    for (const request of value.requests ?? []) {
      out.string(request.id);
      writeText(request.modelId);
      writeText(request.path);
      writeText(request.method);
      writeText(request.source);
      out.int(at - request.observedAt);
      const { elapsedMs, responseBytes } = request;
      out.uint((elapsedMs === null ? 0 : ELAPSED) + (responseBytes === undefined ? 0 : BYTES));
      if (elapsedMs !== null) out.int(elapsedMs);
      if (responseBytes !== undefined) out.uint(responseBytes);
    }
  }
}

/** Reads to the end what {@link writeInFlights} wrote. */
export function readInFlights(input: ByteReader, at: number): InFlightPatch[] {
  const texts: string[] = [];
  const readText = (): string | null => {
    const reference = input.uint();
    if (reference === 0) return null;
    if (reference > texts.length + 1) throw new CorruptBytesError('a reference past the end');
    if (reference === texts.length + 1) texts.push(input.string());
    return texts[reference - 1] ?? null;
  };
  const readRequest = (): InFlightRequest => {
    const request = {
      id: input.string(),
      modelId: readText() ?? '',
      path: readText(),
      method: readText(),
      source: readText(),
      observedAt: time(at - input.int()),
    };
    const flags = input.uint();
    const elapsedMs = flags & ELAPSED ? input.int() : null;
    return { ...request, elapsedMs, ...(flags & BYTES ? { responseBytes: input.uint() } : {}) };
  };
  const patches: InFlightPatch[] = [];
  while (input.remaining > 0) {
    const head = input.uint();
    const index = Math.floor(head / 2);
    if (head % 2 === 0) {
      patches.push({ index, value: null });
      continue;
    }
    const observedAt = time(at - input.int());
    const total = nullableCount(input);
    const count = nullableCount(input);
    // A request takes at least its seven numbers.
    if (count !== null && count * 7 > input.remaining)
      throw new CorruptBytesError('more requests than bytes');
    const requests = count === null ? null : Array.from({ length: count }, readRequest);
    patches.push({ index, value: { total, requests, observedAt } });
  }
  return patches;
}

/** 0 is null, n is n − 1. */
function nullableCount(input: ByteReader): number | null {
  const value = input.uint();
  return value === 0 ? null : value - 1;
}

function time(value: number): number {
  if (Math.abs(value) <= MAX_TIME) return value;
  throw new CorruptBytesError('a time is out of range');
}
