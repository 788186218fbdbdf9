import type { SegmentEntry } from '#shared/schemas/segment.ts';
import { decodeSegmentColumns } from '#sync/segment-codec.ts';
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
  }

  held(): readonly HeldSegment[] {
    return [...this.#held.values()];
  }

  isHeld(hash: string): boolean {
    return this.#held.has(hash);
  }

  /** Checks a fetched blob against its name and its format, and keeps it; an error text when it is damaged. */
  async accept(entry: SegmentEntry, bytes: Uint8Array, pinnedAt: number | null): Promise<string | null> {
    const hash = await this.#hashBytes(bytes);
    if (hash !== null && hash !== entry.hash) return 'The bytes that came do not match their hash.';
    try {
      decodeSegmentColumns(bytes);
    } catch (error) {
      return messageOf(error);
    }
    const { kind, rows, from, to } = entry;
    const segment = { hash: entry.hash, kind, rows, bytes: bytes.byteLength, from, to, pinnedAt };
    try {
      await this.#store.put(segment, bytes);
      this.#onStorageError(null);
    } catch (error) {
      this.#onStorageError(messageOf(error));
      await this.#overflow.put(segment, bytes);
    }
    this.#held.set(entry.hash, segment);
    return null;
  }

  /** The rows of a held segment; null when it is of another kind, or its bytes are gone or damaged (then it is dropped). */
  async rows(hash: string): Promise<RowBlock | null> {
    const bytes = (await this.#store.read(hash).catch(() => null)) ?? (await this.#overflow.read(hash));
    try {
      if (bytes === null) throw new Error('the bytes of a segment are gone');
      const columns = decodeSegmentColumns(bytes);
      return columns.kind === 'activity' ? columns : null;
    } catch {
      await this.drop([hash]);
      return null;
    }
  }

  async pin(hash: string, pinnedAt: number): Promise<void> {
    const segment = this.#held.get(hash);
    if (!segment) return;
    this.#held.set(hash, { ...segment, pinnedAt });
    await this.#store.pin(hash, pinnedAt).catch(() => undefined);
  }

  async drop(hashes: readonly string[]): Promise<void> {
    if (hashes.length === 0) return;
    for (const hash of hashes) this.#held.delete(hash);
    await this.#overflow.drop(hashes);
    await this.#store.drop(hashes).catch(() => undefined);
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error && error.message !== ''
    ? error.message
    : 'The browser refused to store history.';
}
