import type { DocumentStore } from '../../domain/store-ports.ts';
import type { Connection } from './connection.ts';

interface DocumentRow {
  generation: number;
  created_at: number;
  state: Buffer | null;
}

const LOAD = 'SELECT generation, created_at, state FROM document WHERE kind = ?';
const UPDATES = 'SELECT bytes FROM doc_update WHERE kind = ? ORDER BY id';
const CREATE = `INSERT INTO document (kind, generation, created_at) VALUES (?, ?, ?)
  ON CONFLICT (kind) DO UPDATE SET generation = excluded.generation, created_at = excluded.created_at, state = NULL`;
const DROP_UPDATES = 'DELETE FROM doc_update WHERE kind = ?';

/** Yjs documents in SQLite. Calls run inside the caller's transaction. */
export function createDocumentStore(connection: Connection): DocumentStore {
  return {
    load(kind) {
      const row = connection.statement<DocumentRow>(LOAD).get(kind);
      if (!row) return null;
      const updates = connection.statement<{ bytes: Buffer }>(UPDATES).all(kind);
      return {
        generation: row.generation,
        createdAt: row.created_at,
        state: row.state,
        updates: updates.map(({ bytes }) => bytes),
      };
    },
    create(kind, generation, now) {
      connection.statement(DROP_UPDATES).run(kind);
      connection.statement(CREATE).run(kind, generation, now);
    },
    append(kind, update) {
      connection.statement('INSERT INTO doc_update (kind, bytes) VALUES (?, ?)').run(kind, update);
    },
    compact(kind, state) {
      connection.statement('UPDATE document SET state = ? WHERE kind = ?').run(state, kind);
      connection.statement(DROP_UPDATES).run(kind);
    },
  };
}
