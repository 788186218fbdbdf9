import { createCell } from './cell.ts';
import { NEEDS_COLLECTOR } from './history/day-errors.ts';
import type { HistoryDays } from './types.ts';

/** Before anything is known of it. */
export const NO_HISTORY: HistoryDays = {
  days: [],
  stored: [],
  heldByKind: { activity: 0, 'perf-5m': 0, 'model-events': 0 },
  heldBytes: 0,
  fetchDay: () => Promise.resolve(NEEDS_COLLECTOR),
  exportAll: () =>
    Promise.resolve({
      ok: false,
      status: null,
      code: 'nothing',
      message: 'This device holds nothing yet.',
      retryAfterMs: null,
      details: [],
    }),
  progress: null,
};

/** Sealed history by day. */
export const historyDaysCell = createCell(NO_HISTORY);
