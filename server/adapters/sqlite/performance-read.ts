import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { GpuSeries, PerformanceAnswer, PerformanceRow } from '#shared/schemas/performance.ts';
import { ROLLUP_MS } from '#shared/schemas/performance.ts';
import { encodeSegment } from '#sync/segment-codec.ts';
import type { PerformanceRead } from '../../domain/performance-query.ts';
import { rollUpGpu, rollUpSystem } from '../../domain/performance-rollup.ts';
import { markStale } from '../../domain/performance-ticks.ts';
import { rollUpChunk } from '../../domain/roll-up-chunk.ts';
import type { Connection } from './connection.ts';
import { findHostRef } from './host-ref.ts';
import { readPerformance } from './performance-store.ts';
import { readHostRollups } from './rollup-store.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const BEHIND = 'SELECT hour FROM perf_chunk WHERE host_no = ? AND behind = 1 AND hour BETWEEN ? AND ?';

/** A day of a host as a segment of every sample, with its hash. */
export interface PerformanceDay {
  readonly bytes: Uint8Array;
  readonly hash: string;
}

/** Answers a query; null for a host of which nothing was ever recorded. */
export function answerPerformance(connection: Connection, read: PerformanceRead): PerformanceAnswer | null {
  if (!findHostRef(connection, read.hostId)) return null;
  const { stepMs } = read;
  const { system, gpus } =
    read.source === 'samples' ? samplesOf(connection, read) : rollupsOf(connection, read);
  const isDone = stepMs === 0 || (read.source === 'rollups' && stepMs === ROLLUP_MS);
  return {
    stepMs,
    system: isDone ? [...system] : rollUpSystem(system, stepMs),
    gpus: gpus.map((one) => (isDone ? one : { ...one, samples: rollUpGpu(one.samples, stepMs) })),
  };
}

/** Every sample of a host and UTC day of its own clock; null when there are none. */
export function packDay(connection: Connection, hostId: string, day: number): PerformanceDay | null {
  const { system, gpus } = samplesOf(connection, { hostId, from: day * DAY_MS, to: (day + 1) * DAY_MS });
  const rows: PerformanceRow[] = [
    ...system.map((sample): PerformanceRow => ({ hostId, gpu: null, sample })),
    ...gpus.flatMap(({ samples, ...gpu }) =>
      samples.map((sample): PerformanceRow => ({ hostId, gpu, sample })),
    ),
  ];
  if (rows.length === 0) return null;
  const bytes = new Uint8Array(gzipSync(encodeSegment('perf-raw', rows), { level: 6 }));
  return { bytes, hash: createHash('sha256').update(bytes).digest('hex') };
}

type Series = Pick<PerformanceAnswer, 'system' | 'gpus'>;
type Span = Pick<PerformanceRead, 'hostId' | 'from' | 'to'>;

function samplesOf(connection: Connection, span: Span): Series {
  const { system, gpus } = readPerformance(connection, span);
  const times = system.map(({ at }) => at);
  return {
    system: [...system],
    gpus: gpus.map(({ gpu, readings }) => ({ ...gpu, samples: [...markStale(readings, times)] })),
  };
}

/** Rollups, and those of hours that are not rolled up yet; each series oldest first. */
function rollupsOf(connection: Connection, span: Span): Series {
  const { hostId, from, to } = span;
  const stored = readHostRollups(connection, span);
  const fresh = hoursBehind(connection, span)
    .flatMap((hour) => {
      const chunk = { hostId, from: hour * HOUR_MS, to: (hour + 1) * HOUR_MS };
      return rollUpChunk(hostId, readPerformance(connection, chunk));
    })
    .filter(({ sample }) => sample.at >= from && sample.at < to);
  // Of a quarter of rollups only the last hour can be there twice.
  const since = fresh.reduce((first, { sample }) => Math.min(first, sample.at), Number.POSITIVE_INFINITY);
  const older = stored.filter(({ sample }) => sample.at < since);
  const newer = stored.filter(({ sample }) => sample.at >= since);
  const ordered = [...older, ...ofMoreSamples([...newer, ...fresh])];
  const cards = new Map<string, GpuSeries>();
  for (const row of ordered) {
    if (row.gpu === null) continue;
    const card = cards.get(row.gpu.key) ?? { ...row.gpu, samples: [] };
    card.samples.push(row.sample);
    cards.set(row.gpu.key, card);
  }
  return {
    system: ordered.flatMap((row) => (row.gpu === null ? [row.sample] : [])),
    gpus: [...cards.values()].sort((a, b) => (a.id ?? 0) - (b.id ?? 0)),
  };
}

/** Of two rows for the same five minutes the one of more samples, oldest first. */
function ofMoreSamples(rows: readonly PerformanceRow[]): PerformanceRow[] {
  const kept = new Map<string, PerformanceRow>();
  for (const row of rows) {
    const { at, samples = 0 } = row.sample;
    const name = `${at} ${row.gpu?.key ?? ''}`;
    if ((kept.get(name)?.sample.samples ?? -1) < samples) kept.set(name, row);
  }
  return [...kept.values()].sort((a, b) => a.sample.at - b.sample.at);
}

function hoursBehind(connection: Connection, { hostId, from, to }: Span): number[] {
  const hostNo = findHostRef(connection, hostId)?.no ?? 0;
  const bounds = [Math.floor(from / HOUR_MS), Math.floor(to / HOUR_MS)] as const;
  return connection
    .statement<{ hour: number }>(BEHIND)
    .all(hostNo, ...bounds)
    .map(({ hour }) => hour);
}
