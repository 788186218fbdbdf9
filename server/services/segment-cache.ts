import { LRUCache } from 'lru-cache';
import type { Clock, SegmentReader } from '../domain/ports.ts';

/** A day of a busy fleet: what a device without a copy asks for at once. */
const MAX_BYTES = 8 * 1024 * 1024;
/** Devices that come together are done by then, and an idle server holds nothing. */
const KEEP_MS = 60_000;

/**
 * Reads segments once for all devices that come at the same time. A hash names its bytes for good, so what is held is never
 * wrong; it is let go within a minute, since rows may be deleted and their segments with them.
 */
export class SegmentCache implements SegmentReader {
  readonly #read: (hash: string) => Uint8Array | null;
  readonly #clock: Clock;
  readonly #held = new LRUCache<string, Uint8Array>({
    maxSize: MAX_BYTES,
    sizeCalculation: ({ byteLength }) => Math.max(1, byteLength),
  });
  #cancel: (() => void) | null = null;

  constructor(read: (hash: string) => Uint8Array | null, clock: Clock) {
    this.#read = read;
    this.#clock = clock;
  }

  segment(hash: string): Uint8Array | null {
    const held = this.#held.get(hash);
    if (held) return held;
    const bytes = this.#read(hash);
    if (!bytes) return null;
    this.#held.set(hash, bytes);
    this.#cancel ??= this.#clock.after(KEEP_MS, () => this.stop());
    return bytes;
  }

  /** Lets go of everything; reading goes on. */
  stop(): void {
    this.#cancel?.();
    this.#cancel = null;
    this.#held.clear();
  }
}
