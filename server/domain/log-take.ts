import { cleanLogText } from '#shared/lib/clean-log-text.ts';
import type { LogEntry } from '#sync/log-frame.ts';
import type { LogTail, TailEntry } from './log-tail.ts';

/** Most lines of one source in a frame, and most text. */
export const TAKE_LIMITS = { lines: 500, chars: 64 * 1024 } as const;

/** An entry on its way, with its place among those of all sources. */
export interface OrderedEntry {
  readonly order: number;
  readonly entry: LogEntry;
}

/** What a reader gets of one source, and where it stands then. */
export interface Taken {
  readonly entries: readonly OrderedEntry[];
  readonly mark: number;
}

/**
 * What came of a source since a reader's mark. Who fell behind by more than fits a frame gets the newest lines, and an
 * entry that counts those left out: a flood costs the same however large it is. `inFull` takes the oldest first and leaves
 * the rest for the next time: only what the tail has lost by then is left out. `secrets`: keys of ours.
 */
export function takeEntries(
  tail: LogTail,
  options: {
    readonly source: string;
    readonly mark: number;
    readonly secrets: readonly string[];
    readonly inFull: boolean;
  },
): Taken {
  const { source, secrets, inFull } = options;
  const pending = tail.after(options.mark);
  const chosen = inFull
    ? pending.slice(0, fitting(pending))
    : pending.slice(pending.length - fitting(pending.toReversed()));
  const entries: OrderedEntry[] = [];
  let at = options.mark;
  const missing = (order: number, when: number | null, count: number): void => {
    entries.push({ order, entry: { type: 'dropped', source, at: when, count } });
  };
  for (const kept of chosen) {
    if (kept.before > at) missing(kept.order, kept.at, kept.before - at);
    entries.push({ order: kept.order, entry: shownEntry(kept, source, secrets) });
    at = kept.before + (kept.lines ?? 1);
  }
  if (inFull && chosen.length < pending.length) return { entries, mark: at };
  // A count that grew after it was told, or lines of which not one is kept.
  if (at < tail.end) missing(Number.MAX_SAFE_INTEGER, null, tail.end - at);
  return { entries, mark: tail.end };
}

/** An entry as it may be shown: redacted once, when the first reader gets it. */
export function shownEntry(kept: TailEntry, source: string, secrets: readonly string[]): LogEntry {
  if (kept.type === 'dropped') return { type: 'dropped', source, at: kept.at, count: kept.lines };
  kept.shown ??= cleanLogText(kept.text, secrets);
  return { type: 'line', source, at: kept.at, text: kept.shown };
}

/** How many of these entries, from the first, a frame holds. */
export function fitting(entries: readonly TailEntry[]): number {
  let chars = 0;
  let count = 0;
  for (const { text } of entries) {
    chars += Math.min(text.length, 2000);
    if (count >= TAKE_LIMITS.lines || (chars > TAKE_LIMITS.chars && count > 0)) break;
    count += 1;
  }
  return count;
}
