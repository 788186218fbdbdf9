import type { SegmentEntry } from '#shared/schemas/segment.ts';
import type { ApiError, Result } from '../types.ts';

const TIMEOUT_MS = 60_000;
/** A segment is cut at 2 MB; what is far larger is not one. */
const MAX_BYTES = 16 * 1024 * 1024;

/** Fetches a sealed segment from the collector, as stored. Never rejects. */
export async function fetchSegment(entry: SegmentEntry): Promise<Result<Uint8Array>> {
  try {
    const response = await fetch(`/api/segments/${entry.hash}`, {
      credentials: 'same-origin',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (!response.ok) return failure(response.status, 'http', `The collector answered ${response.status}.`);
    if (Number(response.headers.get('content-length') ?? 0) > MAX_BYTES) {
      await response.body?.cancel();
      return failure(response.status, 'payload_too_large', 'A segment is far too large.');
    }
    return { ok: true, status: response.status, value: new Uint8Array(await response.arrayBuffer()) };
  } catch {
    return failure(null, 'network', 'This needs the collector.');
  }
}

function failure(status: number | null, code: string, message: string): ApiError {
  return { ok: false, status, code, message, retryAfterMs: null, details: [] };
}
