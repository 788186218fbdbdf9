import type { Role } from '#shared/schemas/auth.ts';
import type { IntentEvidence, IntentKind } from '#shared/schemas/intent.ts';
import type { IntentRequest } from '#shared/schemas/intent-request.ts';
import type { HostFacts } from './host-facts.ts';
import type { LlamaSwapControl } from './intent-ports.ts';
import type { Clock, HostConfig } from './ports.ts';

/** The request of one kind. */
export type RequestOf<K extends IntentKind> = Extract<IntentRequest, { readonly kind: K }>;

/** Why a target cannot be acted on. */
export interface Refusal {
  readonly code: string;
  readonly reason: string;
}

/** What a person has to agree to before it is done. */
export interface ConfirmNeed {
  /** Requests that would be cut; null: not known. */
  readonly inFlight: number | null;
  /** It would wake a sleeping machine: then the count does not matter. */
  readonly wakes: boolean;
  /** What speaks against it, as the middle of a sentence: `2 requests were running`. */
  readonly because: string;
}

/** How it ended. `unknown`: the effect may have happened, and nothing says so. */
export interface Outcome {
  readonly state: 'succeeded' | 'failed' | 'unknown';
  readonly code: string | null;
  readonly reason: string;
  readonly evidence?: IntentEvidence;
}

/** Registry changes that an intent may make. */
export interface PauseControl {
  /** Pauses monitoring until a time (null: until somebody resumes it), or resumes it. Throws what the store throws. */
  setPaused(hostId: string, paused: boolean, untilMs: number | null): void;
}

/** What an executor works with; all of it goes through the host's gate. */
export interface Effect<K extends IntentKind = IntentKind> {
  readonly request: RequestOf<K>;
  readonly host: HostConfig;
  readonly control: LlamaSwapControl;
  readonly pauses: PauseControl;
  readonly clock: Clock;
  /** When `running` was committed. */
  readonly startedAt: number;
  /** Aborted when the intent is over by other means: its deadline, somebody who stops it, the end of the process. */
  readonly signal: AbortSignal;
  readonly facts: () => HostFacts | null;
  /** Looks soon whether a sleeping host woke up. */
  readonly lookAgain: () => void;
  /** The first value that `pick` finds as facts change; null when `timeoutMs` passed or the signal was aborted. */
  until<T>(pick: (facts: HostFacts) => T | null, timeoutMs: number): Promise<T | null>;
  /** Says what it is doing: the words of `running`. Null takes them back. */
  say(
    words: { readonly code: string; readonly reason: string; readonly evidence: IntentEvidence } | null,
  ): void;
}

/** A kind of intent: its rules, and how it is done. */
export interface KindDefinition<K extends IntentKind> {
  readonly role: Role;
  /** How long it is worth something when it does not say. */
  readonly ttlMs: number;
  /** How long it may run. */
  readonly deadlineMs: number;
  /** `control` passes the queue and the lease: what it stops must not hold it up. */
  readonly lane: 'queue' | 'control';
  /** Done twice is done once: after a crash it is settled by what is found. */
  readonly idempotent: boolean;
  /** What it acts on: the host, or only what Drover keeps of it. */
  readonly actsOn: 'host' | 'registry';
  /** It may be sent to a host that sleeps, after a confirmation. */
  readonly mayWake: boolean;
  /** `Load coder`. */
  label(request: RequestOf<K>): string;
  /** `Not loaded`. */
  readonly notDone: string;
  /** Looks whether the target can be acted on at all. */
  check(request: RequestOf<K>, facts: HostFacts, now: number): Refusal | null;
  /** What must be confirmed as things stand; null: nothing. `aborts`: it stops a load that runs. */
  confirmation(request: RequestOf<K>, facts: HostFacts, aborts: boolean): ConfirmNeed | null;
  /** Does it, once, and resolves with what was observed. Expected failures are outcomes. */
  run(effect: Effect<K>): Promise<Outcome>;
  /** Settles what an earlier process began, from what is observed; sends nothing that has an effect. */
  resume(effect: Effect<K>): Promise<Outcome>;
}

/** A kind with its type erased: every method takes any request and is given its own kind only. */
export interface IntentRules extends Omit<
  KindDefinition<IntentKind>,
  'label' | 'check' | 'confirmation' | 'run' | 'resume'
> {
  readonly kind: IntentKind;
  label(request: IntentRequest): string;
  check(request: IntentRequest, facts: HostFacts, now: number): Refusal | null;
  confirmation(request: IntentRequest, facts: HostFacts, aborts: boolean): ConfirmNeed | null;
  run(effect: Effect): Promise<Outcome>;
  resume(effect: Effect): Promise<Outcome>;
}

/** Makes the entry of the registry. */
export function defineKind<K extends IntentKind>(kind: K, definition: KindDefinition<K>): IntentRules {
  const own = (request: IntentRequest): RequestOf<K> => {
    if (!isOfKind(request, kind)) throw new Error(`a ${request.kind} was given to ${kind}`);
    return request;
  };
  const ownEffect = (effect: Effect): Effect<K> => ({ ...effect, request: own(effect.request) });
  return {
    ...definition,
    kind,
    label: (request) => definition.label(own(request)),
    check: (request, facts, now) => definition.check(own(request), facts, now),
    confirmation: (request, facts, aborts) => definition.confirmation(own(request), facts, aborts),
    run: (effect) => definition.run(ownEffect(effect)),
    resume: (effect) => definition.resume(ownEffect(effect)),
  };
}

function isOfKind<K extends IntentKind>(request: IntentRequest, kind: K): request is RequestOf<K> {
  return request.kind === kind;
}
