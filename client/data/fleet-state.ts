import type { Host } from '#shared/schemas/host.ts';
import type { Model } from '#shared/schemas/model.ts';
import { createCell } from './cell.ts';
import { createCellsByKey } from './cells-by-key.ts';
import type { Fleet } from './types.ts';

/** Hosts of the fleet document, in the order they were added. */
export const fleetCell = createCell<Fleet>({ hosts: [], loaded: false, asOf: null });

/** All models of the fleet document. */
export const modelsCell = createCell<readonly Model[]>([]);

/** Models by host: a change of one host wakes only who watches it. */
export const modelsByHost = createCellsByKey<readonly Model[]>([]);

/** Hosts by id, null when the fleet has none of that id. */
export const hostById = createCellsByKey<Host | null>(null);
