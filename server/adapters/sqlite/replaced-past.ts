import { existsSync } from 'node:fs';
import { role } from '#shared/schemas/auth.ts';
import type { AccessStanding, ReplacedPast } from '../../domain/restored-past.ts';
import { Connection } from './connection.ts';

interface AccessRow {
  kind: string;
  id: string;
  role: string;
  revoked_at: number | null;
}

const ACCESS = `SELECT 'device' AS kind, id, role, revoked_at FROM device
  UNION ALL SELECT 'key', id, role, revoked_at FROM api_key`;

const HIGHEST_EPOCH = `SELECT max(epoch) AS epoch FROM (
  SELECT epoch FROM outbox UNION ALL SELECT epoch FROM outbox_start)`;

/**
 * Reads what a restore must know of the database it replaces. Plain SQL over columns that every schema has, since that
 * database may be a newer one; null when there is none, or when it cannot be read.
 */
export function readReplacedPast(path: string): ReplacedPast | null {
  if (!existsSync(path)) return null;
  let connection: Connection | null = null;
  try {
    connection = new Connection(path, { readonly: true });
    const generations = connection
      .statement<{ kind: string; generation: number }>('SELECT kind, generation FROM document')
      .all();
    const audit = connection
      .statement<{ id: number; hash: string }>('SELECT id, hash FROM audit ORDER BY id DESC LIMIT 1')
      .get();
    return {
      generations: new Map(generations.map(({ kind, generation }) => [kind, generation])),
      outboxEpoch: highestEpoch(connection),
      access: connection.statement<AccessRow>(ACCESS).all().flatMap(toStanding),
      audit: audit === undefined ? null : { records: audit.id, head: audit.hash },
    };
  } catch {
    // Often the very reason for the restore.
    return null;
  } finally {
    connection?.close();
  }
}

/** Older schemas have no outboxes. */
function highestEpoch(connection: Connection): number {
  const known = connection
    .statement<{ name: string }>(`SELECT name FROM sqlite_schema WHERE name = 'outbox_start'`)
    .get();
  if (!known) return 0;
  return connection.statement<{ epoch: number }>(HIGHEST_EPOCH).get()?.epoch ?? 0;
}

function toStanding(row: AccessRow): AccessStanding[] {
  const known = role.safeParse(row.role);
  if (!known.success) return [];
  const kind = row.kind === 'device' ? 'device' : 'key';
  return [{ kind, id: row.id, role: known.data, revokedAt: row.revoked_at }];
}
