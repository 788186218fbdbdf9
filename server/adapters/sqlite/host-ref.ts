import { must } from '#shared/lib/assert.ts';
import type { Connection } from './connection.ts';

/** A host's number in the history tables, and the first id epoch that is its own (it grows when a host is removed). */
export interface HostRef {
  readonly no: number;
  readonly firstEpoch: number;
}

const FIND = 'SELECT no, first_epoch AS firstEpoch FROM host_ref WHERE host_id = ?';
const INSERT = 'INSERT INTO host_ref (host_id) VALUES (?) RETURNING no, first_epoch AS firstEpoch';

/** The reference of a host, or null when nothing was ever recorded of it. */
export function findHostRef(connection: Connection, hostId: string): HostRef | null {
  return connection.statement<HostRef>(FIND).get(hostId) ?? null;
}

/** The reference of a host, added when it is new. */
export function ensureHostRef(connection: Connection, hostId: string): HostRef {
  const found = findHostRef(connection, hostId);
  return found ?? must(connection.statement<HostRef>(INSERT).get(hostId), 'the host reference just inserted');
}
