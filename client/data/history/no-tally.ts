import type { ActivityTally } from '../types.ts';

/** A tally of no rows. */
export const NO_TALLY: ActivityTally = { hosts: [], models: [], sources: [], bySource: [] };
