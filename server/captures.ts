import { ThreadCaptureReader } from './adapters/captures/thread-capture-reader.ts';
import { createCaptureClient } from './adapters/llama-swap-captures.ts';
import type { Config } from './config.ts';
import type { HostObserver } from './domain/host-facts.ts';
import type { Clock, Log } from './domain/ports.ts';
import { CaptureService } from './services/capture-service.ts';
import type { HostService } from './services/host-service.ts';
import type { StopStack } from './stop-stack.ts';
import type { Truth } from './truth.ts';

/** What captures are put together from. */
export interface CapturesOptions {
  readonly config: Pick<Config, 'captures'>;
  readonly truth: Pick<Truth, 'store' | 'cache' | 'docHost' | 'sealer'>;
  readonly watch: Pick<HostObserver, 'facts'>;
  readonly hosts: Pick<HostService, 'keyOf'>;
  readonly clock: Clock;
  readonly log: Log;
  readonly stops: StopStack;
}

/** Captures with the thread that reads them; `stops` knows how to end both. */
export function createCaptures({
  config,
  truth,
  watch,
  hosts,
  clock,
  log,
  stops,
}: CapturesOptions): CaptureService {
  const { maxCaptureKb, maxTotalMb, redact } = config.captures;
  const reader = new ThreadCaptureReader({ maxBytes: maxCaptureKb * 1024, patterns: redact });
  stops.add('capture thread', () => reader.stop());
  const captures = new CaptureService({
    store: truth.store.captures,
    reader,
    watch,
    fleet: truth.cache,
    clientFor: (host) => createCaptureClient({ url: host.url, key: () => hosts.keyOf(host.id), clock }),
    keyOf: (hostId) => hosts.keyOf(hostId),
    nameSource: (key, source) => {
      const { docHost, store, sealer } = truth;
      const isNew = docHost.commit(() => {
        const seq = store.activity.nameSource(key, source);
        if (seq !== null) store.segments.markStaleRows('activity', [seq]);
        return seq !== null;
      });
      if (isNew) sealer.noticeChange();
    },
    maxTotalBytes: maxTotalMb * 1024 * 1024,
    clock,
    log,
  });
  stops.add('captures', () => captures.stop());
  return captures;
}
