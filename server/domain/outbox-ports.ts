import type { OutboxThreadFacts } from './health/outbox-check.ts';
import type { Quarantines } from './outbox-policy.ts';
import type { OutboxVerdict } from '#sync/outbox-check.ts';

/** The outbox of one device or API key as stored. */
export interface StoredOutbox {
  /** Part of its name: a document of an earlier epoch is gone. */
  readonly epoch: number;
  /** Records made in an earlier epoch than this belong to a history that was taken back. */
  readonly floor: number;
  /** When the epoch began; null for an outbox nobody ever wrote to. */
  readonly since: number | null;
  /** The document and its state vector as a thread gave them; null: empty. Nothing here reads them. */
  readonly state: Uint8Array | null;
  readonly vector: Uint8Array | null;
  /** Live records in it. */
  readonly records: number;
}

/** Another epoch of an outbox; what is left out stays as it is. */
export interface NextEpoch {
  readonly epoch: number;
  readonly floor?: number;
  readonly quarantines?: Quarantines;
}

/** Sizes of all outboxes together. */
export interface OutboxTotals {
  readonly outboxes: number;
  readonly records: number;
  readonly bytes: number;
  readonly largestBytes: number;
}

/** Outboxes in the database. Each call is one transaction, or part of the caller's. */
export interface OutboxStore {
  /** The outbox of an owner; one that was never written to begins where the history does. */
  get(ownerId: string): StoredOutbox;
  /** The epoch alone, without reading a document. */
  epochOf(ownerId: string): number;
  /** Keeps a document in the owner's current epoch. */
  put(ownerId: string, document: OutboxDocument, at: number): void;
  /** Begins another epoch, without a document. */
  begin(ownerId: string, next: NextEpoch, at: number): void;
  /** Hostile frames of an owner in a row; null: none was ever sent. */
  quarantinesOf(ownerId: string): Quarantines | null;
  /**
   * History went back for everybody: every outbox, and whatever outbox begins from now on, starts at `epoch` or one
   * above the highest there is, whichever is more. Records of earlier epochs are of a history that is gone.
   */
  restart(epoch: number, at: number): void;
  /** Drops the outbox of an owner that is gone. */
  remove(ownerId: string): void;
  totals(): OutboxTotals;
}

/** A document to be kept. */
export type OutboxDocument = Pick<StoredOutbox, 'state' | 'vector' | 'records'>;

/** What the judge says; `ranMs` is the time it took, without any wait. */
export interface Judged {
  readonly verdict: OutboxVerdict | UnfinishedVerdict;
  readonly ranMs: number;
}

/** The update could not be judged within its time or memory. */
export interface UnfinishedVerdict {
  readonly type: 'refused';
  readonly reason: 'deadline' | 'memory';
  readonly detail: string;
}

/** Reads what devices send, away from the main loop, with a deadline. Rejects when it is stopped. */
export interface OutboxJudge {
  /** While somebody may write it is kept ready, so that the first record need not wait; else it takes no memory. */
  hold(held: boolean): void;
  /** How its thread is. */
  gauges(): OutboxThreadFacts;
  /** Applies an update to a copy of `state`. */
  judge(state: Uint8Array | null, update: Uint8Array): Promise<Judged>;
  /** What a reader with this state vector lacks, as an update; null when that could not be found out in time. */
  diff(state: Uint8Array | null, vector: Uint8Array): Promise<Uint8Array | null>;
}
