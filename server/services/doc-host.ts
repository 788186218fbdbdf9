import type * as Y from 'yjs';
import { formatDocName } from '#sync/doc-name.ts';
import type { DocKind } from '#sync/doc-name.ts';
import { FleetEntries } from '#sync/fleet-doc.ts';
import type { DocumentSource, SharedDocument } from '#sync/shared-document.ts';
import type { HealthCheck } from '#shared/schemas/info.ts';
import type { Clock, HealthSource, Log, StoreFiles } from '../domain/ports.ts';
import { storeCheck } from '../domain/health/store-check.ts';
import type { DocumentSize } from '../domain/health/sync-check.ts';
import { StoreError } from '../domain/store-error.ts';
import type { StoreFailure } from '../domain/store-error.ts';
import type { Store } from '../domain/store-ports.ts';
import { HostedDocument } from './hosted-document.ts';
import { reconcileFleet, reconcileTail } from './reconcile-documents.ts';

/** The documents as the writer of a commit sees them. */
export interface OpenDocuments {
  readonly fleet: FleetEntries;
  readonly tail: Y.Doc;
}

/** What a document host is made of. */
export interface DocHostOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  /** The files under the store; left out: nothing is known of them. */
  readonly files?: StoreFiles;
}

interface Open extends OpenDocuments {
  readonly hosted: Readonly<Record<DocKind, HostedDocument>>;
}

const KINDS: readonly DocKind[] = ['fleet', 'tail'];
const FIRST_RETRY_MS = 1000;
const LAST_RETRY_MS = 30_000;

/**
 * Owns the documents. A change happens in `commit` only: rows and the documents' updates in one transaction, and after
 * it the broadcast, so that no client ever holds what the server does not. When a commit fails for good the documents
 * in memory are ahead of the disk: they are dropped, and loaded again once a write goes through.
 */
export class DocHost implements DocumentSource, HealthSource {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #files: StoreFiles | null;
  readonly #droppedListeners = new Set<(why: 'store_failed' | 'generation') => void>();
  readonly #recoveredListeners = new Set<() => void>();
  #open: Open | null = null;
  #names: Record<DocKind, string> = { fleet: 'fleet@g1', tail: 'tail@g1' };
  #failure: { readonly reason: StoreFailure; readonly since: number } | null = null;
  #retryMs = FIRST_RETRY_MS;
  #cancelRetry: (() => void) | null = null;
  #lastCommitAt: number | null = null;
  #stopped = false;

  constructor({ store, clock, log, files }: DocHostOptions) {
    this.#store = store;
    this.#clock = clock;
    this.#log = log;
    this.#files = files ?? null;
  }

  /** Loads the documents. A disk that cannot be written does not end the process: it is tried again. */
  start(): void {
    try {
      this.#load();
    } catch (error) {
      this.#fail(error);
    }
  }

  /** Stops retrying and lets go of the documents. */
  stop(): void {
    this.#stopped = true;
    this.#cancelRetry?.();
    this.#close();
  }

  /**
   * Runs `work` on rows and documents in one transaction, then broadcasts. Throws `StoreError` when nothing was kept;
   * an error of `work` itself, before it changed a document, passes through and harms nothing.
   */
  commit<T>(
    work: (documents: OpenDocuments) => T,
    options: { readonly compact?: readonly DocKind[] } = {},
  ): T {
    const open = this.#open;
    if (!open) throw new StoreError(this.#failure?.reason ?? 'other');
    const { fleet, tail } = open.hosted;
    let result: T;
    try {
      result = this.#store.transact(() => {
        const value = fleet.doc.transact(() => tail.doc.transact(() => work(open)));
        for (const kind of KINDS)
          open.hosted[kind].persist(this.#store, options.compact?.includes(kind) ?? false);
        return value;
      });
    } catch (error) {
      const untouched = KINDS.every((kind) => !open.hosted[kind].changed);
      if (untouched && (!(error instanceof StoreError) || error.failure === 'busy')) throw error;
      this.#fail(error);
      throw error instanceof StoreError ? error : new StoreError('other', { cause: error });
    }
    this.#lastCommitAt = this.#clock.now();
    for (const kind of KINDS) open.hosted[kind].publish();
    return result;
  }

  /** The tail as it stands, or null while the store is down. It is another one after a recovery. */
  tail(): Y.Doc | null {
    return this.#open?.tail ?? null;
  }

  names(): { readonly fleet: string; readonly tail: string } {
    return this.#names;
  }

  open(name: string): SharedDocument | null {
    if (!this.#open) return null;
    return KINDS.map((kind) => this.#open?.hosted[kind]).find((hosted) => hosted?.name === name) ?? null;
  }

  unavailable(): boolean {
    return this.#open === null;
  }

  onDropped(listener: (why: 'store_failed' | 'generation') => void): () => void {
    this.#droppedListeners.add(listener);
    return () => this.#droppedListeners.delete(listener);
  }

  /** Called when the store works again after it failed: what was not committed meanwhile is to be learned anew. */
  onRecovered(listener: () => void): () => void {
    this.#recoveredListeners.add(listener);
    return () => this.#recoveredListeners.delete(listener);
  }

  /** Sizes of the documents as they would be sent; none while the store is down. */
  sizes(): readonly DocumentSize[] {
    const open = this.#open;
    return open ? KINDS.map((kind) => ({ kind, bytes: open.hosted[kind].sizeBytes() })) : [];
  }

  health(): readonly HealthCheck[] {
    const now = this.#clock.now();
    const failure = this.#open ? null : (this.#failure ?? { reason: 'other' as const, since: now });
    const files = {
      sizeBytes: this.#files?.sizeBytes() ?? null,
      freeBytes: this.#files?.freeBytes() ?? null,
    };
    const rows = failure === null ? this.#store.segments.totals().rows : null;
    return [storeCheck({ failure, rows, lastCommitAt: this.#lastCommitAt, ...files }, now)];
  }

  #load(): void {
    const now = this.#clock.now();
    const store = this.#store;
    const open = store.transact((): Open => {
      const fleetDocument = HostedDocument.load('fleet', store, now);
      const fleet = new FleetEntries(fleetDocument.doc);
      fleetDocument.doc.transact(() => reconcileFleet(fleet, fleetDocument, store, now));
      const tailDocument = reconcileTail(HostedDocument.load('tail', store, now), store, now);
      const hosted = { fleet: fleetDocument, tail: tailDocument };
      for (const kind of KINDS) hosted[kind].persist(store, true);
      return { fleet, tail: tailDocument.doc, hosted };
    });
    for (const kind of KINDS) open.hosted[kind].publish();
    this.#open = open;
    this.#failure = null;
    this.#retryMs = FIRST_RETRY_MS;
    this.#names = {
      fleet: formatDocName({ kind: 'fleet', generation: open.hosted.fleet.generation }),
      tail: formatDocName({ kind: 'tail', generation: open.hosted.tail.generation }),
    };
  }

  #fail(error: unknown): void {
    const reason = error instanceof StoreError ? error.failure : 'other';
    const wasOpen = this.#open !== null;
    this.#failure = { reason, since: this.#failure?.since ?? this.#clock.now() };
    this.#log.error({ reason, error: describe(error) }, 'the store failed');
    this.#close();
    if (wasOpen) for (const listener of this.#droppedListeners) listener('store_failed');
    this.#scheduleRetry();
  }

  #close(): void {
    const open = this.#open;
    this.#open = null;
    if (open) for (const kind of KINDS) open.hosted[kind].close();
  }

  #scheduleRetry(): void {
    if (this.#stopped) return;
    this.#cancelRetry?.();
    this.#cancelRetry = this.#clock.after(this.#retryMs, () => this.#retry());
    this.#retryMs = Math.min(this.#retryMs * 2, LAST_RETRY_MS);
  }

  #retry(): void {
    this.#cancelRetry = null;
    try {
      this.#store.recover();
      this.#load();
    } catch (error) {
      this.#fail(error);
      return;
    }
    this.#log.info({}, 'the store works again');
    for (const listener of this.#recoveredListeners) listener();
  }
}

function describe(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);
}
