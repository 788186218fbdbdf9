const PAGE_BITS = 12;
const PAGE_IDS = 1 << PAGE_BITS;

/**
 * Ids that were seen, one bit each: the rows of an hour may stand in its own segment, in its day's and in the tail. Ids
 * count up, so a page of them is nearly always full.
 */
export class SeenIds {
  readonly #epochs = new Map<number, Map<number, Uint32Array>>();

  /** Notes an id; false when it was noted before. */
  add(idEpoch: number, id: number): boolean {
    const pages = this.#epochs.get(idEpoch) ?? new Map<number, Uint32Array>();
    this.#epochs.set(idEpoch, pages);
    const number = Math.floor(id / PAGE_IDS);
    const page = pages.get(number) ?? new Uint32Array(PAGE_IDS / 32);
    pages.set(number, page);
    const place = id % PAGE_IDS;
    const bit = 1 << (place & 31);
    const word = page[place >>> 5] ?? 0;
    if ((word & bit) !== 0) return false;
    page[place >>> 5] = word | bit;
    return true;
  }
}
