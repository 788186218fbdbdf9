import { createHash } from 'node:crypto';
import type { Connection } from './connection.ts';
import { V1_TRUTH } from './schema/v1-truth.ts';
import { V12_CAPTURES } from './schema/v12-captures.ts';
import { V14_LOG_CHUNKS } from './schema/v14-log-chunks.ts';
import { V2_ACCESS } from './schema/v2-access.ts';
import { V3_AUDIT } from './schema/v3-audit.ts';
import { V4_PAIRING } from './schema/v4-pairing.ts';
import { V5_INTENTS } from './schema/v5-intents.ts';
import { V6_INTENT_NOTES } from './schema/v6-intent-notes.ts';
import { V7_OUTBOX } from './schema/v7-outbox.ts';
import { V8_PERFORMANCE } from './schema/v8-performance.ts';
import { V9_PAUSED_UNTIL } from './schema/v9-paused-until.ts';
import { V10_FAILURE_LINES } from './schema/v10-failure-lines.ts';
import { V11_MATCHED_SOURCES } from './schema/v11-matched-sources.ts';
import { V13_OUTBOX_HOLDS } from './schema/v13-outbox-holds.ts';

/** One step of the schema. Steps are numbered from 1 by their place and never edited once released. */
export interface Migration {
  readonly name: string;
  readonly sql: string;
}

/** Every step so far. Only ever appended to. */
export const MIGRATIONS: readonly Migration[] = [
  { name: 'truth', sql: V1_TRUTH },
  { name: 'access', sql: V2_ACCESS },
  { name: 'audit', sql: V3_AUDIT },
  { name: 'pairing', sql: V4_PAIRING },
  { name: 'intents', sql: V5_INTENTS },
  { name: 'intent-notes', sql: V6_INTENT_NOTES },
  { name: 'outbox', sql: V7_OUTBOX },
  { name: 'performance', sql: V8_PERFORMANCE },
  { name: 'paused-until', sql: V9_PAUSED_UNTIL },
  { name: 'failure-lines', sql: V10_FAILURE_LINES },
  { name: 'matched-sources', sql: V11_MATCHED_SOURCES },
  { name: 'captures', sql: V12_CAPTURES },
  { name: 'outbox-holds', sql: V13_OUTBOX_HOLDS },
  { name: 'log-chunks', sql: V14_LOG_CHUNKS },
];

/** The database was written by a newer Drover, or by a step that has changed since. */
export class SchemaError extends Error {
  override readonly name = 'SchemaError';
}

const CREATE_TABLE = `CREATE TABLE IF NOT EXISTS migration (
  version INTEGER PRIMARY KEY, name TEXT NOT NULL, checksum TEXT NOT NULL, applied_at INTEGER NOT NULL
) STRICT`;

/** Brings the schema up to date, all missing steps in one transaction. Refuses what it does not know. */
export function migrate(
  connection: Connection,
  now: number,
  migrations: readonly Migration[] = MIGRATIONS,
): void {
  connection.transact(() => {
    connection.exec(CREATE_TABLE);
    const applied = connection
      .statement<{ version: number; name: string; checksum: string }>(
        'SELECT version, name, checksum FROM migration ORDER BY version',
      )
      .all();
    checkApplied(applied, migrations);
    for (const [index, migration] of migrations.entries()) {
      if (index < applied.length) continue;
      connection.exec(migration.sql);
      connection
        .statement('INSERT INTO migration (version, name, checksum, applied_at) VALUES (?, ?, ?, ?)')
        .run(index + 1, migration.name, checksum(migration), now);
    }
  });
}

function checkApplied(
  applied: readonly { version: number; name: string; checksum: string }[],
  migrations: readonly Migration[],
): void {
  if (applied.length > migrations.length) {
    throw new SchemaError(
      `The database has schema version ${applied.length}, this Drover knows ${migrations.length}. ` +
        'Start the newer Drover that wrote it, or restore a backup made before the update.',
    );
  }
  for (const [index, row] of applied.entries()) {
    const migration = migrations[index];
    if (!migration || row.version !== index + 1 || row.checksum !== checksum(migration)) {
      throw new SchemaError(
        `Schema step ${row.version} (${row.name}) of the database is not the one this Drover has. ` +
          'The database was written by another build; restore a backup or start that build.',
      );
    }
  }
}

function checksum(migration: Migration): string {
  return createHash('sha256').update(`${migration.name}\n${migration.sql}`).digest('hex');
}
