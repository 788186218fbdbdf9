import { boundedText } from '#shared/lib/bounded-text.ts';
import { acceleratorRow, hardwareReply } from '#shared/upstream/host-replies.ts';
import { readRows } from '#shared/upstream/lenient.ts';
import { gpuStatsRow, performanceReply } from '#shared/upstream/performance.ts';
import { parseJson, type UpstreamHttp } from './upstream-http.ts';

const TIMEOUT_MS = 5000;
const MAX_BYTES = 16 * 1024 * 1024;
const MAX_NAME = 200;
const MAX_GPUS = 64;

/** Names of a host's GPUs, one each: from its hardware report (v247+), else from what it samples (v212+), else []. */
export async function fetchGpuNames(http: UpstreamHttp, signal: AbortSignal): Promise<readonly string[]> {
  const read = async (path: string): Promise<unknown> => {
    const reply = await http.get(path, { signal, timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES });
    return reply.ok && reply.value.status === 200 ? parseJson(reply.value.body) : undefined;
  };
  const hardware = hardwareReply.safeParse(await read('/api/hardware'));
  if (hardware.success) {
    const rows = readRows(acceleratorRow, hardware.data.accelerators)?.rows ?? [];
    return named(rows.filter(({ kind }) => kind === 'gpu').map(({ model, vendor }) => model ?? vendor));
  }
  const performance = performanceReply.safeParse(await read('/api/performance'));
  const samples = performance.success ? (readRows(gpuStatsRow, performance.data.gpu_stats)?.rows ?? []) : [];
  const byCard = new Map(samples.map(({ uuid, id, name }) => [uuid || String(id ?? name), name]));
  return named([...byCard.values()]);
}

function named(names: readonly (string | null | undefined)[]): readonly string[] {
  return names.slice(0, MAX_GPUS).map((name) => boundedText(name || 'GPU', MAX_NAME));
}
