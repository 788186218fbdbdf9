import { withoutColours } from '#shared/lib/clean-log-text.ts';
import type { LogWish } from '#shared/schemas/live.ts';
import type { LogEntry, LogFrame, LogState } from '#sync/log-frame.ts';
import type { Readable } from '../cell.ts';
import { createCellsByKey } from '../cells-by-key.ts';
import { logLevel, type LogLevel } from './log-level.ts';

/** Lines of a log that this page holds at most; the collector's own tail is shorter. */
export const MAX_LINES = 5_000;
/** Keys of lines below this belong to lines that came before those of the board. */
export const FIRST_KEY = 1_000_000_000;
/** Logs that are kept after another one was opened. */
const MAX_LOGS = 12;

/** A line on this page, or a place where lines are missing. */
export interface LogLine {
  /** Unique within its log, ascending. */
  readonly key: number;
  readonly source: string;
  /** When the collector got it; null: before it listened. */
  readonly at: number | null;
  /** With its colours. */
  readonly text: string;
  readonly plain: string;
  readonly level: LogLevel;
  /** Set where lines are missing: how many; `unknown`: nobody counted them. */
  readonly dropped: number | 'unknown' | null;
}

/** What this page holds of a log. Replaced when anything changes. */
export interface LogView {
  readonly lines: readonly LogLine[];
  readonly state: LogState | null;
  readonly detail: string | null;
  /** Collector time of the last frame; null: nothing of it was ever held here. */
  readonly asOf: number | null;
}

/** A log of which nothing is held. */
export const NO_LOG: LogView = { lines: [], state: null, detail: null, asOf: null };

/** Gathers the frames of each log that was opened since the page was. */
export class LogBoard {
  readonly #cells = createCellsByKey<LogView>(NO_LOG);
  /** In the order of their last frame, the newest last. */
  readonly #held = new Set<string>();
  readonly #pending = new Map<string, LogFrame[]>();
  #nextKey = FIRST_KEY;

  view(wish: LogWish): Readable<LogView> {
    return this.#cells.at(keyOf(wish));
  }

  /** Takes a frame; what is shown changes at {@link LogBoard.publish}. */
  add(frame: LogFrame): void {
    const key = keyOf(frame);
    const waiting = this.#pending.get(key) ?? [];
    waiting.push(frame);
    this.#pending.set(key, waiting);
  }

  /** Shows what was taken, all of it in one step. */
  publish(): void {
    for (const [key, frames] of this.#pending) {
      const cell = this.#cells.at(key);
      cell.set(frames.reduce((view, frame) => this.#after(view, frame), cell.get()));
      this.#held.delete(key);
      this.#held.add(key);
    }
    this.#pending.clear();
    for (const key of [...this.#held].slice(0, -MAX_LOGS)) {
      this.#held.delete(key);
      this.#cells.at(key).set(NO_LOG);
    }
  }

  /** Shows what was kept of a log, where nothing newer came meanwhile. */
  restore(wish: LogWish, kept: { readonly entries: readonly LogEntry[]; readonly asOf: number }): void {
    const cell = this.#cells.at(keyOf(wish));
    if (cell.get() !== NO_LOG) return;
    const lines = kept.entries.map((entry) => this.#line(entry));
    cell.set({ lines, state: null, detail: null, asOf: kept.asOf });
    this.#held.add(keyOf(wish));
  }

  /** What is held of a log as it came, to be kept; null: nothing. */
  kept(wish: LogWish): { readonly entries: readonly LogEntry[]; readonly asOf: number } | null {
    const { lines, asOf } = this.#cells.at(keyOf(wish)).get();
    return asOf === null || lines.length === 0 ? null : { entries: lines.map(entryOf), asOf };
  }

  #after(view: LogView, frame: LogFrame): LogView {
    const added = frame.entries.map((entry) => this.#line(entry));
    const lines = (frame.begins ? added : [...view.lines, ...added]).slice(-MAX_LINES);
    return { lines, state: frame.state, detail: frame.detail, asOf: frame.at };
  }

  #line(entry: LogEntry): LogLine {
    return lineOf(entry, (this.#nextKey += 1));
  }
}

/** An entry as a line of the page. */
export function lineOf(entry: LogEntry, key: number): LogLine {
  const { source, at } = entry;
  if (entry.type === 'dropped') {
    return { key, source, at, text: '', plain: '', level: null, dropped: entry.count ?? 'unknown' };
  }
  const plain = withoutColours(entry.text);
  return { key, source, at, text: entry.text, plain, level: logLevel(plain), dropped: null };
}

function entryOf({ source, at, text, dropped }: LogLine): LogEntry {
  if (dropped === null) return { type: 'line', source, at, text };
  return { type: 'dropped', source, at, count: dropped === 'unknown' ? null : dropped };
}

function keyOf({ hostId, modelId }: LogWish): string {
  return `${hostId} ${modelId ?? ''}`;
}
