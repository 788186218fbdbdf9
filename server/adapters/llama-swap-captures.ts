import type { CaptureClient } from '../domain/captures/capture-ports.ts';
import { failureOfStatus } from './upstream-failure.ts';
import { UpstreamHttp, type UpstreamHttpOptions } from './upstream-http.ts';

const TIMEOUT_MS = 30_000;
/** Base64 of some 48 MB; the buffer of a host holds 5 MB by default. */
const MAX_BYTES = 64 * 1024 * 1024;

/** Asks one host for captures. No encoding is accepted: v203–v208 answer in zstd to whoever names it. */
export function createCaptureClient(options: UpstreamHttpOptions): CaptureClient {
  const http = new UpstreamHttp(options);
  return {
    async capture(id, signal) {
      const reply = await http.get(`/api/captures/${id}`, {
        signal,
        timeoutMs: TIMEOUT_MS,
        maxBytes: MAX_BYTES,
      });
      if (!reply.ok) return reply;
      const { status, body } = reply.value;
      if (status === 404) return { ...reply, value: null };
      if (status !== 200) return { ok: false, failure: failureOfStatus(reply.value, http.secrets()) };
      return { ...reply, value: body };
    },
    close: () => http.close(),
  };
}
