import type { KeptLogEntry, KeptLogsPage } from '#shared/schemas/log.ts';
import type { LogLine } from './log-board.ts';
import { FIRST_KEY, lineOf } from './log-board.ts';

/** Lines before those on the page, as far as they were fetched. */
export interface EarlierLines {
  /** Oldest first, with keys below those on the page. */
  readonly lines: readonly LogLine[];
  /** What to ask the next page with; null: none are older. */
  readonly cursor: number | null;
}

/** Puts a page before what was fetched so far; the first one leaves out what the page shows already. */
export function withPage(
  before: EarlierLines | null,
  page: KeptLogsPage,
  shownLines: readonly LogLine[],
): EarlierLines {
  const entries = before === null ? withoutShown(page.entries, shownLines) : page.entries;
  const first = before?.lines[0]?.key ?? FIRST_KEY;
  const lines = entries.map((entry, index) => lineOf(entry, first - entries.length + index));
  return { lines: [...lines, ...(before?.lines ?? [])], cursor: page.nextCursor };
}

/** Time on the page's oldest line that has one: what is earlier came at or before it. Null: it has none. */
export function oldestAt(shownLines: readonly LogLine[]): number | null {
  return shownLines.find(({ at }) => at !== null)?.at ?? null;
}

/**
 * The end of what the page shows in which no source has a hole. The collector sends so many lines of each source: those of a
 * quiet one reach further back than those of a loud one, and what lies between is with the earlier lines.
 */
export function withoutHoles(shownLines: readonly LogLine[]): readonly LogLine[] {
  const seen = new Set<string>();
  let from = 0;
  for (const [index, { source }] of shownLines.entries()) {
    if (seen.has(source)) continue;
    seen.add(source);
    from = index;
  }
  return shownLines.slice(from);
}

/** Lines of one moment, or of none, stand on both sides of the cut: those that the page has are told apart one by one. */
function withoutShown(
  entries: readonly KeptLogEntry[],
  shownLines: readonly LogLine[],
): readonly KeptLogEntry[] {
  const cut = oldestAt(shownLines);
  const shown = new Map<string, number>();
  for (const line of shownLines) {
    if (line.dropped !== null || (line.at !== cut && line.at !== null)) continue;
    const key = `${line.source}\n${line.text}`;
    shown.set(key, (shown.get(key) ?? 0) + 1);
  }
  return entries
    .toReversed()
    .filter((entry) => {
      if (entry.type !== 'line' || (entry.at !== cut && entry.at !== null)) return true;
      const key = `${entry.source}\n${entry.text}`;
      const count = shown.get(key) ?? 0;
      shown.set(key, count - 1);
      return count <= 0;
    })
    .toReversed();
}
