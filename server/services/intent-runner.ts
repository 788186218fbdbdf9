import type { IntentEvidence } from '#shared/schemas/intent.ts';
import { evidenceOf, type HostFacts, type HostObserver } from '../domain/host-facts.ts';
import type { Effect, IntentRules, Outcome, PauseControl } from '../domain/intent-kind.ts';
import type { ReadableIntent } from '../domain/intent-ports.ts';
import { spanWords } from '../domain/intent-words.ts';
import type { Clock, HostConfig, Log } from '../domain/ports.ts';
import type { HostAccess } from './host-gate.ts';

/** While something is awaited it is looked at this often, changes or not. */
const LOOK_PERIOD_MS = 1_000;
/** Timers take no longer delay; what waits longer is ended by its deadline. */
const MAX_TIMER_MS = 2 ** 31 - 1;
/** What a crash cut off gets at least so long to show what became of it. */
const RESUME_AT_LEAST_MS = 60_000;

/** What a runner is made of. */
export interface IntentRunnerOptions {
  readonly observer: HostObserver;
  readonly pauses: PauseControl;
  readonly lookAgain: (hostId: string) => void;
  readonly clock: Clock;
  readonly log: Log;
  /** Takes how an intent ended; called once for each that was begun and not dropped. */
  readonly onEnd: (intent: ReadableIntent, outcome: Outcome, access: HostAccess) => void;
  /** Takes what a running intent says of itself. */
  readonly onSay: (intentId: string, words: Parameters<Effect['say']>[0]) => void;
}

/** An intent whose `running` is committed, and what it runs with. */
export interface Begun {
  readonly intent: ReadableIntent;
  readonly rules: IntentRules;
  readonly host: HostConfig;
  readonly access: HostAccess;
  readonly startedAt: number;
  /** An earlier process began it: nothing is sent again. */
  readonly resumed: boolean;
}

interface Run extends Begun {
  readonly abort: AbortController;
  over: boolean;
  cancelDeadline: () => void;
}

/** Does what was claimed, each under a deadline of its own. It ends exactly once: observed, failed, late, or dropped. */
export class IntentRunner {
  readonly #options: IntentRunnerOptions;
  readonly #runs = new Map<string, Run>();

  constructor(options: IntentRunnerOptions) {
    this.#options = options;
  }

  has(intentId: string): boolean {
    return this.#runs.has(intentId);
  }

  begin(begun: Begun): void {
    const { clock } = this.#options;
    const run: Run = { ...begun, abort: new AbortController(), over: false, cancelDeadline: () => {} };
    this.#runs.set(run.intent.view.id, run);
    const left = run.startedAt + run.rules.deadlineMs - clock.now();
    const deadlineMs = run.resumed ? Math.max(left, RESUME_AT_LEAST_MS) : left;
    run.cancelDeadline = clock.after(deadlineMs, () => this.#end(run, this.#late(run)));
    run.access.lost.addEventListener('abort', () => this.#end(run, leaseLost()));
    // Not within the caller's turn: what follows a claim is committed before anything reaches a host.
    queueMicrotask(() => void this.#perform(run));
  }

  async #perform(run: Run): Promise<void> {
    if (run.over) return;
    const effect = this.#effectOf(run);
    try {
      this.#end(run, run.resumed ? await run.rules.resume(effect) : await run.rules.run(effect));
    } catch (error) {
      // What a run still does after its end, with its connections gone, is of no account.
      if (run.over) return;
      this.#options.log.error(
        { intentId: run.intent.view.id, error: describe(error) },
        'doing an intent threw',
      );
      this.#end(run, {
        state: 'unknown',
        code: 'fault',
        reason: 'Something failed inside Drover while it ran; the log has the details. Nothing was repeated.',
      });
    }
  }

  /** Forgets a run that was ended by somebody else; what it still does is of no account. */
  drop(intentId: string): void {
    const run = this.#runs.get(intentId);
    if (run) this.#close(run)?.leave();
  }

  /** Leaves everything as it is: `running` intents are settled by what the next process finds. */
  stop(): void {
    for (const id of this.#runs.keys()) this.drop(id);
  }

  #end(run: Run, outcome: Outcome): void {
    const access = this.#close(run);
    if (!access) return;
    const { clock, observer, onEnd } = this.#options;
    const { target } = run.intent.request;
    const modelId = 'modelId' in target ? (target.modelId ?? null) : null;
    const observed = evidenceOf(observer.facts(target.hostId), modelId, clock.now());
    const evidence: IntentEvidence = { ...run.intent.view.evidence, ...outcome.evidence, observed };
    delete evidence.pending;
    delete evidence.behind;
    onEnd(run.intent, { ...outcome, evidence }, access);
  }

  #close(run: Run): HostAccess | null {
    if (run.over) return null;
    run.over = true;
    this.#runs.delete(run.intent.view.id);
    run.cancelDeadline();
    run.abort.abort();
    return run.access;
  }

  #late(run: Run): Outcome {
    const { observer, clock } = this.#options;
    const took = spanWords(clock.now() - run.startedAt);
    const facts = observer.facts(run.host.id);
    if (run.rules.idempotent && facts?.current === true) {
      return {
        state: 'failed',
        code: 'deadline',
        reason: `It was not done after ${took}; Drover gave up on it.`,
      };
    }
    const why = run.resumed
      ? 'The collector stopped after sending it; nothing was repeated.'
      : `Nothing was seen of it for ${took}.`;
    return { state: 'unknown', code: 'deadline', reason: `${why} What became of it is not known.` };
  }

  #effectOf(run: Run): Effect {
    const { observer, pauses, clock, onSay } = this.#options;
    const { id } = run.intent.view;
    const { hostId } = run.intent.request.target;
    return {
      request: run.intent.request,
      host: run.host,
      control: run.access.control,
      pauses,
      clock,
      startedAt: run.startedAt,
      signal: run.abort.signal,
      facts: () => observer.facts(hostId),
      lookAgain: () => this.#options.lookAgain(hostId),
      until: (pick, timeoutMs) => this.#until(run, pick, timeoutMs),
      // Later: it is said from inside what a connector tells.
      say: (words) => queueMicrotask(() => void (run.over || onSay(id, words))),
    };
  }

  #until<T>(run: Run, pick: (facts: HostFacts) => T | null, timeoutMs: number): Promise<T | null> {
    const { observer, clock } = this.#options;
    const { hostId } = run.intent.request.target;
    return new Promise((resolve, reject) => {
      const cancels: (() => void)[] = [];
      const end = (value: T | null): void => {
        for (const cancel of cancels.splice(0)) cancel();
        resolve(value);
      };
      const look = (): void => {
        try {
          const facts = observer.facts(hostId);
          const found = facts && pick(facts);
          if (found !== null) end(found);
        } catch (error) {
          end(null);
          reject(error);
        }
      };
      if (run.abort.signal.aborted) return end(null);
      const onAbort = (): void => end(null);
      run.abort.signal.addEventListener('abort', onAbort);
      cancels.push(
        () => run.abort.signal.removeEventListener('abort', onAbort),
        observer.onChange((changed) => void (changed === hostId && look())),
        clock.every(LOOK_PERIOD_MS, look),
      );
      if (timeoutMs <= MAX_TIMER_MS) cancels.push(clock.after(timeoutMs, () => end(null)));
      look();
    });
  }
}

function leaseLost(): Outcome {
  return {
    state: 'unknown',
    code: 'lease_lost',
    reason: 'The right to act on the host went to another while it ran. What became of it is not known.',
  };
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
