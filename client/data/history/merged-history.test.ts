import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ActivityRequest } from '#shared/schemas/activity.ts';
import type { SegmentEntry } from '#shared/schemas/segment.ts';
import { request, segment } from '../testing/activity.ts';
import { HistoryLibrary } from './history-library.ts';
import { blockSize } from './row-block.ts';
import { blockRowKey, rowKey } from './row-key.ts';
import { MemorySegmentStore } from './segment-store.ts';
import { planStorage } from './storage-plan.ts';

const NOW = Date.UTC(2026, 10, 30, 12);

interface Sealed {
  readonly entry: SegmentEntry;
  readonly bytes: Uint8Array;
  readonly rows: readonly ActivityRequest[];
  readonly seqs: readonly [number, number];
  /** False where a set of held segments may not be told to be this one: it was cut anew, or rows went away. */
  readonly isPlain: boolean;
}

/** A collector as its manifest shows it: receipt numbers go up, a merge joins neighbours, a purge takes rows away. */
class SimulatedCollector {
  sealed: readonly Sealed[] = [];
  #nextSeq = 1;
  #keys = 0;

  seal(count: number): void {
    const first = this.#nextSeq;
    this.#nextSeq += count;
    const rows = Array.from({ length: count }, (_, index) => {
      const id = first + index;
      // Rows do not come in the order of their times.
      return request({ id, hostId: `host-${id % 3}`, endedAt: NOW - 100_000 + id * 10 - (id % 7) * 35 });
    });
    this.sealed = [...this.sealed, this.#pack(rows, [first, this.#nextSeq - 1], true)];
  }

  merge(at: number, count: number, cuts: boolean): void {
    const group = this.sealed.slice(at % Math.max(1, this.sealed.length)).slice(0, count);
    const [first, last] = [group[0], group.at(-1)];
    if (!first || !last || group.length < (cuts ? 3 : 2)) return;
    const rows = group.flatMap((part) => part.rows);
    const middle = cuts ? Math.floor((first.seqs[0] + last.seqs[1]) / 2) : last.seqs[1];
    const isPlain = !cuts && group.every((part) => part.isPlain);
    const halves = [
      [first.seqs[0], middle],
      [middle + 1, last.seqs[1]],
    ] as const;
    const merged = halves.flatMap((seqs) => {
      const own = rows.filter(({ id }) => id >= seqs[0] && id <= seqs[1]);
      return own.length === 0 ? [] : [this.#pack(own, seqs, isPlain)];
    });
    this.sealed = this.sealed.flatMap((part) => (part === first ? merged : group.includes(part) ? [] : part));
  }

  purge(host: number): void {
    this.sealed = this.sealed.flatMap((part) => {
      const rows = part.rows.filter(({ hostId }) => hostId !== `host-${host}`);
      if (rows.length === part.rows.length) return part;
      return rows.length === 0 ? [] : this.#pack(rows, part.seqs, false);
    });
  }

  rowKeys(): string[] {
    return this.sealed.flatMap(({ rows }) => rows.map(rowKey)).sort();
  }

  #pack(rows: readonly ActivityRequest[], seqs: readonly [number, number], isPlain: boolean): Sealed {
    this.#keys += 1;
    const { entry, bytes } = segment(`${this.#keys}`, rows);
    return { entry: { ...entry, seqs: [...seqs] }, bytes, rows, seqs, isPlain };
  }
}

/** A device with the product's plan and library. */
class SimulatedDevice {
  /** Keys of segments that were fetched though every row of them was here. */
  readonly needless: string[] = [];
  readonly library = new HistoryLibrary({
    store: new MemorySegmentStore(),
    hashBytes: () => Promise.resolve(null),
    onStorageError: () => undefined,
  });

  /** Brings itself up to date; true when it then takes all history that is listed for present. */
  async visit(collector: SimulatedCollector): Promise<boolean> {
    const listed = collector.sealed.map(({ entry }) => entry);
    await this.library.refresh();
    for (;;) {
      const plan = planStorage({
        listed,
        held: this.library.held(),
        now: NOW,
        budgetBytes: 50_000_000,
      });
      await this.library.drop(plan.drop);
      const [next] = plan.eager;
      if (!next) break;
      const sealed = collector.sealed.find(({ entry }) => entry.hash === next.hash);
      if (!sealed) throw new Error('fetched what is not listed');
      const here = new Set(await this.rowKeys());
      const hasNews = !sealed.rows.every((row) => here.has(rowKey(row)));
      if (sealed.isPlain && !hasNews) this.needless.push(next.key);
      const problem = await this.library.accept(sealed.entry, sealed.bytes, null);
      if (problem !== null) throw new Error(problem);
    }
    return listed.every((entry) => this.library.isHeld(entry));
  }

  async rowKeys(): Promise<string[]> {
    const keys: string[] = [];
    for (const { hash } of this.library.held()) {
      const block = await this.library.rows(hash);
      if (!block) throw new Error('a held segment has no rows');
      for (let row = 0; row < blockSize(block); row += 1) keys.push(blockRowKey(block, row));
    }
    return keys.sort();
  }
}

const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('seal' as const), rows: fc.integer({ min: 1, max: 9 }) }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('merge' as const),
      at: fc.nat(20),
      count: fc.integer({ min: 2, max: 6 }),
      cuts: fc.boolean(),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('visit' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('purge' as const), host: fc.nat(2) }) },
);

test('whatever was sealed, merged, cut and purged: a device that looked in holds each row once, and fetched only news', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
      const collector = new SimulatedCollector();
      const device = new SimulatedDevice();
      for (const next of [...steps, { do: 'visit' as const }]) {
        if (next.do === 'seal') collector.seal(next.rows);
        if (next.do === 'merge') collector.merge(next.at, next.count, next.cuts);
        if (next.do === 'purge') collector.purge(next.host);
        if (next.do !== 'visit') continue;
        expect(await device.visit(collector)).toBe(true);
        expect(await device.rowKeys()).toEqual(collector.rowKeys());
      }
      expect(device.needless).toEqual([]);
    }),
    { numRuns: 150 },
  );
});
