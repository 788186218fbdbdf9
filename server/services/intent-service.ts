import type { HealthCheck } from '#shared/schemas/info.ts';
import { intentId, isTerminal } from '#shared/schemas/intent.ts';
import type { IntentView } from '#shared/schemas/intent.ts';
import type { IntentRequest } from '#shared/schemas/intent-request.ts';
import { actorOf } from '../domain/audit-log.ts';
import type { Identity } from '../domain/identity.ts';
import { isUnclaimed } from '../domain/intent-lifecycle.ts';
import { receivedView, ttlOf, validityOf, type Receipt } from '../domain/intent-receipt.ts';
import { intentsCheck } from '../domain/health/intents-check.ts';
import type { HealthSource } from '../domain/ports.ts';
import { IntentEngine, type IntentEngineOptions } from './intent-engine.ts';
import type { IntentLedger, LedgerChanges } from './intent-ledger.ts';
import type { Claim } from './intent-line.ts';
import { readRecord, unreadableView } from './intent-record.ts';

/** What the service is made of. */
export type IntentServiceOptions = IntentEngineOptions;

/** What became of a record that arrived. `foreign`: its id belongs to somebody else; `ignored`: it has no usable id. */
export type Received =
  | { readonly outcome: 'new' | 'known'; readonly view: IntentView }
  | { readonly outcome: 'foreign' | 'ignored' };

/** What became of a wish to cancel. `kept`: the intent is not here yet, and will be cancelled when it comes. */
export type Cancelled =
  | { readonly outcome: 'cancelled'; readonly view: IntentView }
  | {
      readonly outcome: 'refused';
      readonly code: 'already_claimed' | 'already_ended';
      readonly view: IntentView;
    }
  | { readonly outcome: 'kept' };

/** What became of a note: only what ended `unknown` is open to one. */
export type Noted =
  | { readonly outcome: 'noted'; readonly view: IntentView }
  | { readonly outcome: 'refused' | 'not_found' };

/** How a record reached us from an outbox. */
export interface OutboxReceipt {
  readonly receivedAt: number;
  /** Collector clock minus the device's, measured on its connection; null: not known. */
  readonly clockOffsetMs: number | null;
  /** True when history went back since the record was made: what the ledger does not know is not executed. */
  readonly historyRestored?: boolean;
}

/**
 * Intents from receipt to their end. Each host has its line; an intent is judged when it comes and again whenever
 * something of its host changes, inside the transaction that claims it. Nothing reaches a host before `running` is on
 * disk, and only what was observed makes it `succeeded`.
 */
export class IntentService implements HealthSource {
  readonly #options: IntentServiceOptions;
  readonly #ledger: IntentLedger;
  readonly #engine: IntentEngine;

  constructor(options: IntentServiceOptions) {
    this.#options = options;
    this.#ledger = options.ledger;
    this.#engine = new IntentEngine(options);
  }

  /** Takes up what an earlier process left, then everything that waits. Call when hosts are about to be connected. */
  start(): void {
    this.#engine.start();
  }

  /** Stops at once; what runs is found again at the next start. */
  stop(): void {
    this.#engine.stop();
  }

  /** A request that is made as it arrives, its shape checked: the way of the HTTP API. */
  submit(request: IntentRequest, identity: Identity): Received {
    const receivedAt = this.#options.clock.now();
    return this.#take(request, identity, { receivedAt, createdAt: null, clockOffsetMs: null });
  }

  /** A record of an outbox, as it was found under `id`. Whatever it holds, it ends in the ledger and blocks nothing. */
  receive(id: string, record: unknown, identity: Identity, receipt: OutboxReceipt): Received {
    const key = intentId.safeParse(id);
    if (!key.success) return { outcome: 'ignored' };
    const read = readRecord(key.data, record);
    if (!read.ok) {
      return this.#once(key.data, identity, (changes) => {
        changes.receive(unreadableView(key.data, record, read, identity, receipt.receivedAt), null);
        return null;
      });
    }
    const { v: _v, createdAt, seenAt: _seenAt, epoch: _epoch, ...request } = read.record;
    return this.#take(request, identity, { ...receipt, createdAt }, receipt.historyRestored);
  }

  /** Cancels an intent that is not claimed yet. */
  cancel(id: string, identity: Identity): Cancelled {
    const { clock, store } = this.#options;
    const cancelled = this.#ledger.commit((changes): Cancelled => {
      const known = store.intents.get(id);
      if (!known) {
        store.intents.putCancel({
          intentId: id,
          identityId: identity.id,
          label: identity.label,
          at: clock.now(),
        });
        return { outcome: 'kept' };
      }
      const { view } = known;
      if (view.state === 'cancelled') return { outcome: 'cancelled', view };
      if (!isUnclaimed(view.state)) {
        changes.note(identity, 'cancel_refused', id);
        const code = isTerminal(view.state) ? 'already_ended' : 'already_claimed';
        return { outcome: 'refused', code, view };
      }
      const reason = `By ${identity.label}, before it was claimed.`;
      changes.step(id, 'cancel', { code: 'cancelled', reason, evidence: null }, identity);
      return { outcome: 'cancelled', view: store.intents.get(id)?.view ?? view };
    });
    if (cancelled.outcome === 'cancelled') this.#engine.lookSoon(cancelled.view.target.hostId);
    return cancelled;
  }

  /** Adds what a person found out about an intent that ended `unknown`. The state stays; a later note replaces it. */
  note(id: string, text: string, identity: Identity): Noted {
    const { clock, store } = this.#options;
    return this.#ledger.commit((changes): Noted => {
      const state = store.intents.get(id)?.view.state;
      if (state === undefined) return { outcome: 'not_found' };
      if (state !== 'unknown') return { outcome: 'refused' };
      changes.setNote(id, { text, by: identity.label, at: clock.now() }, actorOf(identity));
      const view = store.intents.get(id)?.view;
      return view ? { outcome: 'noted', view } : { outcome: 'not_found' };
    });
  }

  /** The intent as the ledger has it; null when it is not known. */
  view(id: string): IntentView | null {
    return this.#options.store.intents.get(id)?.view ?? null;
  }

  /** Looks at everything that waits, as after a role or a host's registration changed. */
  recheck(): void {
    this.#engine.recheck();
  }

  /** One check: what waits, and what could not be written. */
  health(): readonly HealthCheck[] {
    const { store, clock } = this.#options;
    return [intentsCheck({ ...store.intents.counts(clock.now()), unwritten: this.#engine.unwritten })];
  }

  #take(request: IntentRequest, identity: Identity, receipt: Receipt, historyRestored = false): Received {
    const rules = this.#options.registry[request.kind];
    const validity = validityOf(receipt, ttlOf(request, rules));
    const { receivedAt } = receipt;
    return this.#once(request.id, identity, (changes) => {
      changes.receive(receivedView(request, identity, { ...validity, receivedAt }), request);
      const reject = (code: string, reason: string): null => {
        changes.step(request.id, 'reject', { code, reason, evidence: null });
        return null;
      };
      if (historyRestored) {
        return reject(
          'history_restored',
          'The history was restored since this was asked for. Nothing was done.',
        );
      }
      if (validity.kind === 'impossible')
        return reject('clock', 'The record’s time is impossible: it lies ahead.');
      if (validity.kind === 'expired') {
        const reason = 'Expired before it reached the collector. Nothing was done.';
        changes.step(request.id, 'expire', { code: 'expired', reason, evidence: null });
        return null;
      }
      return this.#engine.judge(request.id, changes);
    });
  }

  /** Runs `work` for an id that is new, in one transaction; one that is known keeps what it has. */
  #once(id: string, identity: Identity, work: (changes: LedgerChanges) => Claim | null): Received {
    const { store } = this.#options;
    const taken = this.#ledger.commit((changes): Received & { readonly claim?: Claim | null } => {
      const known = store.intents.get(id);
      if (known) {
        const { author } = known.view;
        const own = author.kind === identity.kind && author.id === identity.id;
        return own ? { outcome: 'known', view: known.view } : { outcome: 'foreign' };
      }
      const claim = work(changes);
      const view = store.intents.get(id)?.view;
      return view ? { outcome: 'new', view, claim } : { outcome: 'ignored' };
    });
    if (taken.outcome !== 'new') return taken;
    if (taken.claim) this.#engine.begin(taken.claim);
    this.#engine.lookSoon(taken.view.target.hostId);
    return { outcome: 'new', view: this.view(id) ?? taken.view };
  }
}
