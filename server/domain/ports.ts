import type {
  ActivityPage,
  ActivityQuery,
  ActivityRow,
  ActivitySummary,
  ActivitySummaryQuery,
} from '#shared/schemas/activity.ts';
import type { Host, HostProfiles } from '#shared/schemas/host.ts';
import type { InFlight } from '#shared/schemas/in-flight.ts';
import type { HealthCheck } from '#shared/schemas/info.ts';
import type { Model, ModelEvent } from '#shared/schemas/model.ts';
import type { ObservedPerformance } from './performance-readings.ts';
import type { HostFeatures, ObservedActivity, ObservedModel, UpstreamEvent } from './upstream-event.ts';

/** Wall clock and timers, replaceable in tests. */
export interface Clock {
  /** Epoch milliseconds. */
  now(): number;
  /** Runs `task` once after `delayMs`; the returned function cancels it. */
  after(delayMs: number, task: () => void): () => void;
  /** Runs `task` every `periodMs`; the returned function ends it. */
  every(periodMs: number, task: () => void): () => void;
}

/** Structured log: one JSON object a line where stdout is no terminal. Values are redacted before they come here. */
export interface Log {
  info(fields: Readonly<Record<string, unknown>>, message: string): void;
  warn(fields: Readonly<Record<string, unknown>>, message: string): void;
  error(fields: Readonly<Record<string, unknown>>, message: string): void;
}

/** A host as configured: identity, address and how to sign in. The key itself is asked for at each connect. */
export interface HostConfig {
  readonly id: string;
  readonly label: string;
  readonly url: string;
  readonly paused: boolean;
  /** When its pause ends by itself; null or left out: it does not. */
  readonly pausedUntil?: number | null;
  readonly managedByFile: boolean;
  readonly demo: boolean;
  /** `stored`, `env:NAME` or null. */
  readonly keySource: string | null;
}

/** What a connector reports about the way to its host; null fields are unknown. */
export type HostStatus = Pick<
  Host,
  | 'liveness'
  | 'since'
  | 'lastSeenAt'
  | 'reason'
  | 'version'
  | 'attempt'
  | 'nextAttemptAt'
  | 'features'
  | 'clockOffsetMs'
  | 'hardware'
  | 'profiles'
>;

/**
 * Where connectors put what they learned. Calls are synchronous and cheap; the commit to SQLite and the documents
 * follows within 100 ms. Everything given here is already mapped and redacted.
 */
export interface FleetSink {
  /** The host's status changed (liveness, reason, version, features): written to the document. */
  hostStatus(hostId: string, status: HostStatus): void;
  /** Full replacement of the host's models; rows equal to the last ones but for `observedAt` write nothing. */
  models(hostId: string, models: readonly Model[]): void;
  /** New rows, already deduplicated and given their epoch, in order of id. */
  activity(hostId: string, rows: readonly ActivityRow[]): void;
  /** The host's own list of requests was read on this connection: what ended before is told. */
  activityListed(hostId: string): void;
  modelEvents(hostId: string, events: readonly ModelEvent[]): void;
  /** Live only: what runs now; null when nothing is known any more. */
  inFlight(hostId: string, inFlight: InFlight | null): void;
  /** Live only: the active profile, null for none; hosts with profiles tell it at each connect and change. */
  profile(hostId: string, active: string | null): void;
  /** Live only: a byte or an answer came from the host at `at`. */
  seen(hostId: string, at: number): void;
}

/** What Drover already holds of a host's activity: enough to tell new rows, an id restart and a gap. */
export interface ActivityCursor {
  readonly idEpoch: number;
  /** Highest id of this epoch; null when it has no row yet. */
  readonly lastId: number | null;
  /** End time of the newest row held; null when there is none. */
  readonly lastEndedAt: number | null;
  /** The newest rows of this epoch, at most 1,000, ascending by id: for the overlap check. */
  readonly recent: readonly ObservedActivity[];
}

/** What a connector reads back from the store, at start and after the store recovered. */
export interface ConnectorStore {
  /** A host that was removed and added again starts a fresh epoch. */
  activityCursor(hostId: string): ActivityCursor;
  /** Last known models, with their last known state. */
  models(hostId: string): readonly Model[];
  /** Status as last recorded, so that a restart makes nothing look fresh; null for a host never seen before. */
  hostStatus(hostId: string): HostStatus | null;
}

/** Why an upstream call or stream did not give what was asked. */
export type UpstreamFailure =
  | { readonly kind: 'refused' | 'dns' | 'timeout' | 'reset' | 'unreachable'; readonly detail: string }
  /** `detail` is a sentence without its full stop. */
  | { readonly kind: 'tls'; readonly detail: string }
  /** 401. */
  | { readonly kind: 'unauthorized' }
  /** 204 on `/api/events`: a wake-on-LAN proxy whose host sleeps. */
  | { readonly kind: 'asleep' }
  /** Something answers, but not as llama-swap. */
  | { readonly kind: 'not_llama_swap'; readonly detail: string }
  /** llama-swap older than v140. */
  | { readonly kind: 'too_old'; readonly version: string | null }
  | { readonly kind: 'http'; readonly status: number; readonly detail: string }
  | { readonly kind: 'too_large'; readonly detail: string }
  | { readonly kind: 'malformed'; readonly detail: string };

/** Result of an upstream call: expected failures are values, not exceptions. */
export type UpstreamResult<T> =
  | { readonly ok: true; readonly value: T; readonly clockOffsetMs: number | null }
  | { readonly ok: false; readonly failure: UpstreamFailure };

/** What an open event stream tells its owner; exactly one `closed` ends it. */
export interface EventStreamListener {
  /** Headers arrived, status 200, content type right. */
  onOpen(info: { readonly clockOffsetMs: number | null }): void;
  /** Bytes arrived (before parsing): the host is alive. */
  onBytes(byteCount: number): void;
  onEvent(event: UpstreamEvent): void;
  /** `logData` frames were cut out unparsed because parsing lags. */
  onLogsDropped(count: number): void;
  /** `overload`: parsing fell behind by 2 s or 8 MB; reconnect at once and resynchronise. */
  onClosed(
    end:
      | { readonly why: 'end' | 'overload' | 'aborted' }
      | { readonly why: 'failed'; readonly failure: UpstreamFailure },
  ): void;
}

/** A model of `/running`; `ttlMs`: how long it is kept after its last request, 0 for ever, null where that is not said. */
export interface RunningModel {
  readonly modelId: string;
  readonly state: string;
  readonly ttlMs: number | null;
}

/** One llama-swap over HTTP. Every call has a timeout and a size limit; none follows a redirect to another origin. */
export interface LlamaSwapClient {
  /** Keys of ours that a text of this host may repeat. */
  secrets(): readonly string[];
  /** Opens `/api/events`; `signal` closes it. Always drained, parsed off the read path. */
  openEvents(listener: EventStreamListener, signal: AbortSignal): void;
  /** The probes of the wire contract, after `/api/events` answered 200; `known` skips what is cached for that build. */
  probe(known: HostFeatures | null, signal: AbortSignal): Promise<UpstreamResult<HostFeatures>>;
  /** Unlogged liveness probe: `/wol-health`, else `/api/performance?after=`, else `/health` (logged). */
  ping(features: HostFeatures | null, signal: AbortSignal): Promise<UpstreamResult<null>>;
  /** ≤ v235: the whole ring, ascending by id. */
  metrics(signal: AbortSignal): Promise<UpstreamResult<readonly ObservedActivity[]>>;
  /** v236+: rows with id > `afterId` ascending (as far as `limit` newest go), `oldestListedId` = lowest id the host still lists. */
  activityAfter(
    afterId: number | null,
    options: { readonly limit: number; readonly features: HostFeatures },
    signal: AbortSignal,
  ): Promise<UpstreamResult<{ readonly rows: readonly ObservedActivity[]; readonly complete: boolean }>>;
  /** v212+: samples later than `after` by the host's clock (unlogged), all that it keeps when null. */
  performance(after: number | null, signal: AbortSignal): Promise<UpstreamResult<ObservedPerformance>>;
  /** v241+, a line in the host's log: what there is to choose from. */
  profiles(signal: AbortSignal): Promise<UpstreamResult<HostProfiles>>;
  /** `/running`, a line in the host's log: models that hold memory now. */
  running(signal: AbortSignal): Promise<UpstreamResult<readonly RunningModel[]>>;
  /** History of `/logs/stream/<model>` for one second (v218+), newest last, redacted; [] when there is none. */
  modelLogLines(modelId: string, signal: AbortSignal): Promise<UpstreamResult<readonly string[]>>;
  /** One logged GET whose own log line must come back on the stream (≤ v258): returns the unique path it used. */
  loggedPing(signal: AbortSignal): Promise<UpstreamResult<{ readonly marker: string }>>;
}

/** Answers `GET /api/activity` and its summary off the main loop; throws `AppError` `timeout` past its deadline. */
export interface HistoryQuery {
  activity(query: ActivityQuery): Promise<ActivityPage>;
  summary(query: ActivitySummaryQuery): Promise<ActivitySummary>;
}

/** Current facts, as last committed. */
export interface FleetReader {
  hosts(): readonly Host[];
  models(hostId?: string): readonly Model[];
}

/** Sealed segments by content hash, as stored (gzip); null when unknown. */
export interface SegmentReader {
  segment(hash: string): Uint8Array | null;
}

/** The files under the store; null: they cannot be asked. */
export interface StoreFiles {
  /** Database and log together. */
  sizeBytes(): number | null;
  /** Room on their disk. */
  freeBytes(): number | null;
}

/** A subsystem that can say how it is. */
export interface HealthSource {
  health(): readonly HealthCheck[];
}

export type { HostFeatures, ObservedActivity, ObservedModel, ObservedPerformance, UpstreamEvent };
