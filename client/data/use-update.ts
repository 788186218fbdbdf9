import { createCell, useReadable } from './cell.ts';
import type { Update } from './types.ts';

/** The waiting version, set by the service worker registration. */
export const updateCell = createCell<Update>({ ready: false, reload: () => location.reload() });

/** Whether a new version of the app waits; it starts only when a person says so. */
export function useUpdate(): Update {
  return useReadable(updateCell);
}
