import type { ActivityPage, ActivitySummary } from '#shared/schemas/activity.ts';
import type { ActivityFeed } from './types.ts';

/** What the collector answered so far; null: not yet, or not this time. */
export interface WholeAnswers {
  readonly pages: readonly ActivityPage[] | null;
  readonly summary: ActivitySummary | null;
  /** There is no further page. */
  readonly isDone: boolean;
  /** Rises with every answer. */
  readonly version: number;
}

/** The collector's rows as a feed. Rows that were fetched say nothing of all that match: only a summary counts. */
export function wholeFeed({ pages, summary, isDone, version }: WholeAnswers): ActivityFeed {
  const rows = (pages ?? []).flatMap((page) => page.rows);
  return {
    state: rows.length > 0 || isDone ? 'ready' : 'loading',
    count: rows.length,
    rowAt: (index) => rows[index],
    counts: summary && {
      failed: summary.failed,
      gaps: summary.gaps,
      total: summary.requests + summary.gaps,
    },
    tally: summary,
    version,
    from: null,
    missing: { days: [] },
  };
}
