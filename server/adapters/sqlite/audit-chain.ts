import { createHash } from 'node:crypto';
import { canonicalJson } from '#shared/lib/canonical-json.ts';
import { HISTORY_RESTORE_ACTION, type AuditLog, type AuditRecord } from '../../domain/audit-log.ts';

/** What the first record has for the hash before it. */
export const AUDIT_ROOT = '0'.repeat(64);

/** How many records are looked at in one go. */
const PAGE = 500;

/** The hash of a record: SHA-256 over the hash before it and its canonical JSON. */
export function auditHash(record: Omit<AuditRecord, 'hash'>): string {
  const { id, at, actor, action, target, detail, prevHash } = record;
  const { kind, id: actorId, label } = actor;
  const text = canonicalJson({ id, at, actor: { kind, id: actorId, label }, action, target, detail });
  return createHash('sha256').update(`${prevHash}\n${text}`).digest('hex');
}

/** A record that says a backup was restored: what the replaced log had after it is in the database kept then. */
export interface RestorePoint {
  readonly record: number;
  readonly at: number;
  /** The head of the replaced log; null when it could not be read. */
  readonly replacedHead: string | null;
}

/** What a check of the whole log found. `head` is the hash of its last record, to be written down elsewhere. */
export type AuditVerdict =
  | {
      readonly ok: true;
      readonly records: number;
      readonly head: string;
      readonly restores: readonly RestorePoint[];
    }
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
  const walk = walkAudit(log, notedHead);
  for (;;) {
    const step = walk.next();
    if (step.done === true) return step.value;
  }
}

/** The same a page at a time, so that whoever has other things to do can do them between. */
export function* walkAudit(
  log: Pick<AuditLog, 'read' | 'lastId'>,
  notedHead: string | null = null,
): Generator<void, AuditVerdict> {
  let records = 0;
  let head = AUDIT_ROOT;
  const restores: RestorePoint[] = [];
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
      if (record.action === HISTORY_RESTORE_ACTION) restores.push(restorePoint(record));
    }
    if (page.length < PAGE) break;
    yield;
  }
  const last = log.lastId();
  if (last > records) return broken(records + 1, `Records ${records + 1} to ${last} were cut off the end.`);
  if (!isNotedSeen) {
    return broken(records, notedHeadMissing(restores, notedHead));
  }
  return { ok: true, records, head, restores };
}

/** The walk of a server over its own log: how far it is whole, and what is wrong. */
export function* walkOwnAudit(
  log: Pick<AuditLog, 'read' | 'lastId'>,
): Generator<void, { readonly records: number; readonly problem: string | null }> {
  const verdict = yield* walkAudit(log);
  return { records: verdict.records, problem: verdict.ok ? null : verdict.problem };
}

function restorePoint({ id, at, detail }: AuditRecord): RestorePoint {
  const replacedHead = detail?.['replacedHead'];
  return { record: id, at, replacedHead: typeof replacedHead === 'string' ? replacedHead : null };
}

function notedHeadMissing(restores: readonly RestorePoint[], notedHead: string | null): string {
  const exact = restores.find(({ replacedHead }) => replacedHead === notedHead);
  const point = exact ?? restores.at(-1);
  if (!point) return 'The noted head is not in this log: it was written anew, or is an older copy.';
  const restored = `a backup was restored on ${new Date(point.at).toISOString()} (record ${point.record})`;
  return exact
    ? `The noted head was the last of the log that was replaced when ${restored}: the database kept then has it.`
    : `The noted head is not in this log; ${restored}, and the database kept then may have it.`;
}
