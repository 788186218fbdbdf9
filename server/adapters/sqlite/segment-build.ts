import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { ActivityRow } from '#shared/schemas/activity.ts';
import type { ModelEvent } from '#shared/schemas/model.ts';
import { ROLLUP_MS } from '#shared/schemas/performance.ts';
import type { PerformanceRow } from '#shared/schemas/performance.ts';
import { encodeSegment } from '#sync/segment-codec.ts';
import { SEGMENT_MAX_BYTES, SEGMENT_MAX_RAW_BYTES } from '../../domain/segment-policy.ts';
import type { BuildRequest, BuiltSegment, SeqRange } from '../../domain/store-ports.ts';
import { readActivity } from './activity-store.ts';
import type { Connection } from './connection.ts';
import { readModelEvents } from './model-event-store.ts';
import { readRollups } from './rollup-store.ts';

/**
 * Builds the segment of some committed rows: one, or several when long texts make it larger than a segment may be.
 * Ranges none of whose rows exist any more give one without rows.
 */
export function buildSegments(connection: Connection, request: BuildRequest): BuiltSegment[] {
  const { segment, rawBytes } = build(connection, request);
  const isTooLarge = segment.bytes.byteLength > SEGMENT_MAX_BYTES || rawBytes > SEGMENT_MAX_RAW_BYTES;
  const halves = isTooLarge ? halve(request.ranges) : null;
  if (!halves) return [segment];
  return halves.flatMap((ranges) => buildSegments(connection, { ...request, ranges }));
}

interface Packed {
  readonly segment: BuiltSegment;
  readonly rawBytes: number;
}

function build(connection: Connection, { kind, ranges }: BuildRequest): Packed {
  switch (kind) {
    case 'activity': {
      const rows = readActivity(connection, ranges);
      return pack(encodeSegment(kind, rows), rows.map(timeOf), ranges);
    }
    case 'model-events': {
      const events = readModelEvents(connection, ranges);
      return pack(encodeSegment(kind, events), events.map(timeOf), ranges);
    }
    case 'perf-5m': {
      // Series by series: what a chart draws, and a third of the bytes.
      const rollups = readRollups(connection, ranges).sort(bySeries);
      const times = rollups.flatMap(({ sample }) => [sample.at, sample.at + ROLLUP_MS - 1]);
      return pack(encodeSegment(kind, rollups), times, ranges, rollups.length);
    }
  }
}

function pack(
  raw: Uint8Array,
  times: readonly number[],
  ranges: readonly SeqRange[],
  rows = times.length,
): Packed {
  const bytes = new Uint8Array(gzipSync(raw, { level: 6 }));
  const segment: BuiltSegment = {
    bytes,
    hash: createHash('sha256').update(bytes).digest('hex'),
    rows,
    from: times.reduce((a, b) => Math.min(a, b), times[0] ?? 0),
    to: times.reduce((a, b) => Math.max(a, b), times[0] ?? 0),
    ranges,
  };
  return { segment, rawBytes: raw.byteLength };
}

function bySeries(a: PerformanceRow, b: PerformanceRow): number {
  if (a.hostId !== b.hostId) return a.hostId < b.hostId ? -1 : 1;
  const [keyA, keyB] = [a.gpu?.key ?? '', b.gpu?.key ?? ''];
  if (keyA !== keyB) return keyA < keyB ? -1 : 1;
  return a.sample.at - b.sample.at;
}

function timeOf(row: ActivityRow | ModelEvent): number {
  return row.type === 'model-event' ? row.at : row.endedAt;
}

/** Two halves with about as many rows each; null when there is one row only. */
function halve(ranges: readonly SeqRange[]): readonly [readonly SeqRange[], readonly SeqRange[]] | null {
  const total = ranges.reduce((sum, range) => sum + range.toSeq - range.fromSeq + 1, 0);
  if (total < 2) return null;
  const first: SeqRange[] = [];
  const second: SeqRange[] = [];
  let room = Math.floor(total / 2);
  for (const range of ranges) {
    const rows = range.toSeq - range.fromSeq + 1;
    const taken = Math.min(rows, room);
    room -= taken;
    if (taken > 0) first.push({ ...range, toSeq: range.fromSeq + taken - 1 });
    if (taken < rows) second.push({ ...range, fromSeq: range.fromSeq + taken });
  }
  return [first, second];
}
