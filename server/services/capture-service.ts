import { must } from '#shared/lib/assert.ts';
import type { ActivityRequest } from '#shared/schemas/activity.ts';
import type { Capture, CaptureContent, CaptureKey } from '#shared/schemas/capture.ts';
import type { HealthCheck } from '#shared/schemas/info.ts';
import {
  type CaptureReason,
  reasonNotFound,
  reasonNotToAsk,
  reasonOther,
} from '../domain/captures/capture-reasons.ts';
import type {
  CaptureClient,
  CaptureContext,
  CaptureReader,
  CaptureStore,
} from '../domain/captures/capture-ports.ts';
import type { ReadCapture } from '../domain/captures/read-capture.ts';
import { checkOf, counted } from '../domain/health/check.ts';
import type { HostObserver } from '../domain/host-facts.ts';
import type { Clock, FleetReader, HealthSource, HostConfig, Log, UpstreamFailure } from '../domain/ports.ts';
import { sourceOfHeaders } from '../domain/request-source.ts';
import { sizeWords } from '../domain/size-words.ts';
import { AppError } from '../errors.ts';

/** What captures are fetched and kept with. */
export interface CaptureServiceOptions {
  readonly store: CaptureStore;
  readonly reader: CaptureReader;
  readonly watch: Pick<HostObserver, 'facts'>;
  readonly fleet: FleetReader;
  /** A client of its own for each fetch. */
  readonly clientFor: (host: HostConfig) => CaptureClient;
  /** The key of a host, which its captures may repeat. */
  readonly keyOf: (hostId: string) => string | null;
  /** Keeps who sent a request, as its own headers say; throws when that cannot be kept. */
  readonly nameSource: (key: CaptureKey, source: string) => void;
  /** What all captures together may take. */
  readonly maxTotalBytes: number;
  readonly clock: Clock;
  readonly log: Log;
}

/** An answer's own time may differ from the row's by clocks of hosts that were set meanwhile, not by more. */
const SAME_REQUEST_MS = 10 * 60_000;
/** Fetched at the same time: each may be tens of megabytes. */
const MAX_FETCHES = 2;

/**
 * Captures, fetched from their hosts when somebody opens one, kept from then on. A host is asked only while it is
 * connected and awake, once for whoever asks at the same time.
 */
export class CaptureService implements HealthSource {
  readonly #options: CaptureServiceOptions;
  readonly #fetches = new Map<string, Promise<Capture>>();
  readonly #ended = new AbortController();
  #running = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(options: CaptureServiceOptions) {
    this.#options = options;
  }

  /** Ends fetches that are under way. */
  stop(): void {
    this.#ended.abort();
  }

  /**
   * The capture of a request; throws `AppError`: `not_found` for a request that is not in the history, `capture_gone` and
   * `capture_unavailable` with the likely reason in words, `upstream_failed` for an answer that is of no use.
   */
  async open(key: CaptureKey): Promise<Capture> {
    const { store, clock } = this.#options;
    const row = store.row(key);
    if (row === null) throw new AppError('not_found', 'There is no such request in the history.');
    const kept = store.open(key, clock.now());
    if (kept !== null) return { row, fetchedAt: kept.fetchedAt, ...kept.content };
    const name = JSON.stringify([key.hostId, key.idEpoch, key.id]);
    const running = this.#fetches.get(name);
    if (running) return running;
    const context = must(store.context(key), 'what is around a row');
    const fetch = this.#fetch(key, context).finally(() => this.#fetches.delete(name));
    this.#fetches.set(name, fetch);
    return fetch;
  }

  /** How much is kept. */
  health(): readonly HealthCheck[] {
    const { store, maxTotalBytes } = this.#options;
    const { count, bytes } = store.totals();
    return [
      checkOf('captures', 'Captures').ok(
        `${counted(count, 'capture')} kept, ${sizeWords(bytes)} of ${sizeWords(maxTotalBytes)}.`,
      ),
    ];
  }

  async #fetch(key: CaptureKey, context: CaptureContext): Promise<Capture> {
    const { watch, fleet, clock } = this.#options;
    const facts = watch.facts(key.hostId);
    const version = fleet.hosts().find(({ id }) => id === key.hostId)?.version ?? null;
    const known = { context, facts, version };
    const refused = reasonNotToAsk(known);
    if (refused !== null) throw notThere(refused);
    const there = must(facts, 'facts of a host that can be asked');
    const { host } = there;
    const text = await this.#ask(key, host);
    if (text === null) throw notThere(reasonNotFound({ ...known, facts: there }));
    const read = await this.#options.reader.read(text, this.#secrets(key.hostId));
    if (read === null)
      throw new AppError('upstream_failed', `What ${host.label} answered is no capture that can be read.`);
    if (!isMeant(read, context)) throw notThere(reasonOther(host.label));
    const fetchedAt = clock.now();
    this.#keep(key, { fetchedAt, content: read.content });
    return { row: this.#named(key, context.row, read.content), fetchedAt, ...read.content };
  }

  async #ask({ id, hostId }: CaptureKey, host: HostConfig): Promise<string | null> {
    const { clientFor, log } = this.#options;
    await this.#turn();
    const client = clientFor(host);
    try {
      const reply = await client.capture(id, this.#ended.signal);
      if (reply.ok) return reply.value;
      throw new AppError('upstream_failed', failureWords(host.label, reply.failure));
    } finally {
      this.#running -= 1;
      this.#waiting.shift()?.();
      client.close().catch((error: unknown) => log.warn({ hostId, error: String(error) }, 'closing failed'));
    }
  }

  async #turn(): Promise<void> {
    while (this.#running >= MAX_FETCHES) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#running += 1;
  }

  /** A disk that takes no more is no reason not to show what was fetched. */
  #keep(key: CaptureKey, capture: Parameters<CaptureStore['put']>[1]): void {
    const { store, maxTotalBytes, log } = this.#options;
    try {
      store.put(key, capture, maxTotalBytes);
    } catch (error) {
      log.warn({ hostId: key.hostId, error: String(error) }, 'a capture could not be kept');
    }
  }

  /** The headers of a request say who sent it, where its host does not. */
  #named(key: CaptureKey, row: ActivityRequest, { request }: CaptureContent): ActivityRequest {
    if (row.sourceCertainty === 'exact' || request.headers === null) return row;
    const headers = Object.fromEntries(request.headers.map(({ name, value }) => [name, value]));
    const named = sourceOfHeaders(headers);
    if (named === null) return row;
    const { nameSource, log } = this.#options;
    try {
      nameSource(key, named.source);
    } catch (error) {
      log.warn({ hostId: key.hostId, error: String(error) }, 'the source of a request could not be kept');
    }
    return { ...row, source: named.source, sourceCertainty: 'exact' };
  }

  #secrets(hostId: string): readonly string[] {
    const key = this.#options.keyOf(hostId);
    return key === null ? [] : [key];
  }
}

/** Whether a capture is of this request: ids begin anew with a host's process, and Drover may not know that yet. */
function isMeant(read: ReadCapture, { row }: CaptureContext): boolean {
  if (read.id !== row.id) return false;
  if (read.path !== null && row.path !== null && read.path !== row.path) return false;
  if (read.answeredAt === null) return true;
  const startedAt = row.endedAt - (row.durationMs ?? 0);
  return read.answeredAt > startedAt - SAME_REQUEST_MS && read.answeredAt < row.endedAt + SAME_REQUEST_MS;
}

function notThere({ code, words }: CaptureReason): AppError {
  return new AppError(code, words);
}

function failureWords(label: string, failure: UpstreamFailure): string {
  switch (failure.kind) {
    case 'too_large':
      return `The capture is larger than 64 MB; it is not fetched from ${label}.`;
    case 'unauthorized':
      return `${label} refused Drover's key.`;
    case 'http':
      return `${label} answered ${failure.status}: ${failure.detail}.`;
    default:
      return `${label} could not be asked: ${'detail' in failure ? failure.detail : failure.kind}.`;
  }
}
