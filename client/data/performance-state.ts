import type { LivePerformance } from '#shared/schemas/performance.ts';
import { createCellsByKey } from './cells-by-key.ts';

/**
 * The newest samples by host. Unlike what else is live they stay when the socket closes: each carries its time, and whoever
 * shows one says how old it is. Emptied with the copy they belong to.
 */
export const performanceByHost = createCellsByKey<LivePerformance | null>(null);
