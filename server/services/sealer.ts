import { setImmediate } from 'node:timers/promises';
import type * as Y from 'yjs';
import { tailSize, trimTail } from '#sync/tail-codec.ts';
import { tailItems } from '#sync/tail-doc.ts';
import type { HealthCheck } from '#shared/schemas/info.ts';
import { HISTORY_KINDS, rowsOfKind } from '../domain/history-kinds.ts';
import { segmentsCheck } from '../domain/health/segments-check.ts';
import type { Clock, HealthSource, Log } from '../domain/ports.ts';
import { hourKey, hourOf, msToNextHour, partition, planMerge, tailIsFull } from '../domain/segment-policy.ts';
import type { BuiltSegment, HistoryKind, SegmentBuilder, Store } from '../domain/store-ports.ts';
import type { DocHost } from './doc-host.ts';
import type { Retention } from './retention.ts';
import { SegmentWriter } from './segment-writer.ts';

/** What a sealer is made of. */
export interface SealerOptions {
  readonly docHost: DocHost;
  readonly store: Store;
  readonly builder: SegmentBuilder;
  readonly retention: Retention;
  readonly clock: Clock;
  readonly log: Log;
}

/** Rows that bypass the tail are sealed this long after the first of them, so that a backfill makes few segments. */
const WAITING_MS = 500;
/** Changed rows wait for others of their segment: each time it is built anew, every device fetches it anew. */
const CHANGED_MS = 10_000;
/** After a failed build or commit. */
const RETRY_MS = 5000;
/** Looks whether something is due, should a timer have been lost to a suspend. */
const TICK_MS = 60_000;
/** Just past the hour, so that a clock that runs a little early does not seal twice. */
const AFTER_HOUR_MS = 50;

/**
 * Moves history out of the tail: seals it into segments when it is full or an hour ends, merges segments, and drops
 * what is too old. Bytes are made off the main loop from rows that are committed; what follows is one short commit that
 * stores the blob, lists it and trims the tail, so that a row is in exactly one place whenever the process ends.
 */
export class Sealer implements HealthSource {
  readonly #options: SealerOptions;
  #running: Promise<void> | null = null;
  #again = false;
  #stopped = true;
  #failure: string | null = null;
  readonly #writer: SegmentWriter;
  /** Segments that a merge would only have cut up again: tried once, until a restart. */
  readonly #unmergeable = new Set<number>();
  /** How often rows were changed where they are, now and before the step under way. */
  #changes = 0;
  #changesBefore = 0;
  #cancels = new Map<string, () => void>();

  constructor(options: SealerOptions) {
    this.#options = options;
    this.#writer = new SegmentWriter(options.store, options.clock);
  }

  start(): void {
    this.#stopped = false;
    const { clock } = this.#options;
    this.#cancels.set(
      'tick',
      clock.every(TICK_MS, () => this.#kick()),
    );
    this.#armHour();
    this.#kick();
  }

  /** Ends; a seal under way is not committed. */
  async stop(): Promise<void> {
    this.#stopped = true;
    for (const cancel of this.#cancels.values()) cancel();
    this.#cancels.clear();
    await this.#running;
  }

  /** Called after each commit of rows: cheap, begins a seal when one is due. */
  noticeCommit(): void {
    if (this.#stopped) return;
    const tail = this.#options.docHost.tail();
    if (tail && tailIsFull(tailSize(tail))) this.#kick();
    else if (!this.#cancels.has('waiting') && this.#hasWaiting()) this.#later('waiting', WAITING_MS);
  }

  /** Called when rows of sealed history were deleted: segments that held them are built anew at once. */
  noticePurge(): void {
    this.#kick();
  }

  /** Called when rows were changed where they are: what is being built of them is out of date. */
  noticeChange(): void {
    this.#changes += 1;
    if (!this.#stopped) this.#later('changed', CHANGED_MS);
  }

  /** Resolves when nothing is due any more. */
  async settled(): Promise<void> {
    while (this.#running) await this.#running;
  }

  health(): readonly HealthCheck[] {
    const { store, docHost, clock } = this.#options;
    // A database that cannot be read has a check of its own.
    if (docHost.unavailable()) return [];
    const { segments, bytes, sealedTo } = store.segments.totals();
    const facts = {
      segments,
      bytes,
      sealedTo,
      lastSealAt: this.#writer.lastSealAt(),
      failure: this.#failure,
    };
    return [segmentsCheck(facts, clock.now())];
  }

  #armHour(): void {
    const { clock } = this.#options;
    const wait = msToNextHour(clock.now()) + AFTER_HOUR_MS;
    const cancel = clock.after(wait, () => {
      this.#kick();
      this.#armHour();
    });
    this.#cancels.set('hour', cancel);
  }

  #later(name: string, delayMs: number): void {
    this.#cancels.get(name)?.();
    const cancel = this.#options.clock.after(delayMs, () => {
      this.#cancels.delete(name);
      this.#kick();
    });
    this.#cancels.set(name, cancel);
  }

  #hasWaiting(): boolean {
    return HISTORY_KINDS.some((kind) => this.#options.store.segments.openRanges(kind, 'waiting').length > 0);
  }

  #kick(): void {
    if (this.#stopped) return;
    if (this.#running) {
      this.#again = true;
      return;
    }
    this.#running = this.#run().finally(() => {
      this.#running = null;
      if (!this.#again) return;
      this.#again = false;
      this.#kick();
    });
  }

  async #run(): Promise<void> {
    try {
      while (!this.#stopped && !this.#options.docHost.unavailable() && (await this.#step())) {
        // Every step is a commit of its own; sockets are served between them.
        await setImmediate();
      }
      this.#failure = null;
    } catch (error) {
      this.#failure = error instanceof Error ? error.message : String(error);
      this.#options.log.warn({ error: this.#failure }, 'history could not be sealed');
      if (!this.#stopped) this.#later('retry', RETRY_MS);
    }
  }

  /** Does the most urgent thing that is due; false when nothing is. */
  async #step(): Promise<boolean> {
    this.#changesBefore = this.#changes;
    if (await this.#seal()) return true;
    if (await this.#rebuildStale()) return true;
    if (await this.#merge()) return true;
    return this.#options.retention.step();
  }

  async #seal(): Promise<boolean> {
    const { docHost, store, builder, clock } = this.#options;
    const tail = docHost.tail();
    if (!tail) return false;
    const hour = hourOf(clock.now());
    const inTail = HISTORY_KINDS.map((kind) => ({ kind, ranges: store.segments.openRanges(kind, 'tail') }));
    const hourIsOver = inTail.some(({ ranges }) => ranges.some((range) => range.hour < hour));
    const sealsTail = tailIsFull(tailSize(tail)) || hourIsOver;
    const itemCount = sealsTail ? tailItems(tail).length : 0;
    const lastItem = lastItemOf(tail, itemCount);
    const parts = HISTORY_KINDS.flatMap((kind) => {
      const waiting = store.segments.openRanges(kind, 'waiting');
      const ofTail = sealsTail ? (inTail.find((entry) => entry.kind === kind)?.ranges ?? []) : [];
      return partition([...waiting, ...ofTail]).map((part) => ({ ...part, kind }));
    });
    // A tail of rows that are all gone (a purged host) has items and no ranges with rows: it is trimmed all the same.
    if (parts.length === 0 && itemCount === 0) return false;

    const built: { readonly kind: HistoryKind; readonly hour: number; readonly segment: BuiltSegment }[] = [];
    for (const part of parts) {
      const segments = await builder.build({ kind: part.kind, ranges: part.ranges });
      for (const segment of segments) built.push({ kind: part.kind, hour: part.hour, segment });
    }
    // After a recovery the tail is another document; after a purge its items are others, or rows are gone.
    const untouched = docHost.tail() === tail && lastItemOf(tail, itemCount) === lastItem;
    if (this.#stopped || !untouched || !built.every((part) => this.#isCurrent(part))) return true;
    docHost.commit(
      (documents) => {
        for (const { kind, hour, segment } of built) {
          this.#writer.insert(documents, { kind, segment, makeKey: (part) => hourKey(hour, part) });
        }
        if (itemCount > 0) trimTail(tail, itemCount);
      },
      { compact: ['tail'] },
    );
    return true;
  }

  async #rebuildStale(): Promise<boolean> {
    const { store, docHost, builder } = this.#options;
    const stale = store.segments.list().find((segment) => segment.stale);
    const kind = HISTORY_KINDS.find((kind) => kind === stale?.entry.kind);
    if (!stale || !kind) return false;
    const segments = await builder.build({ kind, ranges: store.segments.rangesOf(stale.id) });
    if (!this.#mayCommit(kind, segments)) return true;
    docHost.commit((documents) => {
      this.#writer.retire(documents, stale);
      const base = stale.entry.key.replace(/\.\d+$/, '');
      for (const segment of segments) {
        this.#writer.insert(documents, { kind, segment, makeKey: (part) => `${base}.${part}` });
      }
    });
    return true;
  }

  async #merge(): Promise<boolean> {
    const { store, docHost, builder, clock } = this.#options;
    for (const kind of HISTORY_KINDS) {
      const mergeable = store.segments.list(kind).filter(({ id }) => !this.#unmergeable.has(id));
      const merge = planMerge(mergeable, clock.now());
      if (!merge) continue;
      const ranges = merge.segments.flatMap(({ id }) => store.segments.rangesOf(id));
      const segments = await builder.build({ kind, ranges });
      if (segments.length >= merge.segments.length) {
        for (const { id } of merge.segments) this.#unmergeable.add(id);
        return true;
      }
      if (!this.#mayCommit(kind, segments)) return true;
      docHost.commit((documents) => {
        for (const segment of merge.segments) this.#writer.retire(documents, segment);
        for (const segment of segments)
          this.#writer.insert(documents, { kind, segment, makeKey: merge.makeKey });
      });
      return true;
    }
    return false;
  }

  #mayCommit(kind: HistoryKind, segments: readonly BuiltSegment[]): boolean {
    if (this.#stopped || this.#options.docHost.unavailable()) return false;
    return segments.every((segment) => this.#isCurrent({ kind, segment }));
  }

  /** True when the rows a segment was built from are all still there and unchanged: something may have come between. */
  #isCurrent({ kind, segment }: { readonly kind: HistoryKind; readonly segment: BuiltSegment }): boolean {
    if (this.#changes !== this.#changesBefore) return false;
    return rowsOfKind(this.#options.store, kind).count(segment.ranges) === segment.rows;
  }
}

function lastItemOf(tail: Y.Doc, itemCount: number): unknown {
  return itemCount === 0 ? null : tailItems(tail).get(itemCount - 1);
}
