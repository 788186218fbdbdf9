import type { LogLine, LogView } from '../../data/logs/log-board.ts';
import type { MatchRange } from '../../data/logs/search-lines.ts';
import type { ConnectionKind } from '../../data/types.ts';
import { formatCount, formatMoment, formatTime } from '../../ui/format.ts';
import type { LogsSearch } from './logs-search.ts';

/** Every version writes to these two; `http` appears where a host sends it (v259 and later). */
const STREAMS = ['proxy', 'upstream'];
/** A log that said nothing for so long is silent. */
const SILENT_MS = 60_000;

/** How many grave lines there are. */
export interface LevelCounts {
  readonly errors: number;
  readonly warnings: number;
}

/** Lines of the chosen stream and level; where lines are missing is always shown. */
export function filterLines(lines: readonly LogLine[], search: LogsSearch): readonly LogLine[] {
  const { source, level } = search;
  if (source === undefined && level === undefined) return lines;
  return lines.filter((line) => {
    if (source !== undefined && line.source !== source) return false;
    if (level === undefined || line.dropped !== null) return true;
    return line.level === 'error' || (level === 'warn' && line.level === 'warn');
  });
}

/** Streams of a host: those there always are, and those that lines came from. */
export function streamsOf(lines: readonly LogLine[]): readonly string[] {
  return [...new Set([...STREAMS, ...lines.map((line) => line.source)])];
}

/** Grave lines of one stream; null: of all. */
export function countLevels(lines: readonly LogLine[], source: string | null): LevelCounts {
  let errors = 0;
  let warnings = 0;
  for (const line of lines) {
    if (source !== null && line.source !== source) continue;
    if (line.level === 'error') errors += 1;
    if (line.level === 'warn') warnings += 1;
  }
  return { errors, warnings };
}

/** What stands where lines are missing. */
export function droppedWords(line: LogLine): string {
  if (line.dropped === 'unknown') return 'The stream was interrupted; lines may be missing here';
  const count = line.dropped ?? 0;
  return `${formatCount(count)} ${count === 1 ? 'line' : 'lines'} dropped by the collector`;
}

/** The line below the log: how its source is, or since when it is silent; null when there is nothing to say. */
export function statusWords(
  view: LogView,
  facts: { readonly host: string; readonly now: number; readonly connection: ConnectionKind },
): { readonly words: string; readonly isStale: boolean } | null {
  const { asOf, state, detail } = view;
  if (facts.connection !== 'live') {
    const words =
      asOf === null
        ? 'This needs the collector: nothing of this log is on this device.'
        : `As of ${formatMoment(asOf, facts.now)}.`;
    return { words, isStale: true };
  }
  const stale = (words: string) => ({ words, isStale: true });
  switch (state) {
    case null:
      return null;
    case 'not-connected':
      return stale(`${facts.host} is not connected: these are the last lines it sent.`);
    case 'asleep':
      return stale('Behind a wake-on-LAN proxy. Not asked: that would wake it.');
    case 'not-offered':
      return stale(
        'This version keeps no log of one model; v218 and later do. Its lines stand under upstream.',
      );
    case 'failed':
      return stale(`The log could not be read: ${detail ?? 'no reason given'}.`);
    case 'live':
      return silence(view.lines, facts.now);
  }
}

function silence(lines: readonly LogLine[], now: number) {
  const last = lines.findLast((line) => line.at !== null);
  if (last?.at !== null && last?.at !== undefined) {
    if (now - last.at < SILENT_MS) return null;
    return { words: `Silent since ${formatMoment(last.at, now)}.`, isStale: false };
  }
  return {
    words: lines.length === 0 ? 'Nothing was written yet.' : 'Silent since this was opened.',
    isStale: false,
  };
}

/** Lines as plain text, as they are copied and downloaded. */
export function linesAsText(lines: readonly LogLine[]): string {
  return lines
    .map((line) => {
      const time = line.at === null ? '–' : formatTime(line.at);
      const text = line.dropped === null ? line.plain : `[${droppedWords(line)}]`;
      return `${time}\t${line.source}\t${text}\n`;
    })
    .join('');
}

/** Keys of lines with a match, oldest first. */
export function hitsOf(
  lines: readonly LogLine[],
  ranges: ReadonlyMap<number, readonly MatchRange[]>,
): readonly number[] {
  return ranges.size === 0 ? [] : lines.flatMap((line) => (ranges.has(line.key) ? [line.key] : []));
}
