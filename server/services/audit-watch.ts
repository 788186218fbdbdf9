import { setImmediate } from 'node:timers/promises';
import type { HealthCheck } from '#shared/schemas/info.ts';
import { auditCheck, type AuditFacts } from '../domain/health/audit-check.ts';
import type { Clock, HealthSource, Log } from '../domain/ports.ts';

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
  #running: Promise<void> | null = null;
  #stopped = true;
  #cancel: () => void = () => undefined;

  constructor(options: AuditWatchOptions) {
    this.#options = options;
  }

  start(): void {
    this.#stopped = false;
    this.#cancel = this.#options.clock.every(HOUR_MS, () => this.#kick());
    this.#kick();
  }

  /** Ends after the step under way. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#cancel();
    await this.#running;
  }

  /** Resolves when no walk is under way. */
  async settled(): Promise<void> {
    await this.#running;
  }

  health(): readonly HealthCheck[] {
    return [auditCheck(this.#facts, this.#options.clock.now())];
  }

  #kick(): void {
    if (this.#stopped) return;
    this.#running ??= this.#run().finally(() => {
      this.#running = null;
    });
  }

  async #run(): Promise<void> {
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
        if (this.#stopped) return;
      }
    } catch (error) {
      // A database that cannot be read has a check of its own; what was found before stays, with its age.
      log.warn({ error: String(error) }, 'the audit log could not be verified');
    }
  }
}
