import type { IntentView } from '#shared/schemas/intent.ts';
import { createCell } from '../cell.ts';
import { createCellsByKey } from '../cells-by-key.ts';
import { isSecure } from '../environment.ts';
import type { IntentEntry, OutboxState } from './types.ts';

/** The ledger of the fleet document by intent id: what is open, and the last that ended. */
export const ledgerCell = createCell<ReadonlyMap<string, IntentView>>(new Map());

/** Name of the document that only this device writes; null: none, as for a viewer, or not known yet. */
export const outboxNameCell = createCell<string | null>(null);

/** Queue and ledger in one, newest first. */
export const intentsCell = createCell<readonly IntentEntry[]>([]);

/** The same by id, and by the host it is about. */
export const intentById = createCellsByKey<IntentEntry | null>(null);
export const intentsByHost = createCellsByKey<readonly IntentEntry[]>([]);

/** How the queue stands. */
export const outboxCell = createCell<OutboxState>({
  unsent: 0,
  needsYou: 0,
  storage: isSecure ? 'saved' : 'insecure',
  storageError: null,
  refusal: null,
  review: null,
});
