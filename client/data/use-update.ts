import { useReadable } from './cell.ts';
import { updateCell } from './register-service-worker.ts';
import type { Update } from './types.ts';

/** Whether a new version of the app waits; it starts only when a person says so. */
export function useUpdate(): Update {
  return useReadable(updateCell);
}
