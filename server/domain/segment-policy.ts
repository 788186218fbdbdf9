import { SEGMENT_MAX_RUNS } from '#shared/schemas/segment.ts';
import type { TailRow, TailSize } from '#sync/tail-codec.ts';
import type { SeqRange, StoredSegment } from './store-ports.ts';

const HOUR_MS = 3_600_000;
const HOURS_PER_DAY = 24;

/** A segment takes this many rows, or this many compressed bytes; then a new part begins. */
export const SEGMENT_MAX_ROWS = 100_000;
/** See {@link SEGMENT_MAX_ROWS}. */
export const SEGMENT_MAX_BYTES = 2 * 1024 * 1024;
/** See {@link SEGMENT_MAX_ROWS}: unpacked, which a phone holds whole. Long texts that repeat pack to almost nothing. */
export const SEGMENT_MAX_RAW_BYTES = 16 * 1024 * 1024;
/** The tail is sealed at this many items or bytes, whichever comes first, and at the hour. */
export const SEAL_ITEMS = 4000;
/** See {@link SEAL_ITEMS}. */
export const SEAL_BYTES = 192 * 1024;
/** The tail never grows past this, also while a seal is being prepared. */
export const TAIL_MAX_BYTES = 250 * 1024;
/** Entries of the manifest in the document: some ten years of a small fleet, or what a phone can list. */
export const MANIFEST_MAX_ENTRIES = 2000;
/** Within an open hour, this many parts of a like size are merged into one: each row is written a few times, not hundreds. */
const MERGE_FAN_IN = 4;

/** Bytes of a row in the tail beside its strings, with room to spare. */
const ROW_BYTES = 40;
const STRING_BYTES = 64;

/** Hours since the epoch, UTC. */
export function hourOf(at: number): number {
  return Math.floor(at / HOUR_MS);
}

/** Milliseconds until the next hour begins. */
export function msToNextHour(at: number): number {
  return (hourOf(at) + 1) * HOUR_MS - at;
}

/** Key of a part of an hour: `2026-11-30T14.0`. */
export function hourKey(hour: number, part: number): string {
  return `${new Date(hour * HOUR_MS).toISOString().slice(0, 13)}.${part}`;
}

/** Key of a part of a day: `2026-11-30.0`. */
export function dayKey(day: number, part: number): string {
  return `${new Date(day * HOURS_PER_DAY * HOUR_MS).toISOString().slice(0, 10)}.${part}`;
}

/** The lowest part of `makeKey` that no key in use has. */
export function freeKey(makeKey: (part: number) => string, used: ReadonlySet<string>): string {
  let part = 0;
  while (used.has(makeKey(part))) part += 1;
  return makeKey(part);
}

/** True when the tail is to be sealed for its size. */
export function tailIsFull(size: TailSize): boolean {
  return size.items >= SEAL_ITEMS || size.bytes >= SEAL_BYTES;
}

/** What rows will take in the tail, at most: short strings once, as in its dictionary, long ones each time. */
export function tailBytesEstimate(rows: readonly TailRow[]): number {
  const counted = new Set<string>();
  let bytes = 0;
  for (const row of rows) {
    bytes += ROW_BYTES;
    for (const text of textsOf(row)) {
      if (text === null || counted.has(text)) continue;
      const length = 3 * text.length;
      if (length <= STRING_BYTES) counted.add(text);
      bytes += length;
    }
  }
  return bytes;
}

function textsOf(row: TailRow): readonly (string | null)[] {
  switch (row.type) {
    case 'request':
      return [row.hostId, row.modelId, row.path, row.source, row.error?.slice(0, 120) ?? null];
    case 'gap':
      return [JSON.stringify(row)];
    case 'model-event':
      return [row.hostId, row.modelId, row.from, row.to, row.reason?.slice(0, 120) ?? null];
  }
}

/** Sorts ranges and joins those that follow each other within an hour. */
export function joinRanges(ranges: readonly SeqRange[]): SeqRange[] {
  const joined: SeqRange[] = [];
  for (const range of ranges.toSorted((a, b) => a.fromSeq - b.fromSeq)) {
    const last = joined.at(-1);
    if (last && last.toSeq + 1 === range.fromSeq && last.hour === range.hour) {
      joined[joined.length - 1] = { ...last, toSeq: range.toSeq };
    } else {
      joined.push(range);
    }
  }
  return joined;
}

/** Receipt numbers of ranges as the manifest lists them, whatever the hour; undefined when they lie in too many runs. */
export function seqsOf(ranges: readonly SeqRange[]): number[] | undefined {
  const runs = joinRanges(ranges.map((range) => ({ ...range, hour: 0 })));
  if (runs.length > SEGMENT_MAX_RUNS) return undefined;
  return runs.flatMap(({ fromSeq, toSeq }) => [fromSeq, toSeq]);
}

/** Rows of one hour that make one segment. */
export interface SealPart {
  readonly hour: number;
  readonly ranges: readonly SeqRange[];
}

/** Open ranges cut into what becomes a segment each: by hour, and by rows within it. */
export function partition(ranges: readonly SeqRange[]): SealPart[] {
  const parts: { hour: number; ranges: SeqRange[]; rows: number }[] = [];
  const byHour = ranges.toSorted((a, b) => a.hour - b.hour || a.fromSeq - b.fromSeq);
  for (const range of byHour) {
    let { fromSeq } = range;
    while (fromSeq <= range.toSeq) {
      let part = parts.at(-1);
      if (!part || part.hour !== range.hour || part.rows >= SEGMENT_MAX_ROWS) {
        part = { hour: range.hour, ranges: [], rows: 0 };
        parts.push(part);
      }
      const toSeq = Math.min(range.toSeq, fromSeq + SEGMENT_MAX_ROWS - part.rows - 1);
      part.ranges.push({ fromSeq, toSeq, hour: range.hour });
      part.rows += toSeq - fromSeq + 1;
      fromSeq = toSeq + 1;
    }
  }
  return parts.map(({ hour, ranges }) => ({ hour, ranges }));
}

/** Segments of one kind to become one, and what keys it may take. */
export interface Merge {
  readonly segments: readonly StoredSegment[];
  readonly makeKey: (part: number) => string;
}

/**
 * The next merge among segments of one kind, or null. Parts of the running hour merge by size; an hour that is over
 * becomes one, and so does a day once it has left the last 24 h; all within the limits of a segment. A day merged at
 * midnight would make every device fetch what it holds once more, and a cold one all of yesterday for a part of it.
 */
export function planMerge(segments: readonly StoredSegment[], now: number): Merge | null {
  const hour = hourOf(now);
  const today = dayOf(hour);
  const byDay = Map.groupBy(segments, ({ firstHour }) => dayOf(firstHour));
  for (const [day, ofDay] of byDay) {
    const group = day < today - 1 ? fillUp(ofDay) : null;
    if (group) return { segments: group, makeKey: (part) => dayKey(day, part) };
  }
  const recent = segments.filter(({ firstHour }) => dayOf(firstHour) >= today - 1);
  const byHour = Map.groupBy(recent, ({ firstHour }) => firstHour);
  for (const [ofHour, parts] of byHour) {
    const group = ofHour < hour ? fillUp(parts) : likeSized(parts);
    if (group) return { segments: group, makeKey: (part) => hourKey(ofHour, part) };
  }
  return null;
}

function dayOf(hour: number): number {
  return Math.floor(hour / HOURS_PER_DAY);
}

/** The first run of at least two neighbours that fit into one segment. */
function fillUp(segments: readonly StoredSegment[]): readonly StoredSegment[] | null {
  const ordered = segments.toSorted((a, b) => a.firstHour - b.firstHour || a.id - b.id);
  let run: StoredSegment[] = [];
  for (const segment of ordered) {
    if (fitTogether([...run, segment])) {
      run.push(segment);
      continue;
    }
    if (run.length > 1) return run;
    run = [segment];
  }
  return run.length > 1 ? run : null;
}

function likeSized(segments: readonly StoredSegment[]): readonly StoredSegment[] | null {
  const tierOf = ({ entry }: StoredSegment): number =>
    Math.floor(Math.log(Math.max(entry.rows, 1)) / Math.log(MERGE_FAN_IN));
  for (const tier of Map.groupBy(segments, tierOf).values()) {
    const group = tier.slice(0, MERGE_FAN_IN);
    if (group.length === MERGE_FAN_IN && fitTogether(group)) return group;
  }
  return null;
}

function fitTogether(segments: readonly StoredSegment[]): boolean {
  const sum = (of: 'rows' | 'bytes'): number => segments.reduce((total, { entry }) => total + entry[of], 0);
  return sum('rows') <= SEGMENT_MAX_ROWS && sum('bytes') <= SEGMENT_MAX_BYTES;
}
