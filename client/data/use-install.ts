import { createCell, useReadable } from './cell.ts';
import type { Install, PersistOutcome } from './types.ts';

/** Whether and how the app can be installed. */
export const installCell = createCell<Install>({
  state: 'unavailable',
  install: () => Promise.resolve('dismissed'),
});

/** What the browser said to keeping the copy. */
export const persistCell = createCell<PersistOutcome>('not-asked');

/** Whether the app can be installed on this device, and the prompt. */
export function useInstall(): Install {
  return useReadable(installCell);
}

/** Whether the browser promised to keep the copy on this device. */
export function usePersistOutcome(): PersistOutcome {
  return useReadable(persistCell);
}

/** See {@link usePersistOutcome}, for code outside components. */
export function persistOutcome(): PersistOutcome {
  return persistCell.get();
}
