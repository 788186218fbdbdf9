import type { IntentRequest } from '#shared/schemas/intent-request.ts';
import type { HostObserver } from '../domain/host-facts.ts';
import type { IntentRules } from '../domain/intent-kind.ts';
import { isUnclaimed } from '../domain/intent-lifecycle.ts';
import type { ReadableIntent, RoleSource } from '../domain/intent-ports.ts';
import {
  abortedBy,
  decide,
  QUEUE_DEPTH,
  takesOver,
  waitingInLine,
  type Decision,
} from '../domain/intent-queue.ts';
import type { Lease } from '../domain/lease-policy.ts';
import type { Clock, HostConfig } from '../domain/ports.ts';
import type { Store } from '../domain/store-ports.ts';
import type { HostGate } from './host-gate.ts';
import { withCompany } from './intent-company.ts';
import { NO_WORDS, type LedgerChanges } from './intent-ledger.ts';

/** What a line is made of. */
export interface IntentLineOptions {
  readonly store: Pick<Store, 'intents'>;
  readonly registry: Readonly<Record<IntentRequest['kind'], IntentRules>>;
  readonly observer: HostObserver;
  readonly gate: HostGate;
  readonly roles: RoleSource;
  readonly clock: Clock;
}

/** A claim that is written, and is to be begun once it is committed. */
export interface Claim {
  readonly intent: ReadableIntent;
  readonly rules: IntentRules;
  readonly host: HostConfig;
  /** Null for what passes the lease. */
  readonly lease: Lease | null;
  /** The running load that it has ended. */
  readonly aborted: string | null;
}

/** The lines of all hosts: who is next, and what speaks against it. Everything happens inside the caller's commit. */
export class IntentLine {
  readonly #options: IntentLineOptions;

  constructor(options: IntentLineOptions) {
    this.#options = options;
  }

  /** Judges one unclaimed intent and writes what follows, inside a transaction; a claim is to be begun after it. */
  judge(id: string, changes: LedgerChanges, { arriving }: { readonly arriving: boolean }): Claim | null {
    const { store, observer, roles, registry, clock } = this.#options;
    const intent = store.intents.get(id);
    if (!intent || !isReadable(intent) || !isUnclaimed(intent.view.state)) return null;
    const { request, view } = intent;
    const { hostId } = request.target;
    const cancel = store.intents.cancelOf(id);
    const facts = observer.facts(hostId);
    const rulesOf = ({ kind }: IntentRequest): IntentRules => registry[kind];
    const role = roles.roleOf(view.author);
    if (arriving && role !== null) this.#replace(intent, changes);
    const open = store.intents.open(hostId);
    const decision: Decision = decide({
      now: clock.now(),
      intent,
      role,
      cancel: cancel?.identityId === view.author.id ? cancel : null,
      facts,
      lastEndedAt: (modelId) => observer.lastEndedAt(hostId, modelId),
      open,
      lease: store.intents.lease(hostId),
      rulesOf,
    });
    if (decision.do === 'end') {
      changes.step(id, decision.event, withCompany(intent, decision.why, store.intents, registry));
      return null;
    }
    if (decision.do === 'claim' && facts) {
      const claim = this.#claim(intent, facts.host, open, changes);
      if (claim) return claim;
    }
    const line = waitingInLine(open, rulesOf).filter((other) => other.view.id !== id);
    if (arriving && rulesOf(request).lane === 'queue' && line.length >= QUEUE_DEPTH) {
      const pending = line.map((other) => ({
        id: other.view.id,
        kind: other.view.kind,
        label: rulesOf(other.request).label(other.request),
      }));
      const named = line.map(
        (other) => `${rulesOf(other.request).label(other.request)} (${other.view.author.label})`,
      );
      const reason = `${line.length} actions were already queued on ${facts?.host.label ?? hostId}: ${named.join(', ')}.`;
      changes.step(id, 'reject', { code: 'queue_full', reason, evidence: { pending } });
      return null;
    }
    const why = decision.do === 'wait' ? decision.why : NO_WORDS;
    if (!changes.step(id, 'wait', why)) changes.describe(id, why);
    return null;
  }

  /** What a new intent says it replaces is over, unless it was claimed before. */
  #replace({ request, view }: ReadableIntent, changes: LedgerChanges): void {
    const earlier =
      request.supersedes === undefined ? null : this.#options.store.intents.get(request.supersedes);
    if (!earlier || !isUnclaimed(earlier.view.state) || earlier.view.target.hostId !== request.target.hostId)
      return;
    const reason = `Replaced by another of ${view.author.label}.`;
    changes.step(
      earlier.view.id,
      'supersede',
      { code: 'replaced', reason, evidence: { byIntentId: view.id } },
      view.author,
    );
  }

  /** An unload of all models that passes the line is the last word on what was asked for before it: no load follows it. */
  #endOvertaken(
    { seq, request, view }: ReadableIntent,
    open: readonly ReadableIntent[],
    changes: LedgerChanges,
  ): void {
    if (request.kind !== 'model.unload' || request.target.modelId !== undefined) return;
    const loads = open.filter(
      (other) => other.seq < seq && other.request.kind === 'model.load' && isUnclaimed(other.view.state),
    );
    for (const load of loads) {
      const reason = `${view.author.label} unloaded all models after this was asked for.`;
      changes.step(
        load.view.id,
        'supersede',
        { code: 'replaced', reason, evidence: { byIntentId: view.id } },
        view.author,
      );
    }
  }

  #claim(
    intent: ReadableIntent,
    host: HostConfig,
    open: readonly ReadableIntent[],
    changes: LedgerChanges,
  ): Claim | null {
    const { registry, gate, store } = this.#options;
    const rules = registry[intent.request.kind];
    const { id, author } = intent.view;
    const stopped = abortedBy(intent, open);
    if (stopped) {
      const reason = `Stopped by ${author.label}.`;
      changes.step(
        stopped.view.id,
        'fail',
        { code: 'aborted_by', reason, evidence: { byIntentId: id } },
        author,
      );
      gate.free(store.intents.lease(host.id), changes);
      this.#endOvertaken(intent, open, changes);
    }
    const purpose = rules.label(intent.request);
    const claim = { hostId: host.id, holder: id, purpose, lastsMs: rules.deadlineMs };
    const passes = rules.lane === 'control' || takesOver(intent, open);
    const lease = passes ? null : gate.grant(claim, changes);
    if (!passes && lease === null) return null;
    changes.step(id, 'claim', NO_WORDS);
    return { intent, rules, host, lease, aborted: stopped?.view.id ?? null };
  }
}

function isReadable(intent: { readonly request: IntentRequest | null }): intent is ReadableIntent {
  return intent.request !== null;
}
