import type { ModelEvent } from '#shared/schemas/model.ts';
import type { PerformanceRow } from '#shared/schemas/performance.ts';
import type { SegmentEntry } from '#shared/schemas/segment.ts';
import { decodeSegmentColumns } from '#sync/segment-codec.ts';
import type { PerformanceColumns, SegmentColumns } from '#sync/segment-codec.ts';
import { standIns } from '#sync/segment-cover.ts';
import type { ExportRow } from './export-lines.ts';
import { rowOf } from './row-block.ts';
import type { RowBlock } from './row-block.ts';
import { MemorySegmentStore } from './segment-store.ts';
import type { SegmentStore } from './segment-store.ts';
import type { HeldSegment } from './storage-plan.ts';

/** Hash of bytes as lower-case hex; null where the browser has no `crypto.subtle` (plain http). */
export type HashBytes = (bytes: Uint8Array) => Promise<string | null>;

/**
 * Segments on this device: what is held, and their rows on demand. Where the store refuses (no room), a segment is
 * kept for as long as the page lives, and the refusal is said.
 */
export class HistoryLibrary {
  readonly #store: SegmentStore;
  readonly #overflow = new MemorySegmentStore();
  readonly #hashBytes: HashBytes;
  readonly #onStorageError: (message: string | null) => void;
  #held = new Map<string, HeldSegment>();
  /** What stands in for a listed segment, found once for what is held now. */
  readonly #standIns = new Map<string, readonly HeldSegment[] | null>();

  constructor(options: {
    readonly store: SegmentStore;
    readonly hashBytes: HashBytes;
    readonly onStorageError: (message: string | null) => void;
  }) {
    this.#store = options.store;
    this.#hashBytes = options.hashBytes;
    this.#onStorageError = options.onStorageError;
  }

  /** Reads what is held, also by other tabs. */
  async refresh(): Promise<void> {
    const overflow = await this.#overflow.list();
    const stored = await this.#store.list().catch((error: unknown) => {
      this.#onStorageError(messageOf(error));
      return [];
    });
    this.#held = new Map([...stored, ...overflow].map((segment) => [segment.hash, segment]));
    this.#standIns.clear();
  }

  held(): readonly HeldSegment[] {
    return [...this.#held.values()];
  }

  /** True when the rows of a listed segment are all here: in itself, or in those it was merged from. */
  isHeld(entry: SegmentEntry): boolean {
    return this.#partsOf(entry).length > 0;
  }

  /** Checks a fetched blob against its name and its format, and keeps it; an error text when it is damaged. */
  async accept(entry: SegmentEntry, bytes: Uint8Array, pinnedAt: number | null): Promise<string | null> {
    const hash = await this.#hashBytes(bytes);
    if (hash !== null && hash !== entry.hash) return 'The bytes that came do not match their hash.';
    try {
      const { rowCount } = decodeSegmentColumns(bytes);
      if (rowCount !== entry.rows)
        return 'The segment that came has another number of rows than the manifest says.';
    } catch (error) {
      return messageOf(error);
    }
    const { kind, rows, from, to, seqs } = entry;
    const segment = { hash: entry.hash, kind, rows, bytes: bytes.byteLength, from, to, seqs, pinnedAt };
    try {
      await this.#store.put(segment, bytes);
      this.#onStorageError(null);
    } catch (error) {
      this.#onStorageError(messageOf(error));
      await this.#overflow.put(segment, bytes);
    }
    this.#held.set(entry.hash, segment);
    this.#standIns.clear();
    return null;
  }

  /** The rows of a held segment; null when it is of another kind, or its bytes are gone or damaged (then it is dropped). */
  async rows(hash: string): Promise<RowBlock | null> {
    const columns = await this.#columns(hash);
    return columns?.kind === 'activity' ? columns : null;
  }

  /** The transitions of a held segment; none when it is of another kind or its bytes are gone. */
  async modelEvents(hash: string): Promise<readonly ModelEvent[]> {
    const columns = await this.#columns(hash);
    if (columns?.kind !== 'model-events') return [];
    return Array.from({ length: columns.rowCount }, (_, index) => columns.row(index));
  }

  /** Every row of a held segment, of whatever kind; none when its bytes are gone or damaged. */
  async exportRows(hash: string): Promise<readonly ExportRow[]> {
    const columns = await this.#columns(hash);
    if (columns === null) return [];
    if (columns.kind !== 'activity') {
      return Array.from({ length: columns.rowCount }, (_, index) => columns.row(index));
    }
    return Array.from({ length: columns.rowCount }, (_, index) => rowOf(columns, index)).filter(
      (row) => row !== undefined,
    );
  }

  /** Every held sample of a host; segments whose bytes are gone or damaged are dropped. */
  async samples(hostId: string): Promise<readonly PerformanceRow[]> {
    const rows: PerformanceRow[] = [];
    for (const { hash, kind } of this.held()) {
      if (kind !== 'perf-5m') continue;
      const columns = await this.#columns(hash);
      if (columns?.kind === 'perf-5m') for (const row of rowsOfHost(columns, hostId)) rows.push(row);
    }
    return rows;
  }

  /** Columns of a held segment; null when its bytes are gone or damaged: then it is dropped. */
  async #columns(hash: string): Promise<SegmentColumns | null> {
    const bytes = (await this.#store.read(hash).catch(() => null)) ?? (await this.#overflow.read(hash));
    try {
      if (bytes === null) throw new Error('the bytes of a segment are gone');
      return decodeSegmentColumns(bytes);
    } catch {
      await this.drop([hash]);
      return null;
    }
  }

  /** Notes that a person asked for the rows of a listed segment. */
  async pin(entry: SegmentEntry, pinnedAt: number): Promise<void> {
    for (const segment of this.#partsOf(entry)) {
      this.#held.set(segment.hash, { ...segment, pinnedAt });
      await this.#store.pin(segment.hash, pinnedAt).catch(() => undefined);
    }
    this.#standIns.clear();
  }

  async drop(hashes: readonly string[]): Promise<void> {
    if (hashes.length === 0) return;
    for (const hash of hashes) this.#held.delete(hash);
    this.#standIns.clear();
    await this.#overflow.drop(hashes);
    await this.#store.drop(hashes).catch(() => undefined);
  }

  #partsOf(entry: SegmentEntry): readonly HeldSegment[] {
    const itself = this.#held.get(entry.hash);
    if (itself) return [itself];
    let parts = this.#standIns.get(entry.hash);
    if (parts === undefined) {
      parts = standIns(entry, this.held());
      this.#standIns.set(entry.hash, parts);
    }
    return parts ?? [];
  }
}

/** Makes objects of one host's samples only: a segment holds the whole fleet's. */
function* rowsOfHost(columns: PerformanceColumns, hostId: string): Generator<PerformanceRow> {
  let first = 0;
  for (const one of columns.series) {
    const next = first + one.to - one.from;
    if (one.hostId === hostId) for (let index = first; index < next; index += 1) yield columns.row(index);
    first = next;
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error && error.message !== ''
    ? error.message
    : 'The browser refused to store history.';
}
