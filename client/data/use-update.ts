import { useReadable } from './cell.ts';
import type { Update } from './types.ts';
import { updateCell } from './update-state.ts';

/** Whether a new version of the app waits; it starts only when a person says so. */
export function useUpdate(): Update {
  return useReadable(updateCell);
}
