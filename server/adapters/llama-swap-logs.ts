import { cleanLogLine } from '#shared/lib/clean-log-line.ts';
import type { UpstreamResult } from '../domain/ports.ts';
import { failureOfStatus } from './upstream-failure.ts';
import type { UpstreamHttp } from './upstream-http.ts';

/** The stream sends its history at once and then waits for more; it has no headers before its first byte either. */
const READ_FOR_MS = 1000;
/** A host keeps 100 KiB a model. */
const MAX_BYTES = 256 * 1024;
const MAX_LINES = 200;
/** Names that mean another log than a model's. */
const RESERVED = new Set(['', 'proxy', 'upstream', 'http']);

/** The last lines of a model's own log, oldest first, without terminal codes and secrets; [] when there are none. */
export async function fetchModelLogLines(
  http: UpstreamHttp,
  modelId: string,
  signal: AbortSignal,
): Promise<UpstreamResult<readonly string[]>> {
  if (RESERVED.has(modelId)) return { ok: true, value: [], clockOffsetMs: null };
  const path = `/logs/stream/${encodeModelId(modelId)}`;
  const result = await http.getForAWhile(path, { signal, timeoutMs: READ_FOR_MS, maxBytes: MAX_BYTES });
  if (!result.ok) return result;
  const reply = result.value;
  if (reply === null || reply.status === 400 || reply.status === 404) return { ...result, value: [] };
  if (reply.status !== 200) return { ok: false, failure: failureOfStatus(reply, http.secrets()) };
  const lines = reply.body
    .split('\n')
    .map((line) => cleanLogLine(line, http.secrets()))
    .filter((line) => line.trim() !== '');
  return { ...result, value: lines.slice(-MAX_LINES) };
}

/** Slashes stay, because the route takes the rest of the path; everything else that means something is escaped. */
export function encodeModelId(modelId: string): string {
  return modelId.toWellFormed().split('/').map(encodeURIComponent).join('/');
}
