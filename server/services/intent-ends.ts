import type { IntentRequest } from '#shared/schemas/intent-request.ts';
import type { IntentRules, Outcome } from '../domain/intent-kind.ts';
import type { IntentStore, ReadableIntent } from '../domain/intent-ports.ts';
import type { HostAccess, HostGate } from './host-gate.ts';
import { withCompany } from './intent-company.ts';
import type { IntentLedger } from './intent-ledger.ts';

/** What writes ends is made of. */
export interface IntentEndsOptions {
  readonly intents: IntentStore;
  readonly ledger: IntentLedger;
  readonly registry: Readonly<Record<IntentRequest['kind'], IntentRules>>;
  readonly gate: HostGate;
  /** Runs what writes, and sees to it when it fails. */
  readonly attempt: (work: () => void) => void;
  /** Called when an end is on disk: the host is free for the next. */
  readonly onEnded: (hostId: string) => void;
}

const EVENTS = { succeeded: 'succeed', failed: 'fail', unknown: 'loseTrack' } as const;

/** Writes what came of what ran. An end that cannot be written is kept, and written when the store works again. */
export class IntentEnds {
  readonly #options: IntentEndsOptions;
  /** Ended runs whose end is not on disk yet. */
  readonly #unwritten = new Map<string, () => void>();

  constructor(options: IntentEndsOptions) {
    this.#options = options;
  }

  /** How many ends are not on disk. */
  get unwritten(): number {
    return this.#unwritten.size;
  }

  /** True for an intent that has ended, though its row does not say so yet. */
  has(intentId: string): boolean {
    return this.#unwritten.has(intentId);
  }

  /** Writes an end; the lease is given back in the same transaction. */
  settle(intent: ReadableIntent, outcome: Outcome, access: HostAccess): void {
    const { intents, ledger, registry, gate, attempt, onEnded } = this.#options;
    const { id } = intent.view;
    const write = (): void => {
      ledger.commit((changes) => {
        const words = { code: outcome.code, reason: outcome.reason, evidence: outcome.evidence ?? null };
        changes.step(id, EVENTS[outcome.state], withCompany(intent, words, intents, registry));
        gate.free(access.lease, changes);
      });
      this.#unwritten.delete(id);
      access.leave();
      onEnded(intent.request.target.hostId);
    };
    this.#unwritten.set(id, write);
    attempt(write);
  }

  /** Tries again what could not be written. */
  retry(): void {
    for (const write of this.#unwritten.values()) this.#options.attempt(write);
  }
}
