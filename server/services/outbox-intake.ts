import { FrameAllowance, type FrameRate } from '#sync/frame-allowance.ts';
import type { OutboxRecords } from '#sync/outbox-check.ts';
import type { Identity } from '../domain/identity.ts';
import { isOfLostHistory } from '../domain/outbox-policy.ts';
import type { Clock, Log } from '../domain/ports.ts';
import { StoreError } from '../domain/store-error.ts';
import { AppError } from '../errors.ts';
import type { IntentService } from './intent-service.ts';

/** When and how an update came. */
export interface WriteReceipt {
  /** Collector time when its frame arrived. */
  readonly receivedAt: number;
  /** Collector clock minus the device's, as last said on its connection; null: not known. */
  readonly clockOffsetMs: number | null;
}

/** What an intake is made of. */
export interface IntakeOptions {
  readonly intents: Pick<IntentService, 'receive' | 'cancel'>;
  readonly clock: Clock;
  readonly log: Log;
}

/** Records that an owner may bring: more than an outbox holds at once, and then more than anybody asks for. */
const RECORD_RATE: FrameRate = { burstFrames: 1024, framesPerSecond: 100 };

/** What others get in between: a turn of the loop, or a while until the owner may bring more. */
export type Pause = 'turn' | 'rest';

/** A device that was away brings hundreds of records, each a commit: others have their turn in between. */
const TURN_MS = 10;

/** Gives records of an outbox to the ledger, which takes each id once however often it comes. */
export class OutboxIntake {
  readonly #options: IntakeOptions;
  /** By owner, not by epoch: a new one must not be a way to bring more. */
  readonly #allowances = new Map<string, FrameAllowance>();

  constructor(options: IntakeOptions) {
    this.#options = options;
  }

  /**
   * Cancels first, so that one that comes with its intent wins. Yields whenever others should have their turn, or the
   * owner has brought too much; throws `StoreError` when the ledger cannot take a record now.
   */
  *take(
    update: { readonly intents: OutboxRecords; readonly cancels: OutboxRecords },
    receipt: WriteReceipt & { readonly floor: number },
    author: () => Identity,
  ): Generator<Pause> {
    const { intents, clock } = this.#options;
    const allowance = this.#allowanceOf(author().id);
    const { receivedAt, clockOffsetMs, floor } = receipt;
    let began = performance.now();
    const steps = [
      ...update.cancels.map(([id]) => ({ id, run: () => intents.cancel(id, author()) })),
      ...update.intents.map(([id, record]) => {
        const historyRestored = isOfLostHistory(record, floor);
        const how = { receivedAt, clockOffsetMs, historyRestored };
        return { id, run: () => intents.receive(id, record, author(), how) };
      }),
    ];
    for (const { id, run } of steps) {
      while (!allowance.takes(clock.now())) yield 'rest';
      this.#attempt(id, run);
      if (performance.now() - began < TURN_MS) continue;
      yield 'turn';
      began = performance.now();
    }
  }

  /** Says what went wrong. `isPassing`: the same will go through later. */
  failed(error: unknown, document: string): { readonly isPassing: boolean } {
    const isPassing = error instanceof AppError;
    const said = error instanceof Error ? (error.stack ?? error.message) : String(error);
    if (!isPassing) this.#options.log.error({ document, error: said }, 'an outbox could not be read');
    return { isPassing };
  }

  #allowanceOf(ownerId: string): FrameAllowance {
    const known = this.#allowances.get(ownerId);
    if (known) return known;
    const allowance = new FrameAllowance(RECORD_RATE, this.#options.clock.now());
    this.#allowances.set(ownerId, allowance);
    return allowance;
  }

  #attempt(id: string, run: () => { readonly outcome: string }): void {
    try {
      const { outcome } = run();
      if (outcome !== 'foreign') return;
      this.#options.log.warn({ intentId: id }, 'an intent came whose id belongs to somebody else');
    } catch (error) {
      if (error instanceof StoreError) throw error;
      // A fault of ours in one record must not hold up the ones behind it.
      const said = error instanceof Error ? (error.stack ?? error.message) : String(error);
      this.#options.log.error({ intentId: id, error: said }, 'a record could not be handled');
    }
  }
}
