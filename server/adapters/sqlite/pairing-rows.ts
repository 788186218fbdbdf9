import { role } from '#shared/schemas/auth.ts';
import type { AccessStore, PairingCodeRecord, PairingRequestRecord } from '../../domain/access-ports.ts';
import type { Connection } from './connection.ts';

interface CodeRow {
  code_hash: string;
  kind: string;
  role: string;
  created_at: number;
  expires_at: number | null;
  used_at: number | null;
  made_by: string | null;
}

interface RequestRow {
  id: string;
  secret_hash: string;
  label: string;
  role: string;
  made_by: string;
  address: string;
  user_agent: string;
  created_at: number;
  expires_at: number;
  decision: string | null;
  device_id: string | null;
}

const CODE = `SELECT code_hash, kind, role, created_at, expires_at, used_at, made_by FROM pairing_code
  WHERE code_hash = ?`;
// A code that was used stays used, also when the same text is configured again at the next start.
const INSERT_CODE = `INSERT INTO pairing_code (code_hash, kind, role, created_at, expires_at, made_by)
  VALUES (?, ?, ?, ?, ?, ?)
  ON CONFLICT (code_hash) DO UPDATE SET kind = excluded.kind, role = excluded.role, made_by = excluded.made_by,
    created_at = excluded.created_at, expires_at = excluded.expires_at WHERE used_at IS NULL`;
const DROP_OLD_FIRST = `DELETE FROM pairing_code WHERE kind = 'first_start' AND used_at IS NULL AND code_hash <> ?`;
const DROP_OLD_OF_MAKER = `DELETE FROM pairing_code WHERE code_hash IN (
  SELECT code_hash FROM pairing_code WHERE made_by = ? AND used_at IS NULL
  ORDER BY created_at DESC, rowid DESC LIMIT -1 OFFSET ?)`;
const REQUEST = `SELECT id, secret_hash, label, role, made_by, address, user_agent, created_at, expires_at, decision,
  device_id FROM pairing_request`;
const INSERT_REQUEST = `INSERT INTO pairing_request (id, secret_hash, label, role, made_by, address, user_agent,
  created_at, expires_at, decision, device_id) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;

type PairingPart = Pick<
  AccessStore,
  | 'insertCode'
  | 'code'
  | 'useCode'
  | 'insertRequest'
  | 'request'
  | 'requestBySecret'
  | 'openRequests'
  | 'decide'
  | 'collect'
  | 'dropPairingsOf'
  | 'dropPairings'
  | 'prunePairings'
>;

/** Pairing codes and requests in their tables: the part of the access store that is about letting devices in. */
export function pairingRows(connection: Connection): PairingPart {
  const write = (sql: string, ...values: (string | number | null)[]): boolean =>
    connection.transact(() => connection.statement(sql).run(...values).changes > 0);
  const request = (where: string, value: string): PairingRequestRecord | null => {
    const row = connection.statement<RequestRow>(`${REQUEST} WHERE ${where} = ?`).get(value);
    return row ? toRequest(row) : null;
  };

  return {
    insertCode(code, keep) {
      connection.transact(() => {
        if (code.kind === 'first_start') write(DROP_OLD_FIRST, code.codeHash);
        const { codeHash, kind, createdAt, expiresAt, madeBy } = code;
        write(INSERT_CODE, codeHash, kind, code.role, createdAt, expiresAt, madeBy);
        if (madeBy !== null && keep !== undefined) write(DROP_OLD_OF_MAKER, madeBy, keep);
      });
    },
    code(codeHash) {
      const row = connection.statement<CodeRow>(CODE).get(codeHash);
      return row ? toCode(row) : null;
    },
    useCode: (codeHash, at) =>
      write('UPDATE pairing_code SET used_at = ? WHERE code_hash = ? AND used_at IS NULL', at, codeHash),

    insertRequest(record) {
      const { id, secretHash, label, madeBy, address, userAgent, createdAt, expiresAt } = record;
      const { decision, deviceId } = record;
      write(
        INSERT_REQUEST,
        id,
        secretHash,
        label,
        record.role,
        madeBy,
        address,
        userAgent,
        createdAt,
        expiresAt,
        decision,
        deviceId,
      );
    },
    request: (id) => request('id', id),
    requestBySecret: (secretHash) => request('secret_hash', secretHash),
    openRequests: (now) =>
      connection
        .statement<RequestRow>(
          `${REQUEST} WHERE decision IS NULL AND expires_at > ? ORDER BY created_at, rowid`,
        )
        .all(now)
        .map(toRequest),
    decide: (id, values) =>
      void write(
        'UPDATE pairing_request SET decision = ?, role = ?, expires_at = ? WHERE id = ?',
        values.decision,
        values.role,
        values.expiresAt,
        id,
      ),
    collect: (id, deviceId) =>
      void write('UPDATE pairing_request SET device_id = ? WHERE id = ?', deviceId, id),
    dropPairingsOf(madeBy) {
      connection.transact(() => {
        write('DELETE FROM pairing_code WHERE made_by = ? AND used_at IS NULL', madeBy);
        write(
          `UPDATE pairing_request SET decision = 'refused' WHERE made_by = ? AND decision IS NULL`,
          madeBy,
        );
      });
    },
    dropPairings() {
      connection.transact(() => {
        write('DELETE FROM pairing_code');
        write('DELETE FROM pairing_request');
      });
    },
    prunePairings(before) {
      connection.transact(() => {
        write(`DELETE FROM pairing_code WHERE kind = 'device' AND expires_at < ?`, before);
        write('DELETE FROM pairing_request WHERE expires_at < ?', before);
      });
    },
  };
}

function toCode(row: CodeRow): PairingCodeRecord {
  return {
    codeHash: row.code_hash,
    kind: row.kind === 'first_start' || row.kind === 'device' ? row.kind : 'cli',
    role: role.parse(row.role),
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    usedAt: row.used_at,
    madeBy: row.made_by,
  };
}

function toRequest(row: RequestRow): PairingRequestRecord {
  return {
    id: row.id,
    secretHash: row.secret_hash,
    label: row.label,
    role: role.parse(row.role),
    madeBy: row.made_by,
    address: row.address,
    userAgent: row.user_agent,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    decision: row.decision === 'allowed' || row.decision === 'refused' ? row.decision : null,
    deviceId: row.device_id,
  };
}
