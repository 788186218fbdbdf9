import type { SegmentEntry } from '#shared/schemas/segment.ts';
import { fleetKey } from '#sync/fleet-record.ts';
import type { Clock } from '../domain/ports.ts';
import { freeKey, seqsOf } from '../domain/segment-policy.ts';
import type { BuiltSegment, HistoryKind, Store, StoredSegment } from '../domain/store-ports.ts';
import type { OpenDocuments } from './doc-host.ts';

/** Writes what was built into the store and its entry into the manifest. Calls run inside the caller's commit. */
export class SegmentWriter {
  readonly #store: Store;
  readonly #clock: Clock;
  #lastSealAt: number | null = null;

  constructor(store: Store, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  /** When a segment was written last by this process; null: not yet. */
  lastSealAt(): number | null {
    return this.#lastSealAt;
  }

  /** Takes a segment out of the manifest; whoever fetches it at this moment still gets it. */
  retire({ fleet }: OpenDocuments, { id, entry }: StoredSegment): void {
    this.#store.segments.retire(id, this.#clock.now());
    fleet.delete(fleetKey.segment(entry.kind, entry.key));
  }

  /** Keeps a segment under the first free key that `makeKey` gives for 0, 1, 2…; one without rows is only crossed off. */
  insert(
    { fleet }: OpenDocuments,
    options: {
      readonly kind: HistoryKind;
      readonly segment: BuiltSegment;
      readonly makeKey: (part: number) => string;
    },
  ): void {
    const { kind, segment, makeKey } = options;
    const { segments } = this.#store;
    if (segment.rows === 0) {
      segments.expireRanges(kind, segment.ranges);
      return;
    }
    const used = new Set(segments.list(kind).map(({ entry }) => entry.key));
    const { hash, rows, from, to, bytes } = segment;
    const seqs = seqsOf(segment.ranges);
    const entry: SegmentEntry = {
      kind,
      key: freeKey(makeKey, used),
      rows,
      bytes: bytes.byteLength,
      hash,
      from,
      to,
      ...(seqs && { seqs }),
    };
    segments.insert({ entry, bytes, ranges: segment.ranges });
    this.#lastSealAt = this.#clock.now();
    fleet.set(fleetKey.segment(kind, entry.key), entry);
  }
}
