import { roleAllows } from '#shared/schemas/auth.ts';
import type { IntentState } from '#shared/schemas/intent.ts';
import type { DocKind } from '#sync/doc-name.ts';
import type { AccessStore } from '../domain/access-ports.ts';
import { CLI_ACTOR, HISTORY_RESTORE_ACTION, type AuditLog } from '../domain/audit-log.ts';
import type { SettingStore } from '../domain/host-ports.ts';
import { nextIntentState, type IntentEvent } from '../domain/intent-lifecycle.ts';
import type { IntentWords, StoredIntent } from '../domain/intent-ports.ts';
import { epochAfterRestore } from '../domain/outbox-policy.ts';
import { numberAfterRestore, type AccessStanding, type ReplacedPast } from '../domain/restored-past.ts';
import type { Store } from '../domain/store-ports.ts';
import { intentAudit } from './intent-ledger.ts';

/** The part of a restored database that history going back concerns. */
export type RestoredStore = Store & {
  readonly access: AccessStore;
  readonly audit: AuditLog;
  readonly settings: SettingStore;
};

/** What is known of the restore. */
export interface RestoreFacts {
  readonly now: number;
  /** When the backup was made; null for a plain copy of a database. */
  readonly backupMadeAt: number | null;
  /** What the replaced database knew; null when there was none, or it could not be read. */
  readonly past: ReplacedPast | null;
}

/** What became of what the backup held. */
export interface RestoreReport {
  readonly generations: Readonly<Record<DocKind, number>>;
  readonly intentsRejected: number;
  readonly intentsUnknown: number;
  /** Devices and keys that were revoked, or got a smaller role, since the backup. */
  readonly accessTaken: number;
}

const CODE = 'history_restored';

/**
 * History went back: what was seen or asked since the backup is not known here. In one transaction, documents get new
 * names, so that no device mixes its copy with this one; so do outboxes, so that what is queued in them is told from what
 * is asked anew; what was open is over without being done; whoever was locked
 * out since stays out; and the audit log goes on with how it came to this.
 */
export function restoreHistory(store: RestoredStore, facts: RestoreFacts): RestoreReport {
  return store.transact(() => {
    const generations: Record<DocKind, number> = {
      fleet: advanceDocument(store, 'fleet', facts),
      tail: advanceDocument(store, 'tail', facts),
    };
    // What devices made since is of a history that is gone, and never done: it is told by its epoch.
    const { past, now } = facts;
    store.outboxes.restart(epochAfterRestore(past?.outboxEpoch ?? 0, now), now);
    const ended = endOpenIntents(store, facts);
    const accessTaken = keepOut(store, facts);
    store.access.dropPairings();
    store.audit.append({
      at: facts.now,
      actor: CLI_ACTOR,
      action: HISTORY_RESTORE_ACTION,
      target: null,
      detail: {
        backupMadeAt: facts.backupMadeAt,
        replacedRecords: facts.past?.audit?.records ?? null,
        replacedHead: facts.past?.audit?.head ?? null,
        ...ended,
        accessTaken,
      },
    });
    return { generations, ...ended, accessTaken };
  });
}

function advanceDocument(store: RestoredStore, kind: DocKind, { past, now }: RestoreFacts): number {
  const restored = store.documents.load(kind)?.generation ?? 0;
  const generation = numberAfterRestore(restored, past && (past.generations.get(kind) ?? 0));
  // Empty: the next start writes into it what the rows say.
  store.documents.create(kind, generation, now);
  return generation;
}

function endOpenIntents(
  store: RestoredStore,
  { now, backupMadeAt }: RestoreFacts,
): Pick<RestoreReport, 'intentsRejected' | 'intentsUnknown'> {
  let intentsRejected = 0;
  let intentsUnknown = 0;
  // Zero ended ones: what is left is open.
  for (const id of store.intents.ledgerIds(0)) {
    const intent = store.intents.get(id);
    if (!intent) continue;
    const { state } = intent.view;
    const detail = `It was ${state} when the backup was made${atTime(backupMadeAt)}.`;
    if (state === 'running') {
      const reason =
        'It ran when the backup was made that was restored since. What became of it is not known.';
      step(store, intent, 'loseTrack', { now, words: { code: CODE, reason, evidence: { detail } } });
      intentsUnknown += 1;
      continue;
    }
    if (state === 'claimed') {
      const words = { code: 'released', reason: 'Nothing had been sent yet.', evidence: null };
      step(store, intent, 'release', { now, words });
    }
    const reason = 'The history was restored from a backup since this was asked for. Nothing was done.';
    step(store, intent, 'reject', { now, words: { code: CODE, reason, evidence: { detail } } });
    intentsRejected += 1;
  }
  for (const lease of store.intents.heldLeases()) store.intents.putLease({ ...lease, holder: null });
  return { intentsRejected, intentsUnknown };
}

function step(
  store: RestoredStore,
  { view: { id } }: StoredIntent,
  event: IntentEvent,
  { now, words }: { readonly now: number; readonly words: IntentWords },
): void {
  const before = store.intents.get(id)?.view;
  const to: IntentState | null = before ? nextIntentState(before.state, event) : null;
  if (!before || to === null) throw new Error(`an open intent cannot ${event}`);
  store.intents.change(id, { ...words, from: before.state, to, at: now, by: CLI_ACTOR.label });
  store.audit.append(intentAudit({ at: now, actor: CLI_ACTOR, action: to, view: { ...before, ...words } }));
}

/** A phone that was lost and revoked after the backup must not come back with it. */
function keepOut({ access }: RestoredStore, { past }: RestoreFacts): number {
  let taken = 0;
  const keys = new Map(access.keys().map((key) => [key.id, key]));
  for (const standing of past?.access ?? []) {
    const known = standing.kind === 'device' ? access.device(standing.id) : (keys.get(standing.id) ?? null);
    if (known === null || known.revokedAt !== null) continue;
    if (standing.revokedAt !== null) revoke(access, standing, standing.revokedAt);
    else if (standing.kind === 'device' && !roleAllows(standing.role, known.role)) {
      access.updateDevice(standing.id, { label: known.label, role: standing.role });
    } else continue;
    taken += 1;
  }
  return taken;
}

function revoke(access: AccessStore, { kind, id }: AccessStanding, at: number): void {
  if (kind === 'device') access.revokeDevice(id, at);
  else access.revokeKey(id, at);
}

function atTime(at: number | null): string {
  return at === null ? '' : ` on ${new Date(at).toISOString()}`;
}
