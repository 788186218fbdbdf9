import { must } from '#shared/lib/assert.ts';
import type { GpuIdentity } from '#shared/schemas/performance.ts';
import type { Connection } from './connection.ts';

/** A card as the history tables know it. */
export interface GpuRef {
  readonly no: number;
  readonly gpu: GpuIdentity;
}

interface GpuRefRow {
  readonly no: number;
  readonly key: string;
  readonly gpu_id: number | null;
  readonly name: string;
  readonly uuid: string | null;
}

/** Cards of one host over all time: one that invents another at every sample must not fill the disk. */
const MAX_CARDS = 256;

const COUNT = 'SELECT count(*) AS n FROM perf_gpu WHERE host_no = ?';
const OF_HOST = 'SELECT no, key, gpu_id, name, uuid FROM perf_gpu WHERE host_no = ? ORDER BY gpu_id, no';
const FIND = 'SELECT no, key, gpu_id, name, uuid FROM perf_gpu WHERE host_no = ? AND key = ?';
const INSERT = 'INSERT INTO perf_gpu (host_no, key, gpu_id, name, uuid) VALUES (?, ?, ?, ?, ?) RETURNING no';
const UPDATE = 'UPDATE perf_gpu SET gpu_id = ?, name = ? WHERE no = ?';

/** Every card a host ever had, in the order of llama-swap's numbers. */
export function gpuRefs(connection: Connection, hostNo: number): readonly GpuRef[] {
  return connection.statement<GpuRefRow>(OF_HOST).all(hostNo).map(toRef);
}

/** The number of a card, added when it is new; its name and id are what they are now. Null past all that are believed. */
export function ensureGpuRef(connection: Connection, hostNo: number, gpu: GpuIdentity): number | null {
  const found = connection.statement<GpuRefRow>(FIND).get(hostNo, gpu.key);
  if (!found) {
    const { n } = must(connection.statement<{ n: number }>(COUNT).get(hostNo), 'a count');
    if (n >= MAX_CARDS) return null;
    const inserted = connection.statement<{ no: number }>(INSERT);
    return must(inserted.get(hostNo, gpu.key, gpu.id, gpu.name, gpu.uuid), 'the card just inserted').no;
  }
  if (found.name !== gpu.name || found.gpu_id !== gpu.id)
    connection.statement(UPDATE).run(gpu.id, gpu.name, found.no);
  return found.no;
}

function toRef({ no, key, gpu_id: id, name, uuid }: GpuRefRow): GpuRef {
  return { no, gpu: { key, id, name, uuid } };
}
