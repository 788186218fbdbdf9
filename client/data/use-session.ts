import { useReadable } from './cell.ts';
import { sessionCell } from './session-state.ts';
import type { Session } from './types.ts';

/** Who this device is to the collector. */
export function useSession(): Session {
  return useReadable(sessionCell);
}
