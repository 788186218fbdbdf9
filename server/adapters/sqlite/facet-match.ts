/** A set of facet ids as a bitmap: it is asked once for every row that is walked. */
export class FacetMatch {
  /** How many facets were looked at; later ones may match too. */
  seen = 0;
  #bits = new Uint8Array(1024);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  has(id: number): boolean {
    return this.#bits[id] === 1;
  }

  add(id: number): void {
    if (id < 0 || this.has(id)) return;
    if (id >= this.#bits.length) {
      const grown = new Uint8Array(Math.max(id + 1, this.#bits.length * 2));
      grown.set(this.#bits);
      this.#bits = grown;
    }
    this.#bits[id] = 1;
    this.#size += 1;
  }

  /** The ids, ascending. */
  ids(): number[] {
    const ids: number[] = [];
    for (let id = 0; id < this.#bits.length; id += 1) if (this.#bits[id] === 1) ids.push(id);
    return ids;
  }
}
