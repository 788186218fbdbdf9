import { assertNever } from '#shared/lib/assert.ts';
import type { HostTestResult } from '#shared/schemas/host-input.ts';
import { displayVersion } from '#shared/upstream/version-text.ts';
import type { HostTester } from '../domain/host-ports.ts';
import type { HostTestClient } from '../domain/host-test-client.ts';
import type { Clock, HostFeatures, UpstreamFailure } from '../domain/ports.ts';
import type { ObservedModel } from '../domain/upstream-event.ts';

/** A test is given up after this, however slowly the host answers. */
const WHOLE_TEST_MS = 30_000;
/** How long the stream may take to send its first list of models: it is the first thing a host sends. */
const FIRST_MODELS_MS = 5000;

/** What a host test needs; `isOwnAddress` knows where this server listens, `instance` is what its `/api/info` says. */
export interface HostTestOptions {
  readonly clock: Clock;
  readonly connect: (target: { readonly url: string; readonly key: () => string | null }) => HostTestClient;
  readonly isOwnAddress: (url: string) => boolean;
  readonly instance: string;
}

interface FirstLook {
  /** Null while the stream is open and well. */
  readonly failure: UpstreamFailure | null;
  /** Null when the stream sent none in time. */
  readonly models: readonly ObservedModel[] | null;
  readonly timingsMs: Readonly<Record<string, number>>;
}

/**
 * Tries an address for the Test button: `/api/events` first, since that is the only request which wakes no sleeping
 * host, and nothing else behind a wake-on-LAN proxy; then the probes, all of them reading only.
 */
export function createHostTester(options: HostTestOptions): HostTester {
  return {
    async test({ url, key }) {
      if (options.isOwnAddress(url)) return SELF;
      const client = options.connect({ url, key: () => key });
      const ending = new AbortController();
      const cancelDeadline = options.clock.after(WHOLE_TEST_MS, () => ending.abort());
      try {
        return await testHost(options, { client, url, hasKey: key !== null, ending });
      } finally {
        cancelDeadline();
        ending.abort();
        await client.close();
      }
    },
  };
}

const SELF: HostTestResult = { verdict: 'self', detail: 'This address is Drover itself.' };

async function testHost(
  { clock, instance }: HostTestOptions,
  target: {
    readonly client: HostTestClient;
    readonly url: string;
    readonly hasKey: boolean;
    readonly ending: AbortController;
  },
): Promise<HostTestResult> {
  const { client, url, ending } = target;
  const look = await firstLook(client, clock, ending.signal);
  if (look.failure) {
    // A Drover refuses `/api/events` as a host with a key would, or redirects, so only its own page can tell.
    if (mayBeDrover(look.failure)) {
      const other = await client.droverInstance(ending.signal);
      if (other === instance) return SELF;
      if (other !== null)
        return describeFailure({ kind: 'not_llama_swap', detail: 'another Drover' }, target);
    }
    return { ...describeFailure(look.failure, target), timingsMs: look.timingsMs };
  }
  const startedAt = clock.now();
  const probed = await client.probe(null, ending.signal);
  const timingsMs = { ...look.timingsMs, probes: clock.now() - startedAt };
  if (!probed.ok) return { ...describeFailure(probed.failure, target), timingsMs };
  const features = probed.value;
  const asksGpus = !features.wolProxy && (features.hardware || features.performance);
  const gpus = asksGpus ? await client.gpuNames(ending.signal) : null;
  return {
    verdict: 'ok',
    detail: describeSuccess(features, look.models, gpus),
    ...(features.version === null ? {} : { version: displayVersion(features.version) }),
    ...(look.models ? { models: look.models.map(({ modelId }) => modelId) } : {}),
    ...(gpus ? { gpus: [...gpus] } : {}),
    ...(url.startsWith('https:') ? { tls: 'trusted' } : {}),
    timingsMs,
  };
}

/** Opens the stream and waits for its first models, or for the reason why there is none. */
async function firstLook(client: HostTestClient, clock: Clock, signal: AbortSignal): Promise<FirstLook> {
  const startedAt = clock.now();
  const timingsMs: Record<string, number> = {};
  const { promise, resolve } = Promise.withResolvers<FirstLook>();
  const done = (failure: UpstreamFailure | null, models: readonly ObservedModel[] | null) =>
    resolve({ failure, models, timingsMs });
  let cancelWait = () => {};
  client.openEvents(
    {
      onOpen() {
        timingsMs['events'] = clock.now() - startedAt;
        cancelWait = clock.after(FIRST_MODELS_MS, () => done(null, null));
      },
      onBytes() {},
      onLogsDropped() {},
      onEvent(event) {
        if (event.type !== 'models' || 'models' in timingsMs) return;
        timingsMs['models'] = clock.now() - startedAt;
        done(null, event.models);
      },
      onClosed(end) {
        if (end.why === 'failed') done(end.failure, null);
        else if (end.why === 'aborted') done({ kind: 'timeout', detail: 'no answer in 30 s' }, null);
        else done({ kind: 'reset', detail: 'the event stream closed at once' }, null);
      },
    },
    signal,
  );
  const look = await promise;
  cancelWait();
  return look;
}

function mayBeDrover(failure: UpstreamFailure): boolean {
  return ['unauthorized', 'not_llama_swap', 'http'].includes(failure.kind);
}

function describeSuccess(
  features: HostFeatures,
  models: readonly ObservedModel[] | null,
  gpus: readonly string[] | null,
): string {
  const name = features.version === null ? 'llama-swap' : `llama-swap ${displayVersion(features.version)}`;
  const parts = [
    features.wolProxy ? `${name} behind a wake-on-LAN proxy` : name,
    ...(models ? [count(models.length, 'model')] : []),
    ...(gpus && gpus.length > 0 ? [count(gpus.length, 'GPU')] : []),
  ];
  return `${parts.join(', ')}.`;
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

function describeFailure(
  failure: UpstreamFailure,
  { url, hasKey }: { readonly url: string; readonly hasKey: boolean },
): HostTestResult {
  const address = new URL(url).host;
  switch (failure.kind) {
    case 'unauthorized':
      return {
        verdict: 'unauthorized',
        detail: hasKey ? 'The host answered, but refused this key.' : 'The host answered, but wants a key.',
      };
    case 'asleep':
      return { verdict: 'asleep', detail: 'A wake-on-LAN proxy; its host sleeps and will not be woken.' };
    case 'tls':
      return { verdict: 'tls', detail: `${failure.detail}.` };
    case 'too_old':
      return {
        verdict: 'too_old',
        detail: `llama-swap ${failure.version === null ? 'older than v140' : displayVersion(failure.version)}; Drover needs v140.`,
      };
    case 'not_llama_swap':
    case 'malformed':
    case 'too_large':
      return {
        verdict: 'not_llama_swap',
        detail: `Something answers, but not llama-swap: ${failure.detail}.`,
      };
    case 'http':
      return {
        verdict: 'not_llama_swap',
        detail: `Something answers, but not llama-swap: status ${failure.status}, ${failure.detail}.`,
      };
    case 'timeout':
      return {
        verdict: 'unreachable',
        detail: failure.detail.startsWith('no connection')
          ? `No answer from ${address} in 5 s. Does it listen beyond localhost?`
          : `${address} takes connections, but gives ${failure.detail}.`,
      };
    case 'refused':
      return {
        verdict: 'unreachable',
        detail: `${address} refuses the connection. Does it listen beyond localhost?`,
      };
    case 'dns':
    case 'reset':
    case 'unreachable':
      return { verdict: 'unreachable', detail: `No answer from ${address}: ${failure.detail}.` };
    default:
      return assertNever(failure);
  }
}
