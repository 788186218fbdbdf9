import { z } from 'zod';
import { must } from '#shared/lib/assert.ts';
import type { PerformanceStore, StoredPerformance } from '../../domain/performance-ports.ts';
import type { PerformanceCursor } from '../../domain/performance-readings.ts';
import { hourOf } from '../../domain/segment-policy.ts';
import type { Connection } from './connection.ts';
import { ensureGpuRef, gpuRefs } from './gpu-ref.ts';
import { ensureHostRef, findHostRef } from './host-ref.ts';
import {
  GPU_COLUMNS,
  gpuValues,
  SYSTEM_COLUMNS,
  systemValues,
  toGpuSample,
  toSystemSample,
  type GpuRow,
  type SystemRow,
} from './performance-columns.ts';

const HOUR_MS = 3_600_000;
/** Newest samples of the machine that `latest` gives: enough to see that a card missed some. */
const LATEST_SYSTEM = 8;

const INSERT_SYSTEM = `INSERT INTO perf_system_sample (host_no, ${SYSTEM_COLUMNS})
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`;
const INSERT_GPU = `INSERT INTO perf_gpu_sample (gpu_no, ${GPU_COLUMNS})
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`;
const TOUCH_CHUNK = `INSERT INTO perf_chunk (host_no, hour, received_at, behind) VALUES (?, ?, ?, 1)
  ON CONFLICT (host_no, hour) DO UPDATE SET received_at = excluded.received_at, behind = 1`;
const PUT_CURSOR = `INSERT INTO perf_cursor (host_no, newest_at, counters) VALUES (?, ?, ?)
  ON CONFLICT (host_no) DO UPDATE SET newest_at = excluded.newest_at, counters = excluded.counters`;
const CURSOR = 'SELECT newest_at AS newestAt, counters FROM perf_cursor WHERE host_no = ?';
const READ_SYSTEM = `SELECT ${SYSTEM_COLUMNS} FROM perf_system_sample
  WHERE host_no = ? AND at >= ? AND at < ? ORDER BY at`;
const READ_GPU = `SELECT ${GPU_COLUMNS} FROM perf_gpu_sample WHERE gpu_no = ? AND at >= ? AND at < ? ORDER BY at`;
const LAST_SYSTEM = `SELECT ${SYSTEM_COLUMNS} FROM perf_system_sample WHERE host_no = ? ORDER BY at DESC LIMIT ?`;
const LAST_GPU = `SELECT ${GPU_COLUMNS} FROM perf_gpu_sample WHERE gpu_no = ? ORDER BY at DESC LIMIT 1`;
const BEHIND = `SELECT h.host_id AS hostId, c.hour FROM perf_chunk c JOIN host_ref h ON h.no = c.host_no
  WHERE c.behind = 1 AND c.received_at < ? AND (c.received_at < ? OR EXISTS (
    SELECT 1 FROM perf_chunk newer WHERE newer.host_no = c.host_no AND newer.hour > c.hour))
  ORDER BY c.hour, c.host_no LIMIT ?`;
const SETTLE = 'UPDATE perf_chunk SET behind = 0 WHERE host_no = ? AND hour = ?';
const OLD = `SELECT h.host_id AS hostId, c.hour FROM perf_chunk c JOIN host_ref h ON h.no = c.host_no
  WHERE c.received_at < ? AND c.behind = 0 ORDER BY c.received_at LIMIT 1`;
const DELETE_SYSTEM = `DELETE FROM perf_system_sample WHERE host_no = ? AND at IN (
  SELECT at FROM perf_system_sample WHERE host_no = ? AND at >= ? AND at < ? LIMIT ?)`;
const DELETE_GPU = `DELETE FROM perf_gpu_sample WHERE gpu_no = ? AND at IN (
  SELECT at FROM perf_gpu_sample WHERE gpu_no = ? AND at >= ? AND at < ? LIMIT ?)`;
const DELETE_CHUNK = 'DELETE FROM perf_chunk WHERE host_no = ? AND hour = ?';

const storedCounters = z.object({
  at: z.number(),
  net: z.array(z.object({ name: z.string(), received: z.number(), sent: z.number() })),
});

/** Raw samples in SQLite. */
export function createPerformanceStore(connection: Connection): PerformanceStore {
  return {
    cursor(hostId) {
      const ref = findHostRef(connection, hostId);
      const row = connection
        .statement<{ newestAt: number; counters: string | null }>(CURSOR)
        .get(ref?.no ?? 0);
      return row ? { newestAt: row.newestAt, counters: readCounters(row.counters) } : null;
    },
    insert(hostId, { system, gpus, cursor }, receivedAt) {
      const { no } = ensureHostRef(connection, hostId);
      const hours = new Set<number>();
      for (const sample of system) {
        const { changes } = connection.statement(INSERT_SYSTEM).run(no, ...systemValues(sample));
        if (changes > 0) hours.add(hourOf(sample.at));
      }
      for (const { gpu, readings } of gpus) {
        const gpuNo = ensureGpuRef(connection, no, gpu);
        if (gpuNo === null) continue;
        for (const reading of readings) {
          const { changes } = connection.statement(INSERT_GPU).run(gpuNo, ...gpuValues(reading));
          if (changes > 0) hours.add(hourOf(reading.at));
        }
      }
      for (const hour of hours) connection.statement(TOUCH_CHUNK).run(no, hour, receivedAt);
      const counters = cursor.counters && JSON.stringify(cursor.counters);
      connection.statement(PUT_CURSOR).run(no, cursor.newestAt, counters);
    },
    read: (hostId, from, to) => readPerformance(connection, { hostId, from, to }),
    latest(hostId) {
      const ref = findHostRef(connection, hostId);
      if (!ref) return { system: [], gpus: [] };
      const system = connection.statement<SystemRow>(LAST_SYSTEM).all(ref.no, LATEST_SYSTEM);
      const gpus = gpuRefs(connection, ref.no).flatMap(({ no, gpu }) => {
        const row = connection.statement<GpuRow>(LAST_GPU).get(no);
        return row ? [{ gpu, readings: [toGpuSample(row)] }] : [];
      });
      return { system: system.map(toSystemSample).toReversed(), gpus };
    },
    chunksBehind: ({ quietSince, hourStart, limit }) =>
      connection.statement<{ hostId: string; hour: number }>(BEHIND).all(quietSince, hourStart, limit),
    settleChunk({ hostId, hour }) {
      connection.statement(SETTLE).run(findHostRef(connection, hostId)?.no ?? 0, hour);
    },
    oldChunk: (before) => connection.statement<{ hostId: string; hour: number }>(OLD).get(before) ?? null,
    deleteSome({ hostId, hour }, limit) {
      const { no } = must(findHostRef(connection, hostId), `host ${hostId}`);
      const span = [hour * HOUR_MS, (hour + 1) * HOUR_MS] as const;
      let deleted = connection.statement(DELETE_SYSTEM).run(no, no, ...span, limit).changes;
      for (const { no: gpuNo } of gpuRefs(connection, no)) {
        if (deleted >= limit) break;
        deleted += connection.statement(DELETE_GPU).run(gpuNo, gpuNo, ...span, limit - deleted).changes;
      }
      if (deleted < limit) connection.statement(DELETE_CHUNK).run(no, hour);
      return deleted;
    },
    deleteHost(hostId) {
      const ref = findHostRef(connection, hostId);
      if (!ref) return;
      for (const { no } of gpuRefs(connection, ref.no)) {
        connection.statement('DELETE FROM perf_gpu_sample WHERE gpu_no = ?').run(no);
      }
      for (const table of ['perf_system_sample', 'perf_chunk', 'perf_cursor']) {
        connection.statement(`DELETE FROM ${table} WHERE host_no = ?`).run(ref.no);
      }
    },
  };
}

/** Samples of a host over some time; also used by threads with a connection of their own. */
export function readPerformance(
  connection: Connection,
  { hostId, from, to }: { readonly hostId: string; readonly from: number; readonly to: number },
): StoredPerformance {
  const ref = findHostRef(connection, hostId);
  if (!ref) return { system: [], gpus: [] };
  const system = connection.statement<SystemRow>(READ_SYSTEM).all(ref.no, from, to).map(toSystemSample);
  const gpus = gpuRefs(connection, ref.no)
    .map(({ no, gpu }) => {
      const readings = connection.statement<GpuRow>(READ_GPU).all(no, from, to).map(toGpuSample);
      return { gpu, readings };
    })
    .filter(({ readings }) => readings.length > 0);
  return { system, gpus };
}

/** Counters that cannot be read cost one rate, nothing else. */
function readCounters(text: string | null): PerformanceCursor['counters'] {
  if (text === null) return null;
  return storedCounters.safeParse(JSON.parse(text)).data ?? null;
}
