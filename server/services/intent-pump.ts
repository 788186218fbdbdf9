import { isUnclaimed } from '../domain/intent-lifecycle.ts';
import type { IntentStore } from '../domain/intent-ports.ts';
import type { Clock } from '../domain/ports.ts';
import type { IntentLedger } from './intent-ledger.ts';
import type { Claim, IntentLine } from './intent-line.ts';

/** What a pump is made of. */
export interface IntentPumpOptions {
  readonly intents: IntentStore;
  readonly ledger: IntentLedger;
  readonly line: IntentLine;
  readonly clock: Clock;
  /** Runs what writes, and sees to it when it fails. */
  readonly attempt: (work: () => void) => void;
  /** Takes what was claimed, after the commit. */
  readonly onClaim: (claim: Claim) => void;
}

/** Timers take no longer delay than a day here: what waits longer is looked at once more on the way. */
const LONGEST_WAIT_MS = 86_400_000;

/** Looks again at what waits: when something of its host changed, and when the next of them expires. */
export class IntentPump {
  readonly #options: IntentPumpOptions;
  /** Hosts that somebody waits for: a change of any other host is no news. */
  readonly #awaited = new Set<string>();
  readonly #due = new Set<string>();
  #cancelExpiry: (() => void) | null = null;
  #stopped = true;

  constructor(options: IntentPumpOptions) {
    this.#options = options;
  }

  start(): void {
    this.#stopped = false;
  }

  stop(): void {
    this.#stopped = true;
    this.#cancelExpiry?.();
  }

  /** A host changed; it matters while somebody waits for it. */
  changed(hostId: string): void {
    if (this.#awaited.has(hostId)) this.soon(hostId);
  }

  /** Soon, and once for all that happens in this turn: a change may be told from inside another one. */
  soon(hostId: string | null): void {
    if (hostId === null || this.#stopped) return;
    const first = this.#due.size === 0;
    this.#due.add(hostId);
    if (first) queueMicrotask(() => this.#pumpDue());
  }

  /** Looks soon at every host that has an open intent. */
  all(): void {
    for (const { request } of this.#options.intents.open()) this.soon(request.target.hostId);
  }

  #pumpDue(): void {
    const { attempt } = this.#options;
    const hosts = [...this.#due];
    this.#due.clear();
    if (this.#stopped) return;
    for (const hostId of hosts) attempt(() => this.#pump(hostId));
    attempt(() => this.#awaitExpiry());
  }

  #pump(hostId: string): void {
    const { intents, ledger, line, onClaim } = this.#options;
    for (const intent of intents.open(hostId)) {
      if (!isUnclaimed(intent.view.state)) continue;
      const claim = ledger.commit((changes) => line.judge(intent.view.id, changes, { arriving: false }));
      if (claim) onClaim(claim);
    }
    const waits = intents.open(hostId).some(({ view }) => isUnclaimed(view.state));
    if (waits) this.#awaited.add(hostId);
    else this.#awaited.delete(hostId);
  }

  #awaitExpiry(): void {
    const { intents, clock, attempt } = this.#options;
    this.#cancelExpiry?.();
    this.#cancelExpiry = null;
    const waiting = intents.open().filter(({ view }) => isUnclaimed(view.state));
    if (waiting.length === 0) return;
    const next = Math.min(...waiting.map(({ view }) => view.expiresAt));
    const delayMs = Math.min(LONGEST_WAIT_MS, Math.max(0, next - clock.now()));
    this.#cancelExpiry = clock.after(delayMs, () => attempt(() => this.all()));
  }
}
