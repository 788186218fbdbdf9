import type { ModelEvent } from '#shared/schemas/model.ts';
import type { SegmentEntry } from '#shared/schemas/segment.ts';
import { coveredFrom } from './coverage.ts';
import type { HistoryLibrary } from './history-library.ts';
import { eventKey } from './row-key.ts';
import { TailRows } from './tail-rows.ts';

/** Which transitions are wanted: of all models of a host, `from` ≤ `at` < `to`. */
export interface ModelEventSpan {
  readonly hostId: string;
  readonly from: number;
  readonly to: number;
}

/** What this device holds of them. */
export interface HeldModelEvents {
  /** Oldest first, of one moment in the order they were received. */
  readonly events: readonly ModelEvent[];
  /** How far back this device sees transitions without a hole; null: it holds none at all. */
  readonly from: number | null;
}

/** More than a month of a host that swaps every minute; past it the oldest are left out, and `from` says so. */
const MAX_EVENTS = 100_000;

/** Transitions of models that came by the tail document, and those of segments, as one history. */
export class ModelEventRows {
  readonly #tail = new TailRows<ModelEvent>({ keyOf: eventKey, timeOf: ({ at }) => at });
  /** What was decoded for the host asked for last, by segment: a page that shows it asks again and again. */
  #decoded: { readonly hostId: string; readonly bySegment: Map<string, readonly ModelEvent[]> } | null = null;

  /** Takes rows of the tail document; `whole`: they are all it holds. */
  take(rows: readonly ModelEvent[], whole: boolean, now: number): void {
    this.#tail.take(rows, whole, now);
  }

  /** Transitions that came by the tail document. */
  unsealed(): readonly ModelEvent[] {
    return this.#tail.rows();
  }

  /** How many rows the tail gave up that no segment on this device has yet. */
  get heldCount(): number {
    return this.#tail.heldCount;
  }

  /** Lets go of rows that a segment on this device has. */
  async cover(library: HistoryLibrary): Promise<void> {
    const span = this.#tail.heldSpan();
    if (!span) return;
    for (const { hash, kind, from, to } of library.held()) {
      if (kind !== 'model-events' || to < span.from || from > span.to) continue;
      this.#tail.cover((await library.modelEvents(hash)).map(eventKey));
    }
  }

  /** Lets go of rows for which none of the awaited segments will come; see {@link TailRows.letGo}. */
  letGo(awaited: readonly SegmentEntry[], trimmedBefore: number): void {
    const events = awaited.filter(({ kind }) => kind === 'model-events');
    this.#tail.letGo(
      ({ at }, trimmedAt) =>
        trimmedAt <= trimmedBefore && !events.some(({ from, to }) => at >= from && at <= to),
    );
  }

  /** All that this device holds of a span, each transition once. */
  async read(
    span: ModelEventSpan,
    {
      library,
      listed,
    }: { readonly library: HistoryLibrary; readonly listed: readonly SegmentEntry[] | null },
  ): Promise<HeldModelEvents> {
    const sealed = await this.#sealed(span.hostId, library);
    const byKey = new Map<string, ModelEvent>();
    // A segment has the whole of what the tail cut short, so it comes last and wins.
    for (const event of [...this.#tail.rows().filter(({ hostId }) => hostId === span.hostId), ...sealed])
      if (event.at >= span.from && event.at < span.to) byKey.set(eventKey(event), event);
    const events = [...byKey.values()].sort((a, b) => a.at - b.at);
    const isHeld = (entry: SegmentEntry): boolean => library.isHeld(entry);
    const covered = coveredFrom({ listed, isHeld, tailFrom: this.#tail.oldest(), kind: 'model-events' });
    if (events.length <= MAX_EVENTS) return { events, from: covered };
    const newest = events.slice(-MAX_EVENTS);
    return { events: newest, from: Math.max(covered ?? 0, newest[0]?.at ?? 0) };
  }

  async #sealed(hostId: string, library: HistoryLibrary): Promise<readonly ModelEvent[]> {
    const before = this.#decoded?.hostId === hostId ? this.#decoded.bySegment : null;
    const bySegment = new Map<string, readonly ModelEvent[]>();
    for (const { hash, kind } of library.held()) {
      if (kind !== 'model-events') continue;
      const known =
        before?.get(hash) ?? (await library.modelEvents(hash)).filter((row) => row.hostId === hostId);
      bySegment.set(hash, known);
    }
    this.#decoded = { hostId, bySegment };
    return [...bySegment.values()].flat();
  }
}
