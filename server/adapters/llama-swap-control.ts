import { z } from 'zod';
import { redactText } from '#shared/lib/redact.ts';
import { readErrorBody } from '#shared/upstream/error-body.ts';
import type { ControlReply, LlamaSwapControl } from '../domain/intent-ports.ts';
import type { UpstreamResult } from '../domain/ports.ts';
import { fetchRunning } from './llama-swap-client.ts';
import { type HttpReply, readReply, UpstreamHttp, type UpstreamHttpOptions } from './upstream-http.ts';

/** A load blocks until the model has started, behind others if need be: its owner ends it. */
const LOAD_TIMEOUT_MS = 60 * 60_000;
/** `unloadTimeout` and ten seconds more, for each model. */
const UNLOAD_TIMEOUT_MS = 5 * 60_000;
const ORDER_TIMEOUT_MS = 20_000;
/** What a model's own server answers is not read further than this. */
const ANSWER_MAX_BYTES = 256 * 1024;

const profilesReply = z.object({ active: z.string().nullish() });

/** Orders to one host, over connections of its own until `close`. Only what passed the host's gate gets one. */
export function createLlamaSwapControl(options: UpstreamHttpOptions): LlamaSwapControl {
  const http = new UpstreamHttp(options);
  const order = async (
    method: 'GET' | 'POST' | 'PUT',
    path: string,
    call: { readonly signal: AbortSignal; readonly timeoutMs?: number; readonly json?: unknown },
  ): Promise<UpstreamResult<ControlReply>> => {
    const reply = await http.order(path, {
      timeoutMs: ORDER_TIMEOUT_MS,
      maxBytes: ANSWER_MAX_BYTES,
      ...call,
      method,
    });
    return reply.ok ? { ...reply, value: controlReply(reply.value, http.secrets()) } : reply;
  };
  return {
    // `/health` is small where the model's server has it, and no path that `upstream.ignorePaths` keeps from loading.
    load: (modelId, signal) =>
      order('GET', `/upstream/${pathOf(modelId)}/health`, { signal, timeoutMs: LOAD_TIMEOUT_MS }),
    unload: (modelId, signal) =>
      order('POST', modelId === null ? '/api/models/unload' : `/api/models/unload/${pathOf(modelId)}`, {
        signal,
        timeoutMs: UNLOAD_TIMEOUT_MS,
      }),
    cancelRequest: (requestId, signal) =>
      order('POST', `/api/inflight/${encodeURIComponent(requestId)}/cancel`, { signal }),
    setProfile: (name, signal) => order('PUT', '/api/profiles/active', { signal, json: { name } }),
    async activeProfile(signal) {
      const reply = await http.get('/api/profiles', { signal, maxBytes: ANSWER_MAX_BYTES });
      const read = readReply(
        reply,
        (json) => {
          const profiles = profilesReply.safeParse(json);
          // A profile is wrapped, since null is a valid value and no failure.
          return profiles.success ? { active: profiles.data.active || null } : null;
        },
        http.secrets(),
      );
      return read.ok ? { ...read, value: read.value.active } : read;
    },
    running: (signal) => fetchRunning(http, signal),
    close: () => http.close(),
  };
}

/** Slashes separate segments in every version; everything else of an id is escaped. */
function pathOf(modelId: string): string {
  return modelId.split('/').map(encodeURIComponent).join('/');
}

function controlReply(reply: HttpReply, secrets: readonly string[]): ControlReply {
  if (reply.status < 400) return { status: reply.status, detail: null };
  const text = readErrorBody(reply.body);
  return { status: reply.status, detail: text === null ? null : redactText(text, secrets).slice(0, 500) };
}
