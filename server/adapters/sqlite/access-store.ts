import { role } from '#shared/schemas/auth.ts';
import type { AccessStore, ApiKeyRecord, DeviceRecord } from '../../domain/access-ports.ts';
import type { Connection } from './connection.ts';
import { pairingRows } from './pairing-rows.ts';

interface DeviceRow {
  id: string;
  label: string;
  role: string;
  session_hash: string;
  created_at: number;
  last_seen_at: number;
  revoked_at: number | null;
}

interface KeyRow {
  id: string;
  label: string;
  role: string;
  prefix: string;
  key_hash: string;
  created_at: number;
  last_used_at: number | null;
  revoked_at: number | null;
}

const DEVICE = 'SELECT id, label, role, session_hash, created_at, last_seen_at, revoked_at FROM device';
const INSERT_DEVICE = `INSERT INTO device (id, label, role, session_hash, created_at, last_seen_at, revoked_at)
  VALUES (?, ?, ?, ?, ?, ?, ?)`;
const KEY = 'SELECT id, label, role, prefix, key_hash, created_at, last_used_at, revoked_at FROM api_key';
const INSERT_KEY = `INSERT INTO api_key (id, label, role, prefix, key_hash, created_at, last_used_at, revoked_at)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?)`;
const TOUCH = {
  device: 'UPDATE device SET last_seen_at = max(last_seen_at, ?) WHERE id = ?',
  key: 'UPDATE api_key SET last_used_at = max(ifnull(last_used_at, 0), ?) WHERE id = ?',
} as const;

/** Devices, keys and codes in their tables; nothing is cached, because the command line writes beside the server. */
export function createAccessStore(connection: Connection): AccessStore {
  const write = (sql: string, ...values: (string | number | null)[]): boolean =>
    connection.transact(() => connection.statement(sql).run(...values).changes > 0);
  const findDevice = (column: string, value: string): DeviceRecord | null => {
    const row = connection.statement<DeviceRow>(`${DEVICE} WHERE ${column} = ?`).get(value);
    return row ? toDevice(row) : null;
  };

  return {
    ...pairingRows(connection),
    hasDevice: () => connection.statement('SELECT 1 FROM device LIMIT 1').get() !== undefined,
    devices: () =>
      connection.statement<DeviceRow>(`${DEVICE} ORDER BY created_at, rowid`).all().map(toDevice),
    device: (id) => findDevice('id', id),
    deviceBySession: (sessionHash) => findDevice('session_hash', sessionHash),
    insertDevice(device) {
      const { id, label, sessionHash, createdAt, lastSeenAt, revokedAt } = device;
      write(INSERT_DEVICE, id, label, device.role, sessionHash, createdAt, lastSeenAt, revokedAt);
    },
    updateDevice: (id, values) =>
      void write('UPDATE device SET label = ?, role = ? WHERE id = ?', values.label, values.role, id),
    revokeDevice: (id, at) =>
      write('UPDATE device SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL', at, id),

    keys: () => connection.statement<KeyRow>(`${KEY} ORDER BY created_at, rowid`).all().map(toKey),
    keyByHash(keyHash) {
      const row = connection.statement<KeyRow>(`${KEY} WHERE key_hash = ?`).get(keyHash);
      return row ? toKey(row) : null;
    },
    insertKey(key) {
      const { id, label, prefix, keyHash, createdAt, lastUsedAt, revokedAt } = key;
      write(INSERT_KEY, id, label, key.role, prefix, keyHash, createdAt, lastUsedAt, revokedAt);
    },
    revokeKey: (id, at) =>
      write('UPDATE api_key SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL', at, id),

    touch(used) {
      connection.transact(() => {
        for (const { kind, id, at } of used) write(TOUCH[kind], at, id);
      });
    },
  };
}

function toDevice(row: DeviceRow): DeviceRecord {
  return {
    id: row.id,
    label: row.label,
    role: role.parse(row.role),
    sessionHash: row.session_hash,
    createdAt: row.created_at,
    lastSeenAt: row.last_seen_at,
    revokedAt: row.revoked_at,
  };
}

function toKey(row: KeyRow): ApiKeyRecord {
  return {
    id: row.id,
    label: row.label,
    role: role.parse(row.role),
    prefix: row.prefix,
    keyHash: row.key_hash,
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
    revokedAt: row.revoked_at,
  };
}
