import { useReadable } from './cell.ts';
import { historyDaysCell } from './history-state.ts';
import type { HistoryDays } from './types.ts';

/** Days the collector has history of and what of them is on this device. */
export function useHistoryDays(): HistoryDays {
  return useReadable(historyDaysCell);
}
