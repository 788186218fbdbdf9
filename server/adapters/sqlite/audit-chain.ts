import { createHash } from 'node:crypto';
import { canonicalJson } from '#shared/lib/canonical-json.ts';
import type { AuditLog, AuditRecord } from '../../domain/audit-log.ts';

/** What the first record has for the hash before it. */
export const AUDIT_ROOT = '0'.repeat(64);

/** How many records are looked at in one go. */
const PAGE = 1_000;

/** The hash of a record: SHA-256 over the hash before it and its canonical JSON. */
export function auditHash(record: Omit<AuditRecord, 'hash'>): string {
  const { id, at, actor, action, target, detail, prevHash } = record;
  const { kind, id: actorId, label } = actor;
  const text = canonicalJson({ id, at, actor: { kind, id: actorId, label }, action, target, detail });
  return createHash('sha256').update(`${prevHash}\n${text}`).digest('hex');
}

/** What a check of the whole log found. `head` is the hash of its last record, to be written down elsewhere. */
export type AuditVerdict =
  | { readonly ok: true; readonly records: number; readonly head: string }
  | { readonly ok: false; readonly records: number; readonly brokenAt: number; readonly problem: string };

/**
 * Walks the chain from the start. It finds a record that was changed, taken out, put in or cut off the end. Whoever can
 * write the file could forge a whole new chain, or put an older copy in its place: against that, `notedHead` is a head
 * that was written down elsewhere, and must be in the chain.
 */
export function verifyAudit(
  log: Pick<AuditLog, 'read' | 'lastId'>,
  notedHead: string | null = null,
): AuditVerdict {
  let records = 0;
  let head = AUDIT_ROOT;
  let isNotedSeen = notedHead === null || notedHead === AUDIT_ROOT;
  const broken = (brokenAt: number, problem: string): AuditVerdict => ({
    ok: false,
    records,
    brokenAt,
    problem,
  });
  for (;;) {
    const page = log.read({ afterId: records, limit: PAGE });
    for (const record of page) {
      const expected = records + 1;
      if (record.id !== expected) return broken(expected, `Record ${expected} is missing.`);
      if (record.prevHash !== head)
        return broken(expected, `Record ${expected} does not follow the one before it.`);
      if (record.hash !== auditHash(record)) return broken(expected, `Record ${expected} was changed.`);
      records = expected;
      head = record.hash;
      isNotedSeen ||= head === notedHead;
    }
    if (page.length < PAGE) break;
  }
  const last = log.lastId();
  if (last > records) return broken(records + 1, `Records ${records + 1} to ${last} were cut off the end.`);
  if (!isNotedSeen) {
    return broken(records, 'The noted head is not in this log: it was written anew, or is an older copy.');
  }
  return { ok: true, records, head };
}
