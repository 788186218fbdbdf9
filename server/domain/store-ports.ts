import type { LogChunkStore } from './log-ports.ts';
import type { ActivityRow } from '#shared/schemas/activity.ts';
import type { CaptureKey } from '#shared/schemas/capture.ts';
import type { ModelEvent, Model } from '#shared/schemas/model.ts';
import type { SegmentEntry } from '#shared/schemas/segment.ts';
import type { DocKind } from '#sync/doc-name.ts';
import type { CaptureStore } from './captures/capture-ports.ts';
import type { IntentStore } from './intent-ports.ts';
import type { OutboxStore } from './outbox-ports.ts';
import type { PerformanceStore, RollupStore } from './performance-ports.ts';
import type { ActivityCursor, HostConfig, HostStatus } from './ports.ts';

/** Kinds of history rows that are sealed into segments by this version. */
export type HistoryKind = 'activity' | 'model-events' | 'perf-5m';

/**
 * Consecutive sequence numbers `fromSeq`…`toSeq` of one kind of history row, received in one UTC hour (hours since the
 * epoch). Every row lies in exactly one range, and every range in one place: the tail, waiting, or one segment.
 */
export interface SeqRange {
  readonly fromSeq: number;
  readonly toSeq: number;
  readonly hour: number;
}

/** Where rows that no segment holds yet are: in the tail document, or waiting to be sealed past it. */
export type OpenPlace = 'tail' | 'waiting';

/** What an insert kept: rows the store had already are left out; null when it kept none. */
export interface Inserted<Row> {
  readonly rows: readonly Row[];
  readonly fromSeq: number;
  readonly toSeq: number;
}

/** Activity rows and gaps, each at most once: unique on (host, idEpoch, id). */
export interface ActivityStore {
  insert(rows: readonly ActivityRow[], receivedAt: number): Inserted<ActivityRow> | null;
  cursor(hostId: string): ActivityCursor;
  /** Rows of some ranges, in order of sequence number. */
  read(ranges: readonly SeqRange[]): readonly ActivityRow[];
  /** How many rows some ranges still have. */
  count(ranges: readonly SeqRange[]): number;
  /** Writes down who sent a request, as it says itself. Returns its number, null when nothing is new by it. */
  nameSource(key: CaptureKey, source: string): number | null;
  /** Deletes up to `limit` rows from the start of a range; returns how many. */
  deleteSome(range: SeqRange, limit: number): number;
  /** Deletes all rows of a host. */
  deleteHost(hostId: string): void;
  /**
   * Drops what filters knew of rows that are deleted, as far as all of them ended before a time: one step over the
   * facets after `afterId`. Returns where the next step begins, null at the end.
   */
  pruneFacets(afterId: number, endedBefore: number): number | null;
}

/** Transitions of models. */
export interface ModelEventStore {
  insert(events: readonly ModelEvent[], receivedAt: number): Inserted<ModelEvent> | null;
  read(ranges: readonly SeqRange[]): readonly ModelEvent[];
  /** How many rows some ranges still have. */
  count(ranges: readonly SeqRange[]): number;
  deleteSome(range: SeqRange, limit: number): number;
  deleteHost(hostId: string): void;
}

/** A configured host with its status as last recorded; null before the first. */
export interface StoredHost {
  readonly config: HostConfig;
  readonly status: HostStatus | null;
}

/** Rows of the registry and of the hosts' models, inside the caller's transaction. */
export interface FleetStore {
  hosts(): readonly StoredHost[];
  insertHost(config: HostConfig, now: number): void;
  updateHost(config: HostConfig): void;
  removeHost(hostId: string): boolean;
  setStatus(hostId: string, status: HostStatus): void;
  models(hostId: string): readonly Model[];
  putModels(hostId: string, changed: readonly { readonly model: Model; readonly position: number }[]): void;
  deleteModels(hostId: string, modelIds: readonly string[]): void;
}

/** A stored document: its last whole state and the updates after it, in order. */
export interface StoredDocument {
  readonly generation: number;
  readonly createdAt: number;
  readonly state: Uint8Array | null;
  readonly updates: readonly Uint8Array[];
}

/** Yjs documents as an append log with a snapshot. */
export interface DocumentStore {
  load(kind: DocKind): StoredDocument | null;
  /** Starts a generation, dropping what was kept of the one before. */
  create(kind: DocKind, generation: number, now: number): void;
  append(kind: DocKind, update: Uint8Array): void;
  /** Replaces the state and drops the updates, which it holds. */
  compact(kind: DocKind, state: Uint8Array): void;
}

/** A sealed segment as stored: its manifest entry, and what it was made of. */
export interface StoredSegment {
  readonly id: number;
  readonly entry: SegmentEntry;
  readonly firstHour: number;
  readonly lastHour: number;
  /** True when rows it holds were deleted since: it is to be built again. */
  readonly stale: boolean;
}

/** Bytes ready to be stored as a segment. */
export interface SegmentDraft {
  readonly entry: SegmentEntry;
  readonly bytes: Uint8Array;
  readonly ranges: readonly SeqRange[];
}

/** What is sealed, and how many rows of history there are in all. */
export interface SegmentTotals {
  readonly segments: number;
  readonly bytes: number;
  /** End of the newest hour that has sealed rows; null when nothing is sealed. */
  readonly sealedTo: number | null;
  /** Sealed rows and those that still wait, without samples of machines. */
  readonly rows: number;
}

/** Sealed segments, their manifest, and where each row is. */
export interface SegmentStore {
  list(kind?: HistoryKind): readonly StoredSegment[];
  totals(): SegmentTotals;
  /** Bytes by hash: of the manifest, or replaced less than the grace period ago. */
  blob(hash: string): Uint8Array | null;
  insert(draft: SegmentDraft): void;
  /** Takes a segment out of the manifest; its bytes stay until `dropRetired`. */
  retire(segmentId: number, now: number): void;
  dropRetired(before: number): void;
  /** Adds rows just inserted to a place, extending the range before them where it can. */
  place(kind: HistoryKind, range: SeqRange, place: OpenPlace): void;
  openRanges(kind: HistoryKind, place: OpenPlace): readonly SeqRange[];
  rangesOf(segmentId: number): readonly SeqRange[];
  /** Marks the rows of a segment as due for deletion; they are taken away little by little. */
  expire(segmentId: number): void;
  /** Leaves the rows of a segment without one: HTTP still has them, the manifest has no room. */
  unlist(segmentId: number): void;
  /** Marks rows in no segment, received before an hour, as due for deletion; true when there were some. */
  expireUnlisted(kind: HistoryKind, beforeHour: number): boolean;
  /** Marks ranges whose rows are all gone already as due to be dropped. */
  expireRanges(kind: HistoryKind, ranges: readonly SeqRange[]): void;
  expiredRanges(kind: HistoryKind): readonly SeqRange[];
  /** Drops a range all rows of which are deleted. */
  dropExpired(kind: HistoryKind, range: SeqRange): void;
  /** Marks every segment that holds rows of a host as stale; call before the rows are deleted. */
  markStale(hostId: string): void;
  /** Marks the segments that held rows of these numbers as stale. */
  markStaleRows(kind: HistoryKind, seqs: readonly number[]): void;
}

/** The truth: everything Drover keeps, in one database. */
export interface Store {
  readonly fleet: FleetStore;
  readonly activity: ActivityStore;
  readonly captures: CaptureStore;
  readonly modelEvents: ModelEventStore;
  readonly logChunks: LogChunkStore;
  readonly performance: PerformanceStore;
  readonly rollups: RollupStore;
  readonly documents: DocumentStore;
  readonly segments: SegmentStore;
  readonly intents: IntentStore;
  readonly outboxes: OutboxStore;
  /** One immediate transaction; what goes wrong is a `StoreError`, or an error of `work` itself, and nothing is kept. */
  transact<T>(work: () => T): T;
  /** Opens the database anew and proves that a write commits; throws `StoreError` when it does not. */
  recover(): void;
}

/** What every kind of history row can do by its numbers, whatever else it is. */
export interface HistoryRows {
  count(ranges: readonly SeqRange[]): number;
  deleteSome(range: SeqRange, limit: number): number;
}

/** A segment to be built from committed rows. */
export interface BuildRequest {
  readonly kind: HistoryKind;
  readonly ranges: readonly SeqRange[];
}

/** Bytes built from rows: more than one part when they were over the limits of a segment. */
export interface BuiltSegment {
  readonly bytes: Uint8Array;
  readonly hash: string;
  readonly rows: number;
  readonly from: number;
  readonly to: number;
  readonly ranges: readonly SeqRange[];
}

/** Encodes and compresses rows off the main loop; rejects with `AppError` `timeout` past its deadline. */
export interface SegmentBuilder {
  build(request: BuildRequest): Promise<readonly BuiltSegment[]>;
}
