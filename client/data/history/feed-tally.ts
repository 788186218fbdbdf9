import type { OptionCount, SourceSum } from '#shared/schemas/activity.ts';
import type { ActivityTally } from '../types.ts';
import { NO_TALLY } from './no-tally.ts';
import type { RowBlock } from './row-block.ts';
import { textAt } from './row-block.ts';
import { isFailed, MISSES } from './row-filter.ts';

/** Options of a menu, and lines of the table by source: more is no choice any more. The most frequent are kept. */
const MAX_OPTIONS = 200;

interface Sum {
  requests: number;
  failed: number;
  exact: number;
  matched: number;
  inputTokens: number;
  outputTokens: number;
  withTokens: number;
}

/**
 * Counts of one feed, kept while rows come: how many rows each choice of a filter would show (with the other filters as they
 * are), and what each source asked for. Counted where the rows are, off the page's thread.
 */
export class FeedTally {
  readonly #hosts = new Map<string, number>();
  readonly #models = new Map<string, number>();
  readonly #sources = new Map<string, number>();
  readonly #sums = new Map<string, Sum>();
  #made: ActivityTally | null = NO_TALLY;

  /** Counts a request by what its filter said of it: 0 fits, else the one choice that keeps it out. */
  add(block: RowBlock, row: number, misses: number): void {
    const { requests } = block;
    if (row >= requests.count) return;
    this.#made = null;
    const source = textAt(requests.source, row) ?? '';
    if ((misses & ~MISSES.host) === 0) increment(this.#hosts, textAt(requests.host, row) ?? '');
    if ((misses & ~MISSES.model) === 0) increment(this.#models, textAt(requests.model, row) ?? '');
    if ((misses & ~MISSES.source) === 0) increment(this.#sources, source);
    if (misses === 0) this.#addTo(source, block, row);
  }

  /** What was counted; the same object until more is. */
  value(): ActivityTally {
    const made = this.#made ?? {
      hosts: mostFirst(this.#hosts),
      models: mostFirst(this.#models),
      sources: mostFirst(this.#sources),
      bySource: [...this.#sums]
        .map(([source, sum]): SourceSum => {
          const { withTokens, inputTokens, outputTokens, ...counts } = sum;
          // Where no row told its tokens there is no sum of them.
          const known = withTokens > 0;
          return {
            ...counts,
            source,
            inputTokens: known ? inputTokens : null,
            outputTokens: known ? outputTokens : null,
          };
        })
        .sort((a, b) => b.requests - a.requests || (a.source < b.source ? -1 : 1))
        .slice(0, MAX_OPTIONS),
    };
    this.#made = made;
    return made;
  }

  #addTo(source: string, block: RowBlock, row: number): void {
    const { requests } = block;
    let sum = this.#sums.get(source);
    if (!sum) {
      sum = { requests: 0, failed: 0, exact: 0, matched: 0, inputTokens: 0, outputTokens: 0, withTokens: 0 };
      this.#sums.set(source, sum);
    }
    sum.requests += 1;
    if (isFailed(block, row)) sum.failed += 1;
    if (source !== '') sum[requests.sourceMatched[row] === 1 ? 'matched' : 'exact'] += 1;
    const input = requests.inputTokens[row] ?? Number.NaN;
    const output = requests.outputTokens[row] ?? Number.NaN;
    if (Number.isNaN(input) && Number.isNaN(output)) return;
    sum.withTokens += 1;
    sum.inputTokens += Number.isNaN(input) ? 0 : input;
    sum.outputTokens += Number.isNaN(output) ? 0 : output;
  }
}

function increment(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

function mostFirst(counts: ReadonlyMap<string, number>): OptionCount[] {
  return [...counts]
    .map(([value, count]) => ({ value, count }))
    .sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1))
    .slice(0, MAX_OPTIONS);
}
