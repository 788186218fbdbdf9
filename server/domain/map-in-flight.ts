import { boundedText } from '#shared/lib/bounded-text.ts';
import { redactText } from '#shared/lib/redact.ts';
import type { UpstreamInFlightRow } from '#shared/upstream/in-flight-message.ts';
import { readCount } from '#shared/upstream/lenient.ts';
import { parseRfc3339 } from '#shared/upstream/rfc3339.ts';
import { sourceOfRunning } from './request-source.ts';
import type { ObservedInFlight } from './upstream-event.ts';

const MAX_REQUEST_ID = 128;
const MAX_MODEL_ID = 1024;
const MAX_PATH = 2048;
const MAX_METHOD = 16;

/** An in-flight row as we hold it; of its headers only those are read that say whom it came from. Its time may be missing: then only `elapsedMs` says how long it runs. */
export function mapInFlight(row: UpstreamInFlightRow, sessionHeaders?: readonly string[]): ObservedInFlight {
  const headers = row.req_headers ?? {};
  const from = sourceOfRunning({ headers, remoteIp: row.remote_ip ?? null }, sessionHeaders);
  return {
    id: boundedText(row.id, MAX_REQUEST_ID),
    modelId: boundedText(row.model ?? '', MAX_MODEL_ID),
    path: row.req_path ? boundedText(redactText(row.req_path.slice(0, MAX_PATH * 2)), MAX_PATH) : null,
    method: row.method ? boundedText(row.method, MAX_METHOD) : null,
    startedAtHost: row.timestamp ? parseRfc3339(row.timestamp) : null,
    elapsedMs: readCount(typeof row.elapsed_ms === 'number' ? Math.round(row.elapsed_ms) : null),
    source: from?.source ?? null,
    isNamed: from !== null && from.header !== null,
    responseBytes: readCount(row.resp_bytes),
  };
}
