import { isDeepStrictEqual } from 'node:util';
import type { IntentNote, IntentView } from '#shared/schemas/intent.ts';
import type { IntentRequest } from '#shared/schemas/intent-request.ts';
import { isTerminal } from '#shared/schemas/intent.ts';
import { fleetKey } from '#sync/fleet-record.ts';
import { COLLECTOR_ACTOR, type AuditActor, type AuditEntry, type AuditLog } from '../domain/audit-log.ts';
import { nextIntentState, type IntentEvent } from '../domain/intent-lifecycle.ts';
import { LEDGER_ENDED, type IntentStore, type IntentWords } from '../domain/intent-ports.ts';
import { leaseEntry, type Lease } from '../domain/lease-policy.ts';
import type { Clock } from '../domain/ports.ts';
import type { DocHost } from './doc-host.ts';

/** What a ledger is made of. */
export interface IntentLedgerOptions {
  readonly docHost: Pick<DocHost, 'commit'>;
  readonly intents: IntentStore;
  readonly audit: AuditLog;
  readonly clock: Clock;
}

/** Changes of one commit. */
export interface LedgerChanges {
  /** Keeps an intent that was just received. */
  receive(view: IntentView, request: IntentRequest | null): void;
  /** One step of a life; false when it cannot happen any more. `actor` is the collector when left out. */
  step(id: string, event: IntentEvent, words: IntentWords, actor?: AuditActor): boolean;
  /** Other words for a state that stays; equal ones write nothing. */
  describe(id: string, words: IntentWords): void;
  /** What a person found out about one that ended; it changes no state. */
  setNote(id: string, note: IntentNote, actor: AuditActor): void;
  /** A host was taken, or is free again. */
  lease(lease: Lease): void;
  /** Something worth keeping that changes no state. */
  note(actor: AuditActor, action: string, id: string): void;
}

/** No words: the state says it all. */
export const NO_WORDS: IntentWords = { code: null, reason: null, evidence: null };

/** Writes intents: rows, the document's ledger and the audit log, all in one transaction, and then the broadcast. */
export class IntentLedger {
  readonly #options: IntentLedgerOptions;

  constructor(options: IntentLedgerOptions) {
    this.#options = options;
  }

  /** Runs `work` in one transaction; throws `StoreError` when nothing was kept. */
  commit<T>(work: (changes: LedgerChanges) => T): T {
    const { docHost, intents } = this.#options;
    return docHost.commit(({ fleet }) => {
      const touched = new Set<string>();
      const leases = new Map<string, Lease>();
      let ended = false;
      const result = work(this.#changes(touched, leases, () => (ended = true)));
      // Rows first, document last: an error in `work` must leave the document as it was.
      for (const id of touched) {
        const intent = intents.get(id);
        if (intent) fleet.set(fleetKey.ledger(id), intent.view);
      }
      for (const [hostId, lease] of leases) {
        const entry = leaseEntry(lease);
        if (entry === null) fleet.delete(fleetKey.lease(hostId));
        else fleet.set(fleetKey.lease(hostId), entry);
      }
      if (ended) {
        const kept = new Set(intents.ledgerIds(LEDGER_ENDED).map(fleetKey.ledger));
        for (const key of fleet.keys(fleetKey.ledger(''))) if (!kept.has(key)) fleet.delete(key);
      }
      return result;
    });
  }

  #changes(touched: Set<string>, leases: Map<string, Lease>, onEnded: () => void): LedgerChanges {
    const { intents, audit, clock } = this.#options;
    const note = (actor: AuditActor, action: string, view: IntentView): void =>
      void audit.append(intentAudit({ at: clock.now(), actor, action, view }));
    return {
      receive: (view, request) => {
        intents.insert(view, request);
        touched.add(view.id);
        if (isTerminal(view.state)) onEnded();
        note(view.author, view.state, view);
      },
      step: (id, event, words, actor = COLLECTOR_ACTOR) => {
        const current = intents.get(id)?.view;
        const to = current ? nextIntentState(current.state, event) : null;
        if (!current || to === null) return false;
        const change = { ...words, from: current.state, to, at: clock.now(), by: actor.label };
        if (!intents.change(id, change)) return false;
        touched.add(id);
        if (isTerminal(to)) onEnded();
        note(actor, to, { ...current, ...words });
        return true;
      },
      describe: (id, words) => {
        const current = intents.get(id)?.view;
        if (!current || isTerminal(current.state) || sameWords(current, words)) return;
        intents.describe(id, words);
        touched.add(id);
      },
      setNote: (id, said, actor) => {
        const current = intents.get(id)?.view;
        if (!current) return;
        intents.setNote(id, said);
        touched.add(id);
        note(actor, 'note', { ...current, reason: said.text });
      },
      lease: (lease) => {
        intents.putLease(lease);
        leases.set(lease.hostId, lease);
      },
      note: (actor, action, id) => {
        const current = intents.get(id)?.view;
        if (current) note(actor, action, current);
      },
    };
  }
}

/** What the audit log keeps of a step: who, what, and the words it ended with. */
export function intentAudit(step: {
  readonly at: number;
  readonly actor: AuditActor;
  readonly action: string;
  readonly view: IntentView;
}): AuditEntry {
  const { at, actor, action, view } = step;
  return {
    at,
    actor,
    action: `intent.${action}`,
    target: view.id,
    detail: {
      kind: view.kind,
      hostId: view.target.hostId,
      modelId: view.target.modelId ?? null,
      code: view.code,
      reason: view.reason,
      evidence: view.evidence === null ? null : JSON.stringify(view.evidence),
    },
  };
}

function sameWords(a: IntentWords, b: IntentWords): boolean {
  return a.code === b.code && a.reason === b.reason && isDeepStrictEqual(a.evidence, b.evidence);
}
