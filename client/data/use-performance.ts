import type { LivePerformance } from '#shared/schemas/performance.ts';
import { useReadable } from './cell.ts';
import { performanceByHost } from './performance-state.ts';

/** The newest samples of a host's machine and cards; null while none came since this page was opened. */
export function usePerformance(hostId: string): LivePerformance | null {
  return useReadable(performanceByHost.at(hostId));
}
