import { model } from '#shared/schemas/model.ts';
import type { HostConfig, HostStatus } from '../../domain/ports.ts';
import type { FleetStore, StoredHost } from '../../domain/store-ports.ts';
import type { Connection } from './connection.ts';
import { hostStatus } from './host-status.ts';

interface HostRow {
  host_id: string;
  label: string;
  url: string;
  paused: number;
  paused_until: number | null;
  managed_by_file: number;
  demo: number;
  key_source: string | null;
  status: string | null;
}

const HOSTS = `SELECT host_id, label, url, paused, paused_until, managed_by_file, demo, key_source, status
  FROM host ORDER BY position`;
const INSERT_HOST = `INSERT INTO host (host_id, position, label, url, paused, paused_until, managed_by_file, demo,
    key_source, created_at)
  VALUES (?, (SELECT ifnull(max(position), 0) + 1 FROM host), ?, ?, ?, ?, ?, ?, ?, ?)`;
const UPDATE_HOST = `UPDATE host SET label = ?, url = ?, paused = ?, paused_until = ?, managed_by_file = ?, demo = ?, key_source = ?
  WHERE host_id = ?`;
const ADD_REF = 'INSERT INTO host_ref (host_id) VALUES (?) ON CONFLICT (host_id) DO NOTHING';
// The next host of this id may be another machine: its ids must never meet those of this one.
const ADVANCE_EPOCH = `UPDATE host_ref SET first_epoch = 1 + max(first_epoch,
    ifnull((SELECT max(id_epoch) FROM activity WHERE activity.host_no = host_ref.no), 0),
    ifnull((SELECT max(id_epoch) FROM gap WHERE gap.host_no = host_ref.no), 0))
  WHERE host_id = ?`;
const PUT_MODEL = `INSERT INTO model (host_id, model_id, position, value) VALUES (?, ?, ?, ?)
  ON CONFLICT (host_id, model_id) DO UPDATE SET position = excluded.position, value = excluded.value`;

/** The registry and the models last seen. Calls run inside the caller's transaction. */
export function createFleetStore(connection: Connection): FleetStore {
  return {
    hosts: () => connection.statement<HostRow>(HOSTS).all().map(toStoredHost),
    insertHost(config, now) {
      connection
        .statement(INSERT_HOST)
        .run(
          config.id,
          config.label,
          config.url,
          Number(config.paused),
          config.pausedUntil ?? null,
          Number(config.managedByFile),
          Number(config.demo),
          config.keySource,
          now,
        );
      connection.statement(ADD_REF).run(config.id);
    },
    updateHost(config) {
      connection
        .statement(UPDATE_HOST)
        .run(
          config.label,
          config.url,
          Number(config.paused),
          config.pausedUntil ?? null,
          Number(config.managedByFile),
          Number(config.demo),
          config.keySource,
          config.id,
        );
    },
    removeHost(hostId) {
      const { changes } = connection.statement('DELETE FROM host WHERE host_id = ?').run(hostId);
      if (changes > 0) connection.statement(ADVANCE_EPOCH).run(hostId);
      return changes > 0;
    },
    setStatus(hostId, status: HostStatus) {
      connection
        .statement('UPDATE host SET status = ? WHERE host_id = ?')
        .run(JSON.stringify(status), hostId);
    },
    models(hostId) {
      const rows = connection
        .statement<{ value: string }>('SELECT value FROM model WHERE host_id = ? ORDER BY position, model_id')
        .all(hostId);
      return rows.map((row) => model.parse(JSON.parse(row.value)));
    },
    putModels(hostId, changed) {
      const put = connection.statement(PUT_MODEL);
      for (const { model, position } of changed)
        put.run(hostId, model.modelId, position, JSON.stringify(model));
    },
    deleteModels(hostId, modelIds) {
      const remove = connection.statement('DELETE FROM model WHERE host_id = ? AND model_id = ?');
      for (const modelId of modelIds) remove.run(hostId, modelId);
    },
  };
}

function toStoredHost(row: HostRow): StoredHost {
  const config: HostConfig = {
    id: row.host_id,
    label: row.label,
    url: row.url,
    paused: row.paused === 1,
    pausedUntil: row.paused_until,
    managedByFile: row.managed_by_file === 1,
    demo: row.demo === 1,
    keySource: row.key_source,
  };
  const status = row.status === null ? null : hostStatus.safeParse(JSON.parse(row.status));
  return { config, status: status?.success ? status.data : null };
}
