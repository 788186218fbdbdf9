import type { ActivityRow, ActivitySummary } from '#shared/schemas/activity.ts';
import type { Role } from '#shared/schemas/auth.ts';
import type { Host } from '#shared/schemas/host.ts';
import type { InFlight } from '#shared/schemas/in-flight.ts';

/** An answer that was expected: `value` is the parsed reply. */
export interface Ok<T> {
  readonly ok: true;
  readonly status: number;
  readonly value: T;
}

/**
 * A call that did not give what was asked, as a value. `code` is the API's error code, or `network` (no answer),
 * `timeout`, `unreadable` (an answer that does not match the contract); `status` is null when nothing answered.
 */
export interface ApiError {
  readonly ok: false;
  readonly status: number | null;
  readonly code: string;
  /** One sentence for a person. */
  readonly message: string;
  readonly retryAfterMs: number | null;
  /** Fields that were refused, where the API names them. */
  readonly details: readonly { readonly path: string; readonly message: string }[];
}

/** What every call of the data layer resolves to; none rejects. */
export type Result<T> = Ok<T> | ApiError;

/** Who this device is to the collector; `unknown` until the first answer or, offline, the remembered session. */
export interface Session {
  readonly status: 'unknown' | 'signed-in' | 'signed-out';
  readonly role: Role | null;
  readonly device: { readonly id: string; readonly label: string } | null;
}

/** Hosts as this device knows them. `loaded` is false until the local copy or the network gave something. */
export interface Fleet {
  readonly hosts: readonly Host[];
  readonly loaded: boolean;
  /** Collector time of what is shown: now while live, else when it was last in step; null: never. */
  readonly asOf: number | null;
}

/** What live frames say of a host; all null while nothing is known or the way to the collector is cut. */
export interface Live {
  readonly lastSeenAt: number | null;
  readonly inFlight: InFlight | null;
}

/** The way from this device to the collector, in the words of the pill. */
export type ConnectionKind =
  | 'live'
  /** First connect since the app started; the copy is on screen. */
  | 'connecting'
  | 'reconnecting'
  /** No network, no answer to a page that was just opened, or reconnecting has failed for 30 s. */
  | 'offline'
  /** The socket stands, but the collector has said nothing for 25 s. */
  | 'collector-silent'
  /** It said that it restarts, or that its store is down. */
  | 'restarting'
  /** The session ended; the copy stays. */
  | 'sign-in'
  /** This device was revoked; the copy is wiped. */
  | 'removed'
  | 'app-too-old'
  /** The collector's history was restored or rotated; a fresh copy is on its way. */
  | 'refetching';

/** See {@link ConnectionKind}. Times are on the collector's clock. */
export interface ConnectionState {
  readonly kind: ConnectionKind;
  readonly since: number;
  /** Age of what is on screen: when this copy was last known to be in step; null: never. */
  readonly dataAsOf: number | null;
  /** When the last sync of all documents completed; null: never on this device. */
  readonly lastSyncAt: number | null;
  /** `insecure`: plain http, live only; `not-saved`: the browser refuses, see `storageError`. */
  readonly storage: 'saved' | 'not-saved' | 'insecure';
  readonly storageError: string | null;
  /** Why the copy is not in step although the socket stands; null when it is, or nothing is known. */
  readonly unsyncedReason: string | null;
}

/** Filter of the activity feed; fields that are left out filter nothing. */
export interface ActivityFilter {
  readonly hostIds?: readonly string[] | undefined;
  readonly modelIds?: readonly string[] | undefined;
  /** Status ≥ 400 or an error text. Gaps stay. */
  readonly failuresOnly?: boolean | undefined;
  readonly statusClass?: '2xx' | '3xx' | '4xx' | '5xx' | undefined;
  /** Exact. */
  readonly path?: string | undefined;
  /** Exact, any of them; an empty text stands for rows whose source is unknown. */
  readonly sources?: readonly string[] | undefined;
  /** Part of model, path, error or source; case does not count. */
  readonly q?: string | undefined;
  /** A day of the device's zone, `YYYY-MM-DD`; null or left out: the live window, the last 24 h and what comes. */
  readonly day?: string | null | undefined;
  /** All that this device holds, instead of the live window or a day. */
  readonly all?: boolean | undefined;
}

/** Of the rows that match: failed requests, gaps, all. */
export interface ActivityCounts {
  readonly failed: number;
  readonly gaps: number;
  readonly total: number;
}

/** Counts of a feed by what can be chosen, and by source; see `activitySummary`. */
export type ActivityTally = Pick<ActivitySummary, 'hosts' | 'models' | 'sources' | 'bySource'>;

/**
 * Rows that match a filter, newest first, each once, gaps included. The object is replaced when anything changes;
 * `rowAt` of an older one keeps answering for what it showed.
 */
export interface ActivityFeed {
  /** `ready` as soon as what this device holds is decoded; more may follow, see `missing`. */
  readonly state: 'loading' | 'ready';
  readonly count: number;
  /** 0 is the newest. The same row is the same object while it stays in view. */
  readonly rowAt: (index: number) => ActivityRow | undefined;
  /** Null: not counted yet, or counting failed. The same holds for `tally`. */
  readonly counts: ActivityCounts | null;
  readonly tally: ActivityTally | null;
  /** Rises with every change. */
  readonly version: number;
  /** How far back this device sees without a hole, epoch milliseconds; null: nothing is held. */
  readonly from: number | null;
  /** Days inside the asked window of which something is not on this device, newest first. */
  readonly missing: { readonly days: readonly string[] };
}

/** A day of the device's zone that the collector has history of. */
export interface HistoryDay {
  /** `YYYY-MM-DD`. */
  readonly day: string;
  /** Estimated where a segment reaches over midnight. */
  readonly rows: number;
  readonly bytes: number;
  readonly held: 'all' | 'part' | 'none';
}

/** Kinds of sealed history; `perf-5m` are what charts are drawn from. */
export type StoredKind = 'activity' | 'perf-5m' | 'model-events';

/** One kind of history of one day. `nothing`: the collector has none. */
export interface StoredPart {
  readonly kind: StoredKind;
  readonly bytes: number;
  readonly heldBytes: number;
  readonly held: 'all' | 'part' | 'none' | 'nothing';
}

/** A day of the device's zone that the collector has any history of; sizes are estimated where segments reach over midnight. */
export interface StoredDay {
  /** `YYYY-MM-DD`. */
  readonly day: string;
  /** One for each kind, always in the same order. */
  readonly parts: readonly StoredPart[];
  readonly bytes: number;
  readonly heldBytes: number;
}

/** Compressed bytes on this device. */
export type HeldByKind = Readonly<Record<StoredKind, number>>;

/** Everything this device holds as a zip of one file for each kind; `onProgress` tells of bytes read. */
export type ExportHistory = (
  format: 'ndjson' | 'csv',
  options: {
    readonly signal: AbortSignal;
    readonly onProgress: (doneBytes: number, totalBytes: number) => void;
  },
) => Promise<Result<Blob>>;

/** Sealed history: what there is, what this device holds, and a way to fetch a day. */
export interface HistoryDays {
  /** Newest first. */
  readonly days: readonly HistoryDay[];
  /** The same for all kinds, newest first. */
  readonly stored: readonly StoredDay[];
  readonly heldByKind: HeldByKind;
  /** Compressed size of all sealed history on this device. */
  readonly heldBytes: number;
  /** Fetches every kind of history of a day. */
  readonly fetchDay: (day: string) => Promise<Result<null>>;
  readonly exportAll: ExportHistory;
  /** What is being fetched now; null when nothing is. */
  readonly progress: HistoryProgress | null;
}

/** See {@link HistoryDays}. */
export interface HistoryProgress {
  readonly doneBytes: number;
  readonly totalBytes: number;
  /** True for what the app fetches by itself, false for what a person asked for. */
  readonly background: boolean;
}

/** A new version waits; `reload` starts it. It never starts by itself. */
export interface Update {
  readonly ready: boolean;
  readonly reload: () => void;
}

/** Whether the app can be installed here. `manual`: iOS, by "Share, then Add to Home Screen". */
export interface Install {
  readonly state: 'unavailable' | 'available' | 'manual' | 'installed';
  readonly install: () => Promise<'accepted' | 'dismissed'>;
}

/** What the browser answered when asked to keep this copy. */
export type PersistOutcome = 'not-asked' | 'granted' | 'refused' | 'unsupported';
