import type { HistoryKind, HistoryRows, Store } from './store-ports.ts';

/** Every kind of history that is sealed. */
export const HISTORY_KINDS: readonly HistoryKind[] = ['activity', 'model-events', 'perf-5m'];

/** The rows of a kind. */
export function rowsOfKind(
  store: Pick<Store, 'activity' | 'modelEvents' | 'rollups'>,
  kind: HistoryKind,
): HistoryRows {
  switch (kind) {
    case 'activity':
      return store.activity;
    case 'model-events':
      return store.modelEvents;
    case 'perf-5m':
      return store.rollups;
  }
}
