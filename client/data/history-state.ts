import { createCell } from './cell.ts';
import { DEFAULT_BUDGET_BYTES } from './storage-wishes.ts';
import type { HistoryDays } from './types.ts';

/** Before anything is known of it. */
export const NO_HISTORY: HistoryDays = {
  days: [],
  heldBytes: 0,
  budgetBytes: DEFAULT_BUDGET_BYTES,
  fetchDay: () =>
    Promise.resolve({
      ok: false,
      status: null,
      code: 'network',
      message: 'This needs the collector.',
      retryAfterMs: null,
      details: [],
    }),
  progress: null,
};

/** Sealed history by day. */
export const historyDaysCell = createCell(NO_HISTORY);
