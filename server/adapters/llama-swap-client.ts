import { randomBytes } from 'node:crypto';
import { boundedText } from '#shared/lib/bounded-text.ts';
import { runningReply, runningRow } from '#shared/upstream/host-replies.ts';
import { readRows } from '#shared/upstream/lenient.ts';
import type { HostTestClient } from '../domain/host-test-client.ts';
import type { Clock, HostFeatures, UpstreamResult } from '../domain/ports.ts';
import { openEventStream } from './event-stream.ts';
import { fetchActivityAfter, fetchRing } from './llama-swap-activity.ts';
import { fetchGpuNames } from './llama-swap-gpus.ts';
import { fetchModelLogLines } from './llama-swap-logs.ts';
import { fetchPerformance } from './llama-swap-performance.ts';
import { identifyHost, NO_SAMPLES, probeHost } from './llama-swap-probes.ts';
import { fetchProfiles } from './llama-swap-profiles.ts';
import { failureOfStatus } from './upstream-failure.ts';
import { readReply, UpstreamHttp } from './upstream-http.ts';

const PING_TIMEOUT_MS = 4000;
const PING_MAX_BYTES = 1024 * 1024;
/** A year: what is longer is no time that anybody waits for. */
const MAX_TTL_S = 365 * 24 * 3600;

/** How one host is reached. */
export interface LlamaSwapClientOptions {
  readonly url: string;
  /** Asked at every request; null when the host wants none. */
  readonly key: () => string | null;
  readonly clock: Clock;
  /** Hears of rows in answers that could not be read. */
  readonly onUnreadable?: (count: number) => void;
}

/** A client with connections of its own, until `close`. Nothing in it ever touches `/upstream` or `/props`. */
export function createLlamaSwapClient(options: LlamaSwapClientOptions): HostTestClient {
  const { clock } = options;
  const http = new UpstreamHttp(options);
  const onUnreadable = options.onUnreadable ?? (() => undefined);
  return {
    secrets: () => http.secrets(),
    openEvents: (listener, signal) =>
      openEventStream(
        { http, after: clock.after.bind(clock), identify: (aborted) => identifyHost(http, aborted) },
        listener,
        signal,
      ),
    probe: (known, signal) => probeHost(http, { known, signal }),
    ping: (features, signal) => ping(http, { features, signal }),
    metrics: (signal) => fetchRing(http, signal, onUnreadable),
    activityAfter: (afterId, { limit, features }, signal) =>
      fetchActivityAfter(http, { afterId, limit, features, signal, onUnreadable }),
    performance: (after, signal) => fetchPerformance(http, after, signal),
    profiles: (signal) => fetchProfiles(http, signal),
    running: (signal) => fetchRunning(http, signal),
    modelLogLines: (modelId, signal) => fetchModelLogLines(http, modelId, signal),
    loggedPing: (signal) => loggedPing(http, signal),
    gpuNames: (signal) => fetchGpuNames(http, signal),
    droverInstance: (signal) => fetchDroverInstance(http, signal),
    close: () => http.close(),
  };
}

async function ping(
  http: UpstreamHttp,
  options: { readonly features: HostFeatures | null; readonly signal: AbortSignal },
): Promise<UpstreamResult<null>> {
  const reply = await http.get(pingPath(options.features), {
    signal: options.signal,
    timeoutMs: PING_TIMEOUT_MS,
    maxBytes: PING_MAX_BYTES,
  });
  if (!reply.ok) return reply;
  const { status } = reply.value;
  // Any answer of the host proves that it lives, but one of a proxy in front of it does not.
  if (status === 401 || (status >= 500 && status !== 503)) {
    return { ok: false, failure: failureOfStatus(reply.value, http.secrets()) };
  }
  return { ...reply, value: null };
}

function pingPath(features: HostFeatures | null): string {
  if (!features || features.wolHealth) return '/wol-health';
  if (!features.performance) return '/health';
  return NO_SAMPLES;
}

/** `/running` without its command lines, which may hold secrets. */
export async function fetchRunning(http: UpstreamHttp, signal: AbortSignal) {
  const reply = await http.get('/running', { signal, maxBytes: 8 * 1024 * 1024 });
  return readReply(
    reply,
    (json) => {
      const running = runningReply.safeParse(json);
      const read = running.success ? readRows(runningRow, running.data.running) : null;
      if (!read) return null;
      return read.rows.map(({ model, state, ttl }) => ({
        modelId: boundedText(model, 1024),
        state: boundedText(state, 64),
        ttlMs: ttl == null || ttl < 0 || ttl > MAX_TTL_S ? null : Math.round(ttl * 1000),
      }));
    },
    http.secrets(),
  );
}

/**
 * Access lines name the path without its query, so the path itself has to be unique. It exists on no host, and is
 * answered (404, or 401 for a wrong key) and logged by every one.
 */
async function loggedPing(
  http: UpstreamHttp,
  signal: AbortSignal,
): Promise<UpstreamResult<{ readonly marker: string }>> {
  const marker = `/api/drover-${randomBytes(8).toString('hex')}`;
  const reply = await http.get(marker, { signal, timeoutMs: PING_TIMEOUT_MS });
  return reply.ok ? { ...reply, value: { marker } } : reply;
}

async function fetchDroverInstance(http: UpstreamHttp, signal: AbortSignal): Promise<string | null> {
  const reply = await http.get('/api/info', { signal, timeoutMs: PING_TIMEOUT_MS, withoutKey: true });
  const instance = reply.ok ? reply.value.headers['x-drover-instance'] : undefined;
  return typeof instance === 'string' ? instance : null;
}
