import type { SegmentEntry } from '#shared/schemas/segment.ts';
import type { HistoryProgress } from '../types.ts';

/** How far fetching has come, in bytes, since there was last nothing to fetch. */
export class FetchProgress {
  #openBytes = 0;
  #totalBytes = 0;
  #background = false;

  /** What is still to come; `background`: nobody asked for it. */
  update(open: readonly SegmentEntry[], background: boolean): void {
    const bytesByHash = new Map(open.map(({ hash, bytes }) => [hash, bytes]));
    this.#openBytes = [...bytesByHash.values()].reduce((sum, bytes) => sum + bytes, 0);
    this.#totalBytes = this.#openBytes === 0 ? 0 : Math.max(this.#totalBytes, this.#openBytes);
    this.#background = background;
  }

  /** Null when nothing is being fetched. */
  value(): HistoryProgress | null {
    if (this.#openBytes === 0) return null;
    return {
      doneBytes: this.#totalBytes - this.#openBytes,
      totalBytes: this.#totalBytes,
      background: this.#background,
    };
  }
}
