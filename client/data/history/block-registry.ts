import type { RowBlock } from './row-block.ts';

/** Blocks that the page has too, by number. References into them are pairs of block and row number. */
export class BlockRegistry {
  readonly #blocks = new Map<number, RowBlock>();
  #nextId = 1;

  add(block: RowBlock): number {
    const id = this.#nextId;
    this.#nextId += 1;
    this.#blocks.set(id, block);
    return id;
  }

  /** Takes a number for a block that grows row by row and is known to the page as rows. */
  reserve(): number {
    const id = this.#nextId;
    this.#nextId += 1;
    return id;
  }

  get(id: number): RowBlock | undefined {
    return this.#blocks.get(id);
  }

  /** Forgets blocks that are not in `keep`; returns their numbers. */
  retain(keep: ReadonlySet<number>): number[] {
    const dropped = [...this.#blocks.keys()].filter((id) => !keep.has(id));
    for (const id of dropped) this.#blocks.delete(id);
    return dropped;
  }
}
