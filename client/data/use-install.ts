import { useReadable } from './cell.ts';
import { installCell } from './install-prompt.ts';
import { persistCell } from './keep-storage.ts';
import type { Install, PersistOutcome } from './types.ts';

/** Whether the app can be installed on this device, and the prompt. */
export function useInstall(): Install {
  return useReadable(installCell);
}

/** Whether the browser promised to keep the copy on this device. */
export function usePersistOutcome(): PersistOutcome {
  return useReadable(persistCell);
}
