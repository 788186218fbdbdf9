import { createCell } from './cell.ts';
import { isSecure } from './environment.ts';
import type { ConnectionState } from './types.ts';

/** The connection as the pill shows it. */
export const connectionCell = createCell<ConnectionState>({
  kind: 'connecting',
  since: Date.now(),
  dataAsOf: null,
  lastSyncAt: null,
  storage: isSecure ? 'saved' : 'insecure',
  storageError: null,
  unsyncedReason: null,
});
