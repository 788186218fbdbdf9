import type { HeldSegment } from './storage-plan.ts';

/** Where sealed segments are kept, compressed as they came, by content hash. */
export interface SegmentStore {
  list(): Promise<readonly HeldSegment[]>;
  read(hash: string): Promise<Uint8Array | null>;
  /** Storing the same hash again only refreshes its note. */
  put(segment: HeldSegment, bytes: Uint8Array): Promise<void>;
  pin(hash: string, pinnedAt: number): Promise<void>;
  drop(hashes: readonly string[]): Promise<void>;
}

/** Keeps segments as long as the page lives: plain http, or a browser without a database. */
export class MemorySegmentStore implements SegmentStore {
  readonly #segments = new Map<string, { readonly segment: HeldSegment; readonly bytes: Uint8Array }>();

  list(): Promise<readonly HeldSegment[]> {
    return Promise.resolve([...this.#segments.values()].map(({ segment }) => segment));
  }

  read(hash: string): Promise<Uint8Array | null> {
    return Promise.resolve(this.#segments.get(hash)?.bytes ?? null);
  }

  put(segment: HeldSegment, bytes: Uint8Array): Promise<void> {
    this.#segments.set(segment.hash, { segment, bytes });
    return Promise.resolve();
  }

  pin(hash: string, pinnedAt: number): Promise<void> {
    const known = this.#segments.get(hash);
    if (known) this.#segments.set(hash, { ...known, segment: { ...known.segment, pinnedAt } });
    return Promise.resolve();
  }

  drop(hashes: readonly string[]): Promise<void> {
    for (const hash of hashes) this.#segments.delete(hash);
    return Promise.resolve();
  }
}
