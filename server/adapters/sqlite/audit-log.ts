import { z } from 'zod';
import { canonicalJson } from '#shared/lib/canonical-json.ts';
import { AUDIT_ROOT, auditHash } from './audit-chain.ts';
import type { AuditLog, AuditRecord } from '../../domain/audit-log.ts';
import type { Connection } from './connection.ts';

interface AuditRow {
  id: number;
  at: number;
  actor_kind: string;
  actor_id: string;
  actor_label: string;
  action: string;
  target: string | null;
  detail: string | null;
  prev_hash: string;
  hash: string;
}

const LAST = 'SELECT id, hash FROM audit ORDER BY id DESC LIMIT 1';
const LAST_ID = `SELECT seq FROM sqlite_sequence WHERE name = 'audit'`;
const READ = `SELECT id, at, actor_kind, actor_id, actor_label, action, target, detail, prev_hash, hash
  FROM audit WHERE id > ? ORDER BY id LIMIT ?`;
const INSERT = `INSERT INTO audit (id, at, actor_kind, actor_id, actor_label, action, target, detail, prev_hash, hash)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;

const actorKind = z.enum(['device', 'key', 'cli', 'collector', 'stranger']);
const detailJson = z.record(z.string(), z.json());

/** The audit log in its table. The last hash is read at each append: the command line appends beside the server. */
export function createAuditLog(connection: Connection): AuditLog {
  const lastId = (): number => connection.statement<{ seq: number }>(LAST_ID).get()?.seq ?? 0;
  return {
    append: (entry) =>
      connection.transact((): AuditRecord => {
        const last = connection.statement<{ id: number; hash: string }>(LAST).get();
        const { at, actor, action, target } = entry;
        // As it will be read back: undefined members are gone, and the hash covers what is kept.
        const text = entry.detail === null ? null : canonicalJson(entry.detail);
        const body = {
          id: lastId() + 1,
          at,
          actor,
          action,
          target,
          detail: text === null ? null : readDetail(text),
          prevHash: last?.hash ?? AUDIT_ROOT,
        };
        const record: AuditRecord = { ...body, hash: auditHash(body) };
        connection
          .statement(INSERT)
          .run(
            record.id,
            at,
            actor.kind,
            actor.id,
            actor.label,
            action,
            target,
            text,
            record.prevHash,
            record.hash,
          );
        return record;
      }),
    read: ({ afterId, limit }) => connection.statement<AuditRow>(READ).all(afterId, limit).map(toRecord),
    lastId,
  };
}

function toRecord(row: AuditRow): AuditRecord {
  return {
    id: row.id,
    at: row.at,
    actor: { kind: actorKind.parse(row.actor_kind), id: row.actor_id, label: row.actor_label },
    action: row.action,
    target: row.target,
    detail: row.detail === null ? null : readDetail(row.detail),
    prevHash: row.prev_hash,
    hash: row.hash,
  };
}

function readDetail(text: string): AuditRecord['detail'] {
  return detailJson.parse(JSON.parse(text));
}
