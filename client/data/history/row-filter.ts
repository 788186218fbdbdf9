import { searchText } from '#shared/lib/search-text.ts';
import type { ActivityFilter } from '../types.ts';
import type { RowBlock, TextColumn } from './row-block.ts';
import { endedAtOf } from './row-block.ts';

/** Bounds of end times: `from` ≤ endedAt < `to`. */
export interface TimeWindow {
  readonly from: number;
  readonly to: number;
}

/** Which choices keep a row out, as bits; `other`: something that has no menu. */
export const MISSES = { host: 1, model: 2, source: 4, other: 8 } as const;

/**
 * Compiles a filter for one block: texts are looked at once per distinct string, not once per row. The answer for a row is 0
 * when it fits, else the sum of {@link MISSES}. A gap passes every filter but the host's, because the rows it stands for are
 * not known.
 */
export function rowFilter(
  block: RowBlock,
  filter: ActivityFilter,
  window: TimeWindow,
): (row: number) => number {
  const { requests, gaps } = block;
  const hostIds = filter.hostIds ? new Set(filter.hostIds) : null;
  const modelIds = filter.modelIds ? new Set(filter.modelIds) : null;
  const sources = filter.sources ? new Set(filter.sources) : null;
  const tests: ((row: number) => boolean)[] = [];
  const byText = (column: TextColumn, accepts: (text: string) => boolean): ((row: number) => boolean) => {
    const accepted = accept(column, accepts);
    return (row) => accepted[column.references[row] ?? 0] === 1;
  };
  const fitsHost = hostIds ? byText(requests.host, (text) => hostIds.has(text)) : always;
  const fitsModel = modelIds ? byText(requests.model, (text) => modelIds.has(text)) : always;
  const fitsNamed = sources ? byText(requests.source, (text) => sources.has(text)) : always;
  const takesUnknown = sources?.has('') ?? false;
  const { path, statusClass } = filter;
  if (path !== undefined) tests.push(byText(requests.path, (text) => text === path));
  if (statusClass !== undefined) {
    const hundreds = Number(statusClass[0]);
    tests.push((row) => Math.floor((requests.status[row] ?? Number.NaN) / 100) === hundreds);
  }
  if (filter.failuresOnly === true) tests.push((row) => isFailed(block, row));
  const words = searchText((filter.q ?? '').trim());
  if (words !== '') tests.push(textSearch(block, words));
  return (row) => {
    const endedAt = endedAtOf(block, row);
    if (endedAt < window.from || endedAt >= window.to) return MISSES.other;
    if (row >= requests.count) {
      return !hostIds || hostIds.has(gaps[row - requests.count]?.hostId ?? '') ? 0 : MISSES.host;
    }
    if (!tests.every((test) => test(row))) return MISSES.other;
    const isUnknown = (requests.source.references[row] ?? 0) === 0;
    return (
      (fitsHost(row) ? 0 : MISSES.host) +
      (fitsModel(row) ? 0 : MISSES.model) +
      (fitsNamed(row) || (isUnknown && takesUnknown) ? 0 : MISSES.source)
    );
  };
}

function always(): boolean {
  return true;
}

/** A request that failed: a status of 400 or more, or an error text. 499 is one: the client went away. */
export function isFailed(block: RowBlock, row: number): boolean {
  const { requests } = block;
  return (
    row < requests.count && ((requests.status[row] ?? 0) >= 400 || (requests.error.references[row] ?? 0) > 0)
  );
}

function textSearch(block: RowBlock, words: string): (row: number) => boolean {
  const columns = [block.requests.model, block.requests.path, block.requests.error, block.requests.source];
  const accepted = columns.map((column) => accept(column, (text) => searchText(text).includes(words)));
  return (row) => columns.some((column, index) => accepted[index]?.[column.references[row] ?? 0] === 1);
}

/** By reference: 1 where the text is accepted; null (reference 0) never is. */
function accept(column: TextColumn, accepts: (text: string) => boolean): Uint8Array {
  const accepted = new Uint8Array(column.texts.length + 1);
  column.texts.forEach((text, index) => {
    if (accepts(text)) accepted[index + 1] = 1;
  });
  return accepted;
}
