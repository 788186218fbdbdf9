import { role } from '#shared/schemas/auth.ts';
import type {
  AccessStore,
  ApiKeyRecord,
  DeviceRecord,
  PairingCodeRecord,
  RedeemOutcome,
} from '../../domain/access-ports.ts';
import type { Connection } from './connection.ts';

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

interface CodeRow {
  code_hash: string;
  kind: string;
  role: string;
  created_at: number;
  expires_at: number | null;
  used_at: number | null;
}

const DEVICE = 'SELECT id, label, role, session_hash, created_at, last_seen_at, revoked_at FROM device';
const INSERT_DEVICE = `INSERT INTO device (id, label, role, session_hash, created_at, last_seen_at)
  VALUES (?, ?, ?, ?, ?, ?)`;
const KEY = 'SELECT id, label, role, prefix, key_hash, created_at, last_used_at, revoked_at FROM api_key';
const INSERT_KEY = `INSERT INTO api_key (id, label, role, prefix, key_hash, created_at, last_used_at, revoked_at)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?)`;
const CODE = `SELECT code_hash, kind, role, created_at, expires_at, used_at FROM pairing_code WHERE code_hash = ?`;
// A code that was used stays used, also when the same text is configured again at the next start.
const INSERT_CODE = `INSERT INTO pairing_code (code_hash, kind, role, created_at, expires_at) VALUES (?, ?, ?, ?, ?)
  ON CONFLICT (code_hash) DO UPDATE SET kind = excluded.kind, role = excluded.role,
    created_at = excluded.created_at, expires_at = excluded.expires_at WHERE used_at IS NULL`;

/** Devices, keys and codes in their tables; nothing is cached, because the command line writes beside the server. */
export function createAccessStore(connection: Connection): AccessStore {
  const write = (sql: string, ...values: (string | number | null)[]): boolean =>
    connection.transact(() => connection.statement(sql).run(...values).changes > 0);
  const findCode = (codeHash: string): PairingCodeRecord | null => {
    const row = connection.statement<CodeRow>(CODE).get(codeHash);
    return row ? toCode(row) : null;
  };
  const hasDevice = (): boolean => connection.statement('SELECT 1 FROM device LIMIT 1').get() !== undefined;

  return {
    hasDevice,
    devices: () => connection.statement<DeviceRow>(`${DEVICE} ORDER BY created_at, id`).all().map(toDevice),
    deviceBySession(sessionHash) {
      const row = connection.statement<DeviceRow>(`${DEVICE} WHERE session_hash = ?`).get(sessionHash);
      return row ? toDevice(row) : null;
    },
    touchDevice: (id, at) =>
      void write('UPDATE device SET last_seen_at = max(last_seen_at, ?) WHERE id = ?', at, id),
    revokeDevice: (id, at) =>
      write('UPDATE device SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL', at, id),

    keys: () => connection.statement<KeyRow>(`${KEY} ORDER BY created_at, id`).all().map(toKey),
    keyByHash(keyHash) {
      const row = connection.statement<KeyRow>(`${KEY} WHERE key_hash = ?`).get(keyHash);
      return row ? toKey(row) : null;
    },
    insertKey(key) {
      const { id, label, prefix, keyHash, createdAt, lastUsedAt, revokedAt } = key;
      write(INSERT_KEY, id, label, key.role, prefix, keyHash, createdAt, lastUsedAt, revokedAt);
    },
    touchKey: (id, at) =>
      void write('UPDATE api_key SET last_used_at = max(ifnull(last_used_at, 0), ?) WHERE id = ?', at, id),
    revokeKey: (id, at) =>
      write('UPDATE api_key SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL', at, id),

    insertCode(code) {
      connection.transact(() => {
        if (code.kind === 'first_start') {
          write(
            `DELETE FROM pairing_code WHERE kind = 'first_start' AND used_at IS NULL AND code_hash <> ?`,
            code.codeHash,
          );
        }
        write(INSERT_CODE, code.codeHash, code.kind, code.role, code.createdAt, code.expiresAt);
      });
    },
    code: findCode,
    redeem: (codeHash, device, now) =>
      connection.transact((): RedeemOutcome => {
        const code = findCode(codeHash);
        if (!code) return { kind: 'unknown' };
        if (code.usedAt !== null) return { kind: 'used' };
        if (code.kind === 'first_start' && hasDevice()) return { kind: 'unknown' };
        if (code.expiresAt !== null && now >= code.expiresAt) return { kind: 'expired' };
        write('UPDATE pairing_code SET used_at = ? WHERE code_hash = ?', now, codeHash);
        const { id, label, sessionHash, createdAt, lastSeenAt } = device;
        write(INSERT_DEVICE, id, label, code.role, sessionHash, createdAt, lastSeenAt);
        return { kind: 'paired', role: code.role };
      }),
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

function toCode(row: CodeRow): PairingCodeRecord {
  return {
    codeHash: row.code_hash,
    kind: row.kind === 'first_start' ? 'first_start' : 'cli',
    role: role.parse(row.role),
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    usedAt: row.used_at,
  };
}
