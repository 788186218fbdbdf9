import { setImmediate } from 'node:timers/promises';
import type { HealthCheck } from '#shared/schemas/info.ts';
import { auditCheck, type AuditFacts } from '../domain/health/audit-check.ts';
import type { Clock, HealthSource, Log } from '../domain/ports.ts';
import { RepeatedWork } from './repeated-work.ts';

/** What the watch over the audit log needs. */
export interface AuditWatchOptions {
  /** Verifies the whole log, a part at each step. */
  readonly walk: () => Iterator<void, { readonly records: number; readonly problem: string | null }>;
  readonly clock: Clock;
  readonly log: Log;
}

const HOUR_MS = 3_600_000;

/** Verifies the chain of the audit log at start and every hour, between other things; health says what it found. */
export class AuditWatch implements HealthSource {
  readonly #options: AuditWatchOptions;
  #facts: AuditFacts | null = null;
  readonly #work: RepeatedWork;

  constructor(options: AuditWatchOptions) {
    this.#options = options;
    this.#work = new RepeatedWork({ clock: options.clock, everyMs: HOUR_MS }, (isStopped) =>
      this.#verify(isStopped),
    );
  }

  start(): void {
    this.#work.start();
  }

  /** Ends after the step under way. */
  stop(): Promise<void> {
    return this.#work.stop();
  }

  /** Resolves when no walk is under way. */
  settled(): Promise<void> {
    return this.#work.settled();
  }

  health(): readonly HealthCheck[] {
    return [auditCheck(this.#facts, this.#options.clock.now())];
  }

  async #verify(isStopped: () => boolean): Promise<void> {
    const { walk, clock, log } = this.#options;
    try {
      const steps = walk();
      for (;;) {
        const step = steps.next();
        if (step.done === true) {
          this.#facts = { ...step.value, at: clock.now() };
          if (step.value.problem !== null) log.error({ ...step.value }, 'the audit log is not whole');
          return;
        }
        await setImmediate();
        if (isStopped()) return;
      }
    } catch (error) {
      // A database that cannot be read has a check of its own; what was found before stays, with its age.
      log.warn({ error: String(error) }, 'the audit log could not be verified');
    }
  }
}
