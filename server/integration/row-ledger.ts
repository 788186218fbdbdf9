import { expect, onTestFinished } from 'vitest';
import type { ActivityGap, ActivityRow } from '#shared/schemas/activity.ts';
import { systemClock } from '../adapters/system-clock.ts';
import type { EmulatorProcess } from './emulator-process.ts';

/**
 * What an emulated host really did, kept by the test that made it do it: the model of every id, in one id epoch. What
 * Drover shows is held against it, row by row.
 */
export class RowLedger {
  readonly #emulator: EmulatorProcess;
  readonly hostId: string;
  readonly #models = new Map<number, string>();
  /** No row beyond this id is added by {@link start}: a slow machine must not make more than a backfill takes. */
  maxId = Number.POSITIVE_INFINITY;
  #stop: (() => void) | null = null;
  #adding: Promise<unknown> = Promise.resolve();

  constructor(emulator: EmulatorProcess, hostId: string) {
    this.#emulator = emulator;
    this.hostId = hostId;
  }

  get lastId(): number {
    return this.#emulator.firstId + this.#models.size - 1;
  }

  get size(): number {
    return this.#models.size;
  }

  /** Adds rows of one model, each batch another, so that a row under a wrong id is found. */
  async add(count: number): Promise<{ readonly firstId: number; readonly lastId: number }> {
    const model = `model-${this.#models.size % 7}`;
    const added = await this.#emulator.addRows(count, { model });
    for (let id = added.firstId; id <= added.lastId; id += 1) this.#models.set(id, model);
    return added;
  }

  /** Adds rows all the time until {@link stop}. */
  start(rowsPerSecond: number): void {
    onTestFinished(() => this.stop());
    const periodMs = 20;
    const began = systemClock.now();
    let added = 0;
    let busy = false;
    this.#stop = systemClock.every(periodMs, () => {
      if (busy) return;
      // What a late timer left out is made up for: the rate is what it says.
      const due = Math.floor(((systemClock.now() - began) * rowsPerSecond) / 1000) - added;
      const count = Math.min(due, rowsPerSecond, this.maxId - this.lastId);
      added += Math.max(0, due);
      if (count <= 0) return;
      busy = true;
      this.#adding = this.add(count).finally(() => {
        busy = false;
      });
    });
  }

  async stop(): Promise<void> {
    this.#stop?.();
    this.#stop = null;
    await this.#adding;
  }

  /** True when `rows` reach the newest row of the host. */
  isReached(rows: readonly ActivityRow[]): boolean {
    return rows.some((row) => row.type === 'request' && row.hostId === this.hostId && row.id === this.lastId);
  }

  /** Holds `all` against what the host did. */
  account(all: readonly ActivityRow[]): Account {
    const rows = all.filter((row) => row.hostId === this.hostId);
    const times = new Map<number, number>();
    const count = (id: number): void => void times.set(id, (times.get(id) ?? 0) + 1);
    const gaps: ActivityGap[] = [];
    const wrong: ActivityRow[] = [];
    for (const row of rows) {
      if (row.idEpoch !== 0) wrong.push(row);
      if (row.type === 'request') {
        count(row.id);
        if (this.#models.get(row.id) !== row.modelId) wrong.push(row);
        continue;
      }
      gaps.push(row);
      const { fromId, toId } = row;
      if (fromId === null || toId === null) wrong.push(row);
      else for (let id = fromId; id <= toId; id += 1) count(id);
    }
    const missing = [...this.#models.keys()].filter((id) => !times.has(id));
    const doubled = [...times.keys()].filter((id) => (times.get(id) ?? 0) > 1).sort((a, b) => a - b);
    const unknown = [...times.keys()].filter((id) => !this.#models.has(id));
    return {
      wrong: wrong.slice(0, 10),
      missing: asRuns(missing),
      doubled: asRuns(doubled),
      unknown: asRuns(unknown),
      gaps,
    };
  }
}

/** Ascending ids as a person reads them: `3–7`. */
function asRuns(ids: readonly number[]): readonly string[] {
  const starts = ids.filter((id, index) => ids[index - 1] !== id - 1);
  const ends = ids.filter((id, index) => ids[index + 1] !== id + 1);
  return starts.map((start, index) => `${start}–${ends[index]}`);
}

/** How rows differ from what a host did. */
interface Account {
  /** Rows of another epoch or with another content, and gaps without a range. */
  readonly wrong: readonly ActivityRow[];
  /** Ids that are in no row and no gap. */
  readonly missing: readonly string[];
  /** Ids that are in several. */
  readonly doubled: readonly string[];
  /** Ids the host never gave. */
  readonly unknown: readonly string[];
  readonly gaps: readonly ActivityGap[];
}

/**
 * Every id of the ledger's host is in `rows` exactly once, as a row with the right content or inside one gap, and
 * nothing else is. Returns the gaps.
 */
export function expectAccounted(ledger: RowLedger, rows: readonly ActivityRow[]): readonly ActivityGap[] {
  const { gaps, ...differences } = ledger.account(rows);
  expect(differences).toEqual({ wrong: [], missing: [], doubled: [], unknown: [] });
  return gaps;
}
