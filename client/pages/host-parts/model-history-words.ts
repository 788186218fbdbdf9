import { formatClock, formatDate, formatDuration, isSameDay, plural, UNKNOWN } from '../../ui/format.ts';
import type { GlyphName, Hue } from '../../ui/glyph.tsx';
import type { HistoryEntry, LoadTimes } from './model-history.ts';
import { HISTORY_MS, MIN_LOADS } from './model-history.ts';

/** A transition as a row of the timeline. */
export interface EntryView {
  readonly glyph: GlyphName;
  readonly hue: Hue;
  readonly word: string;
  /** After the word; empty where it says it all. */
  readonly text: string;
}

/** See {@link EntryView}. */
export function entryView(entry: HistoryEntry): EntryView {
  const { kind, tookMs, isSeen, other, reason, state } = entry;
  // What was only found so is no change: the time is when somebody looked.
  const found = isSeen ? '' : 'found so; when it became so was not seen';
  const readyFor = tookMs === null ? '' : `after ${formatDuration(tookMs)} ready`;
  switch (kind) {
    case 'ready':
      return {
        glyph: 'ready',
        hue: 'ready',
        word: 'ready',
        text: tookMs === null ? found || 'its start was not seen' : `loaded in ${formatDuration(tookMs)}`,
      };
    case 'starting':
      return { glyph: 'starting', hue: 'busy', word: 'starting', text: found };
    case 'stopping':
      return { glyph: 'stopping', hue: 'busy', word: 'stopping', text: found };
    case 'failed':
      return { glyph: 'failed', hue: 'bad', word: 'failed to start', text: reason ?? '' };
    case 'swapped-out': {
      const who = `for ${other ?? 'another model'}`;
      return {
        glyph: 'superseded',
        hue: 'off',
        word: 'swapped out',
        text: readyFor === '' ? who : `${who}, ${readyFor}`,
      };
    }
    case 'stopped':
      return {
        glyph: 'stopped',
        hue: 'off',
        word: 'stopped',
        text: entry.isCalledOff ? 'before it was ready' : found || readyFor,
      };
    case 'other':
      return { glyph: 'unknown', hue: 'off', word: state, text: found };
  }
}

/** What is known of how long it takes to load, and of how many loads. */
export function loadWords(loads: LoadTimes): { readonly value: string; readonly note: string } {
  const { count, uncounted, lastMs, p50Ms, p95Ms } = loads;
  const more = count === 0 ? '' : ' more';
  const unseen = uncounted === 0 ? '' : `; ${uncounted}${more} not counted, the start was not seen`;
  if (count === 0) return { value: UNKNOWN, note: `No load was seen from starting to ready${unseen}.` };
  const last = `last ${formatDuration(lastMs)}`;
  const seen = plural(count, 'load');
  if (p50Ms === null) return { value: last, note: `${seen}: percentiles need ${MIN_LOADS.p50}${unseen}.` };
  const median = `p50 ${formatDuration(p50Ms)}`;
  if (p95Ms === null)
    return { value: median, note: `${seen}, ${last}: p95 needs ${MIN_LOADS.p95}${unseen}.` };
  return { value: `${median} · p95 ${formatDuration(p95Ms)}`, note: `${seen}, ${last}${unseen}.` };
}

/** How far back this device sees: never further than it looks. */
export function seenWords(from: number | null, now: number): string {
  if (from === null) return 'This device holds no history of it yet';
  return from <= now - HISTORY_MS
    ? 'The last 30 days, from this device'
    : `This device sees back to ${isSameDay(from, now) ? formatClock(from) : formatDate(from, now)}`;
}
