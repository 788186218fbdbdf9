import { useReadable } from './cell.ts';
import { connectionCell } from './connection-state.ts';
import type { ConnectionState } from './types.ts';

/** The way to the collector and the state of the copy on this device. */
export function useConnection(): ConnectionState {
  return useReadable(connectionCell);
}
