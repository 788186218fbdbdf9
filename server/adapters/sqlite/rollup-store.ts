import type { GpuIdentity, GpuSample, PerformanceRow, SystemSample } from '#shared/schemas/performance.ts';
import type { RollupStore } from '../../domain/performance-ports.ts';
import type { SeqRange } from '../../domain/store-ports.ts';
import type { Connection } from './connection.ts';
import { countRows } from './count-rows.ts';
import { ensureGpuRef } from './gpu-ref.ts';
import { ensureHostRef, findHostRef } from './host-ref.ts';
import {
  gpuReadingsText,
  systemReadingsText,
  toGpuRollup,
  toSystemRollup,
  withoutStale,
} from './rollup-columns.ts';

interface RollupRow {
  readonly host_id: string;
  readonly gpu_no: number;
  readonly key: string | null;
  readonly gpu_id: number | null;
  readonly name: string | null;
  readonly uuid: string | null;
  readonly at: number;
  readonly samples: number;
  readonly readings: string;
}

const NEXT_SEQ = `SELECT 1 + max(
    ifnull((SELECT max(seq) FROM perf_rollup), 0),
    ifnull((SELECT max(to_seq) FROM seq_range WHERE kind = 'perf-5m'), 0)) AS seq`;
const FIND = 'SELECT seq, samples, readings FROM perf_rollup WHERE host_no = ? AND gpu_no = ? AND at = ?';
const INSERT =
  'INSERT INTO perf_rollup (seq, host_no, gpu_no, at, samples, readings) VALUES (?, ?, ?, ?, ?, ?)';
const SELECT = `SELECT h.host_id, r.gpu_no, g.key, g.gpu_id, g.name, g.uuid, r.at, r.samples, r.readings
  FROM perf_rollup r JOIN host_ref h ON h.no = r.host_no LEFT JOIN perf_gpu g ON g.no = r.gpu_no`;
const READ = `${SELECT} WHERE r.seq BETWEEN ? AND ? ORDER BY r.seq`;
const READ_HOST = `${SELECT} WHERE r.host_no = ? AND r.at >= ? AND r.at < ? ORDER BY r.gpu_no, r.at`;
const DELETE_SOME = `DELETE FROM perf_rollup
  WHERE seq IN (SELECT seq FROM perf_rollup WHERE seq BETWEEN ? AND ? LIMIT ?)`;

/** Rollups in SQLite. */
export function createRollupStore(connection: Connection): RollupStore {
  return {
    put(rows) {
      const fromSeq = connection.statement<{ seq: number }>(NEXT_SEQ).get()?.seq ?? 1;
      const kept: PerformanceRow[] = [];
      const replaced: number[] = [];
      for (const row of rows) {
        const { no: hostNo } = ensureHostRef(connection, row.hostId);
        const gpuNo = row.gpu === null ? 0 : ensureGpuRef(connection, hostNo, row.gpu);
        if (gpuNo === null) continue;
        const readings = row.gpu === null ? systemReadingsText(row.sample) : gpuReadingsText(row.sample);
        const samples = row.sample.samples ?? 1;
        const known = connection
          .statement<{ seq: number; samples: number; readings: string }>(FIND)
          .get(hostNo, gpuNo, row.sample.at);
        if (known && !saysMore({ samples, readings }, known)) continue;
        if (known) {
          connection.statement('DELETE FROM perf_rollup WHERE seq = ?').run(known.seq);
          replaced.push(known.seq);
        }
        const seq = fromSeq + kept.length;
        connection.statement(INSERT).run(seq, hostNo, gpuNo, row.sample.at, samples, readings);
        kept.push(row);
      }
      const toSeq = fromSeq + kept.length - 1;
      return { inserted: kept.length === 0 ? null : { rows: kept, fromSeq, toSeq }, replaced };
    },
    read: (ranges) => readRollups(connection, ranges),
    readHost: (hostId, from, to) => readHostRollups(connection, { hostId, from, to }),
    count: (ranges) => countRows(connection, 'perf_rollup', ranges),
    deleteSome: (range, limit) =>
      connection.statement(DELETE_SOME).run(range.fromSeq, range.toSeq, limit).changes,
    deleteHost(hostId) {
      const ref = findHostRef(connection, hostId);
      if (ref) connection.statement('DELETE FROM perf_rollup WHERE host_no = ?').run(ref.no);
    },
  };
}

/** Rollups of some ranges in order of sequence number; also used by the thread that builds segments. */
export function readRollups(connection: Connection, ranges: readonly SeqRange[]): PerformanceRow[] {
  const read = connection.statement<RollupRow>(READ);
  const ordered = ranges.toSorted((a, b) => a.fromSeq - b.fromSeq);
  return ordered.flatMap(({ fromSeq, toSeq }) => read.all(fromSeq, toSeq).map(toRollup));
}

/** Rollups of a host over some time: the machine's, then each card's, oldest first. */
export function readHostRollups(
  connection: Connection,
  { hostId, from, to }: { readonly hostId: string; readonly from: number; readonly to: number },
): PerformanceRow[] {
  const ref = findHostRef(connection, hostId);
  if (!ref) return [];
  return connection.statement<RollupRow>(READ_HOST).all(ref.no, from, to).map(toRollup);
}

type Rolled = Pick<RollupRow, 'samples' | 'readings'>;

/** Of the same samples only staleness may change, by what comes after; other values are of other samples, worth no more. */
function saysMore(row: Rolled, known: Rolled): boolean {
  if (row.samples !== known.samples) return row.samples > known.samples;
  return row.readings !== known.readings && withoutStale(row.readings) === withoutStale(known.readings);
}

function toRollup(row: RollupRow): PerformanceRow {
  const { host_id: hostId, at, samples, readings } = row;
  if (row.gpu_no === 0) {
    const sample: SystemSample = toSystemRollup({ at, samples, readings });
    return { hostId, gpu: null, sample };
  }
  const gpu: GpuIdentity = {
    key: row.key ?? '',
    id: row.gpu_id,
    name: row.name ?? 'GPU',
    uuid: row.uuid,
  };
  const sample: GpuSample = toGpuRollup({ at, samples, readings });
  return { hostId, gpu, sample };
}
