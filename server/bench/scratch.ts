import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type FilledHistory, fillHistory, historyRows } from './fill-history.ts';

/** What a run leaves behind if nobody cleans up: temporary folders, child processes. The last made is ended first. */
export class Scratch {
  readonly #ends: (() => unknown)[] = [];
  #history: Promise<FilledHistory> | null = null;

  /** A folder that is gone when the run ends. */
  directory(): string {
    const path = mkdtempSync(join(tmpdir(), 'drover-bench-'));
    this.onEnd(() => rmSync(path, { recursive: true, force: true }));
    return path;
  }

  /** Runs when the run ends, however it ends. */
  onEnd(end: () => unknown): void {
    this.#ends.push(end);
  }

  /** A data folder with weeks of history, made once a run: parts that only read share it. */
  history(): Promise<FilledHistory> {
    this.#history ??= fillHistory(this.directory(), historyRows(process.env['DROVER_BENCH_ROWS']));
    return this.#history;
  }

  async end(): Promise<void> {
    for (let end = this.#ends.pop(); end !== undefined; end = this.#ends.pop()) await end();
  }
}
