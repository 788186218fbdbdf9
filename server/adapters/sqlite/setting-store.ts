import type { SettingStore } from '../../domain/host-ports.ts';
import type { Connection } from './connection.ts';

const GET = 'SELECT value FROM setting WHERE name = ?';
const PUT =
  'INSERT INTO setting (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value';
const DELETE = 'DELETE FROM setting WHERE name = ?';

/** Settings in the `setting` table. */
export function createSettingStore(connection: Connection): SettingStore {
  return {
    setting: (name) => connection.statement<{ value: string }>(GET).get(name)?.value ?? null,
    setSetting(name, value) {
      connection.transact(() => {
        if (value === null) connection.statement(DELETE).run(name);
        else connection.statement(PUT).run(name, value);
      });
    },
  };
}
