import { createCell } from './cell.ts';
import type { HistoryDays } from './types.ts';

/** Sealed history by day. */
export const historyDaysCell = createCell<HistoryDays>({
  days: [],
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
});
