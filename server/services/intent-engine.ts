import type { IntentRequest } from '#shared/schemas/intent-request.ts';
import type { HostObserver } from '../domain/host-facts.ts';
import type { IntentRules, PauseControl } from '../domain/intent-kind.ts';
import type { RoleSource } from '../domain/intent-ports.ts';
import type { Clock, Log } from '../domain/ports.ts';
import { StoreError } from '../domain/store-error.ts';
import type { Store } from '../domain/store-ports.ts';
import type { DocHost } from './doc-host.ts';
import type { HostGate } from './host-gate.ts';
import { IntentEnds } from './intent-ends.ts';
import { NO_WORDS, type IntentLedger, type LedgerChanges } from './intent-ledger.ts';
import { IntentLine, type Claim } from './intent-line.ts';
import { IntentPump } from './intent-pump.ts';
import { IntentRunner } from './intent-runner.ts';
import { takeUp } from './intent-takeup.ts';

/** What the engine is made of. */
export interface IntentEngineOptions {
  readonly docHost: Pick<DocHost, 'onRecovered' | 'unavailable'>;
  readonly store: Pick<Store, 'intents'>;
  readonly ledger: IntentLedger;
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

/** A commit that failed for the moment is tried again after this. */
const RETRY_MS = 500;

/** What happens to intents once they were received: judged, claimed, done, ended, and taken up again after a crash. */
export class IntentEngine {
  readonly #options: IntentEngineOptions;
  readonly #line: IntentLine;
  readonly #pump: IntentPump;
  readonly #ends: IntentEnds;
  readonly #runner: IntentRunner;
  #stops: (() => void)[] = [];
  #cancelRetry: (() => void) | null = null;
  #stopped = true;

  constructor(options: IntentEngineOptions) {
    this.#options = options;
    const { store, ledger, registry, gate, clock, observer, pauses, lookAgain, log } = options;
    const { intents } = store;
    const attempt = (work: () => void): void => void this.#attempt(work);
    this.#line = new IntentLine(options);
    this.#pump = new IntentPump({
      intents,
      ledger,
      line: this.#line,
      clock,
      attempt,
      onClaim: (claim) => this.begin(claim),
    });
    this.#ends = new IntentEnds({
      intents,
      ledger,
      registry,
      gate,
      attempt,
      onEnded: (hostId) => this.#pump.soon(hostId),
    });
    this.#runner = new IntentRunner({
      observer,
      pauses,
      lookAgain,
      clock,
      log,
      onEnd: (intent, outcome, access) => this.#ends.settle(intent, outcome, access),
      onSay: (id, words) => attempt(() => ledger.commit((to) => to.describe(id, words ?? NO_WORDS))),
    });
  }

  /** How many ends are not on disk yet. */
  get unwritten(): number {
    return this.#ends.unwritten;
  }

  /** Takes up what an earlier process left, then everything that waits. */
  start(): void {
    const { docHost, observer, gate } = this.#options;
    this.#stopped = false;
    this.#pump.start();
    this.#stops = [
      docHost.onRecovered(() => this.#recovered()),
      observer.onChange((hostId) => this.#pump.changed(hostId)),
    ];
    this.#attempt(() => {
      gate.start();
      this.#takeUp();
    });
    this.#attempt(() => this.recheck());
  }

  /** Stops at once; what runs is found again at the next start. */
  stop(): void {
    this.#stopped = true;
    for (const stop of this.#stops) stop();
    this.#pump.stop();
    this.#cancelRetry?.();
    this.#runner.stop();
    this.#options.gate.stop();
  }

  /** Judges one that was just received, inside the commit that keeps it. A claim is to be begun after that commit. */
  judge(id: string, changes: LedgerChanges): Claim | null {
    return this.#line.judge(id, changes, { arriving: true });
  }

  /** Commits `running`, and only then lets it act. */
  begin({ intent, rules, host, lease, aborted }: Claim): void {
    const { gate, clock, ledger } = this.#options;
    if (aborted !== null) this.#runner.drop(aborted);
    const access = gate.enter(host, lease);
    const { id } = intent.view;
    const started = this.#attempt(() =>
      ledger.commit((changes) => access.holds() && changes.step(id, 'start', NO_WORDS)),
    );
    if (started !== true) {
      // Nothing has happened yet: it goes back into its line as soon as that can be written.
      access.leave();
      this.#retryLater();
      return;
    }
    this.#runner.begin({ intent, rules, host, access, startedAt: clock.now(), resumed: false });
  }

  /** Looks soon at the line of a host. */
  lookSoon(hostId: string | null): void {
    this.#pump.soon(hostId);
  }

  /** Looks soon at everything that waits. */
  recheck(): void {
    this.#pump.all();
  }

  #takeUp(): void {
    takeUp({
      ...this.#options,
      isOurs: (id) => this.#runner.has(id) || this.#ends.has(id),
      resume: (begun) => this.#runner.begin(begun),
    });
  }

  #recovered(): void {
    this.#ends.retry();
    this.#attempt(() => this.#takeUp());
    this.#attempt(() => this.recheck());
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
