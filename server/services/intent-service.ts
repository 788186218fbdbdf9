import type { HealthCheck } from '#shared/schemas/info.ts';
import { intentId, isTerminal } from '#shared/schemas/intent.ts';
import type { IntentRequest, IntentView } from '#shared/schemas/intent.ts';
import type { AuditLog } from '../domain/audit-log.ts';
import type { HostObserver } from '../domain/host-facts.ts';
import type { Identity } from '../domain/identity.ts';
import type { IntentRules, Outcome, PauseControl } from '../domain/intent-kind.ts';
import { isUnclaimed } from '../domain/intent-lifecycle.ts';
import type { ReadableIntent, RoleSource } from '../domain/intent-ports.ts';
import { receivedView, ttlOf, validityOf, type Receipt } from '../domain/intent-receipt.ts';
import type { Clock, HealthSource, Log } from '../domain/ports.ts';
import { StoreError } from '../domain/store-error.ts';
import type { Store } from '../domain/store-ports.ts';
import type { DocHost } from './doc-host.ts';
import type { HostAccess, HostGate } from './host-gate.ts';
import { intentHealth } from './intent-health.ts';
import { IntentLedger, NO_WORDS, type LedgerChanges } from './intent-ledger.ts';
import { IntentLine, type Claim } from './intent-line.ts';
import { readRecord, unreadableView } from './intent-record.ts';
import { IntentRunner } from './intent-runner.ts';
import { withCompany } from './intent-company.ts';

/** What the service is made of. */
export interface IntentServiceOptions {
  readonly docHost: Pick<DocHost, 'commit' | 'onRecovered' | 'unavailable'>;
  readonly store: Pick<Store, 'intents'>;
  readonly audit: AuditLog;
  readonly registry: Readonly<Record<IntentRequest['kind'], IntentRules>>;
  readonly observer: HostObserver;
  readonly gate: HostGate;
  readonly roles: RoleSource;
  readonly pauses: PauseControl;
  /** Asks whether a sleeping host woke up, without waking it. */
  readonly lookAgain: (hostId: string) => void;
  readonly clock: Clock;
  readonly log: Log;
}

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

/** How a record reached us from an outbox. */
export interface OutboxReceipt {
  readonly receivedAt: number;
  /** Collector clock minus the device's, measured on its connection; null: not known. */
  readonly clockOffsetMs: number | null;
  /** True when history went back since the record was made: what the ledger does not know is not executed. */
  readonly historyRestored?: boolean;
}

/** A commit that failed for the moment is tried again after this. */
const RETRY_MS = 500;

/**
 * Intents from receipt to their end. Each host has its line; an intent is judged when it comes and again whenever
 * something of its host changes, inside the transaction that claims it. Nothing reaches a host before `running` is on
 * disk, and only what was observed makes it `succeeded`.
 */
export class IntentService implements HealthSource {
  readonly #options: IntentServiceOptions;
  readonly #ledger: IntentLedger;
  readonly #line: IntentLine;
  readonly #runner: IntentRunner;
  /** Hosts that somebody waits for: a change of any other host is no news. */
  readonly #awaited = new Set<string>();
  readonly #due = new Set<string>();
  /** Ended runs whose end is not on disk yet. */
  readonly #unsettled = new Map<string, () => void>();
  #stops: (() => void)[] = [];
  #cancelExpiry: (() => void) | null = null;
  #cancelRetry: (() => void) | null = null;
  #stopped = true;

  constructor(options: IntentServiceOptions) {
    this.#options = options;
    const { docHost, store, audit, clock, observer, pauses, lookAgain, log } = options;
    this.#ledger = new IntentLedger({ docHost, intents: store.intents, audit, clock });
    this.#line = new IntentLine(options);
    this.#runner = new IntentRunner({
      observer,
      pauses,
      lookAgain,
      clock,
      log,
      onEnd: (intent, outcome, access) => this.#settle(intent, outcome, access),
      onSay: (id, words) =>
        this.#attempt(() => this.#ledger.commit((to) => to.describe(id, words ?? NO_WORDS))),
    });
  }

  /** Takes up what an earlier process left, then everything that waits. Call when hosts are about to be connected. */
  start(): void {
    const { docHost, observer, gate, clock } = this.#options;
    this.#stopped = false;
    this.#stops = [
      docHost.onRecovered(() => this.#recovered()),
      observer.onChange((hostId) => {
        if (this.#awaited.has(hostId)) this.#pumpSoon(hostId);
      }),
    ];
    this.#attempt(() => {
      gate.start();
      this.#takeUp(clock.now());
    });
    this.#attempt(() => this.recheck());
  }

  /** Stops at once; what runs is found again at the next start. */
  stop(): void {
    this.#stopped = true;
    for (const stop of this.#stops) stop();
    this.#cancelExpiry?.();
    this.#cancelRetry?.();
    this.#runner.stop();
    this.#options.gate.stop();
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
    if (cancelled.outcome === 'cancelled') this.#pumpSoon(cancelled.view.target.hostId);
    return cancelled;
  }

  /** The intent as the ledger has it; null when it is not known. */
  view(id: string): IntentView | null {
    return this.#options.store.intents.get(id)?.view ?? null;
  }

  /** Looks at everything that waits, as after a role or a host's registration changed. */
  recheck(): void {
    const { store } = this.#options;
    for (const { request } of store.intents.open()) this.#pumpSoon(request.target.hostId);
  }

  /** One check: what waits, and what could not be written. */
  health(): readonly HealthCheck[] {
    const { store, clock } = this.#options;
    return [intentHealth(store.intents, this.#unsettled.size, clock.now())];
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
      return this.#line.judge(request.id, changes, { arriving: true });
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
    if (taken.claim) this.#begin(taken.claim);
    this.#pumpSoon(taken.view.target.hostId);
    return { outcome: 'new', view: this.view(id) ?? taken.view };
  }

  /** Commits `running`, and only then lets it act. */
  #begin({ intent, rules, host, lease, aborted }: Claim): void {
    const { gate, clock } = this.#options;
    if (aborted !== null) this.#runner.drop(aborted);
    const access = gate.enter(host, lease);
    const { id } = intent.view;
    const started = this.#attempt(() =>
      this.#ledger.commit((changes) => access.holds() && changes.step(id, 'start', NO_WORDS)),
    );
    if (started !== true) {
      // Nothing has happened yet: it goes back into its line as soon as that can be written.
      access.leave();
      this.#retryLater();
      return;
    }
    this.#runner.begin({ intent, rules, host, access, startedAt: clock.now(), resumed: false });
  }

  #settle(intent: ReadableIntent, outcome: Outcome, access: HostAccess): void {
    const { store, registry, gate } = this.#options;
    const { id } = intent.view;
    const event = ({ succeeded: 'succeed', failed: 'fail', unknown: 'loseTrack' } as const)[outcome.state];
    const write = (): void => {
      this.#ledger.commit((changes) => {
        const words = { code: outcome.code, reason: outcome.reason, evidence: outcome.evidence ?? null };
        changes.step(id, event, withCompany(intent, words, store.intents, registry));
        gate.free(access.lease);
      });
      this.#unsettled.delete(id);
      access.leave();
      this.#pumpSoon(intent.request.target.hostId);
    };
    this.#unsettled.set(id, write);
    this.#attempt(write);
  }

  /** Claimed ones go back into their line; running ones are settled by what is found. */
  #takeUp(now: number): void {
    const { store, registry, observer, gate, log } = this.#options;
    for (const intent of store.intents.open()) {
      const { id, state, transitions } = intent.view;
      if (this.#runner.has(id) || this.#unsettled.has(id) || isUnclaimed(state)) continue;
      if (state === 'claimed') {
        this.#ledger.commit((changes) => {
          changes.step(id, 'release', {
            code: 'released',
            reason: 'Nothing had been sent yet.',
            evidence: null,
          });
          const lease = store.intents.lease(intent.request.target.hostId);
          if (lease?.holder === id) gate.free(lease);
        });
        continue;
      }
      const rules = registry[intent.request.kind];
      const host = observer.facts(intent.request.target.hostId)?.host ?? null;
      log.warn({ intentId: id, kind: rules.kind }, 'an intent was running when the process ended');
      if (host === null) {
        const reason = 'The host was removed while it ran. What became of it is not known.';
        this.#ledger.commit((changes) =>
          changes.step(id, 'loseTrack', { code: 'host_removed', reason, evidence: null }),
        );
        continue;
      }
      const purpose = rules.label(intent.request);
      const lease =
        rules.lane === 'control'
          ? null
          : this.#ledger.commit(() => gate.grant({ hostId: host.id, holder: id, purpose }));
      const startedAt = transitions.findLast((step) => step.state === 'running')?.at ?? now;
      const access = gate.enter(host, lease);
      this.#runner.begin({ intent, rules, host, access, startedAt, resumed: true });
    }
  }

  #recovered(): void {
    for (const write of this.#unsettled.values()) this.#attempt(write);
    this.#attempt(() => this.#takeUp(this.#options.clock.now()));
    this.#attempt(() => this.recheck());
  }

  /** Soon, and once for all that happens in this turn: a change may be told from inside another one. */
  #pumpSoon(hostId: string | null): void {
    if (hostId === null || this.#stopped) return;
    const first = this.#due.size === 0;
    this.#due.add(hostId);
    if (first) queueMicrotask(() => this.#pumpDue());
  }

  #pumpDue(): void {
    const hosts = [...this.#due];
    this.#due.clear();
    if (this.#stopped) return;
    for (const hostId of hosts) this.#attempt(() => this.#pump(hostId));
    this.#attempt(() => this.#awaitExpiry());
  }

  #pump(hostId: string): void {
    const { store } = this.#options;
    for (const intent of store.intents.open(hostId)) {
      if (!isUnclaimed(intent.view.state)) continue;
      const claim = this.#ledger.commit((changes) =>
        this.#line.judge(intent.view.id, changes, { arriving: false }),
      );
      if (claim) this.#begin(claim);
    }
    const waits = store.intents.open(hostId).some(({ view }) => isUnclaimed(view.state));
    if (waits) this.#awaited.add(hostId);
    else this.#awaited.delete(hostId);
  }

  #awaitExpiry(): void {
    const { store, clock } = this.#options;
    this.#cancelExpiry?.();
    this.#cancelExpiry = null;
    const waiting = store.intents.open().filter(({ view }) => isUnclaimed(view.state));
    if (waiting.length === 0) return;
    const next = Math.min(...waiting.map(({ view }) => view.expiresAt));
    // A day at most: longer delays are no timers.
    this.#cancelExpiry = clock.after(Math.min(86_400_000, Math.max(0, next - clock.now())), () =>
      this.recheck(),
    );
  }

  /** Runs what writes; a store that fails is tried again, anything else is a fault of ours that must end nothing else. */
  #attempt<T>(work: () => T): T | null {
    try {
      return work();
    } catch (error) {
      const fields = { error: error instanceof Error ? (error.stack ?? error.message) : String(error) };
      if (error instanceof StoreError) this.#retryLater();
      else this.#options.log.error(fields, 'an intent could not be handled');
      return null;
    }
  }

  #retryLater(): void {
    if (this.#cancelRetry || this.#stopped) return;
    this.#cancelRetry = this.#options.clock.after(RETRY_MS, () => {
      this.#cancelRetry = null;
      // While the store is down its recovery says so; a database that was only busy says nothing.
      if (!this.#options.docHost.unavailable()) this.#recovered();
    });
  }
}
