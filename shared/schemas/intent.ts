import * as z from 'zod/mini';
import { epochMs, hostId, modelId } from './ids.ts';

/** States an intent can be in once the collector has it, in the order of its life. */
export const INTENT_STATES = [
  'received',
  'waiting',
  'claimed',
  'running',
  'succeeded',
  'failed',
  'unknown',
  'rejected',
  'expired',
  'cancelled',
  'superseded',
  'needs_confirmation',
] as const;
/** One of {@link INTENT_STATES}. */
export const intentState = z.enum(INTENT_STATES);
/** See {@link intentState}. */
export type IntentState = z.infer<typeof intentState>;

/** Every kind of intent that this version executes. */
export const INTENT_KINDS = [
  'model.load',
  'model.unload',
  'request.cancel',
  'profile.activate',
  'host.pause',
  'host.resume',
] as const;
/** One of {@link INTENT_KINDS}. */
export const intentKind = z.enum(INTENT_KINDS);
/** See {@link intentKind}. */
export type IntentKind = z.infer<typeof intentKind>;

/** Any UUID, in lower case; devices make version 7. It is the key that makes an intent happen at most once. */
export const intentId = z.guid('an intent id is a UUID').check(z.toLowerCase());

/** Nothing of an intent waits longer than this. */
export const SEVEN_DAYS_MS = 604_800_000;
/** Requests that run; the bound keeps a slip of the finger out. */
const count = z.int().check(z.minimum(0), z.maximum(1_000_000));

/** What must hold when the intent is claimed; a value that is not known does not hold. */
export const intentPrecondition = z.strictObject({
  /** The model is in one of these states. */
  modelState: z.optional(
    z
      .array(z.string().check(z.maxLength(64)))
      .check(z.minLength(1, 'name at least one state'), z.maxLength(8, 'at most 8 states')),
  ),
  /** At most this many requests run: of the model, or of the host where the target is no model. */
  inFlightMax: z.optional(count),
  /** No request ended for so long, and none runs. */
  idleForMs: z.optional(z.int().check(z.minimum(0), z.maximum(SEVEN_DAYS_MS))),
});

/** What a person agreed to when asked: this host, this model, so many running requests (null: count not known). */
export const intentConfirm = z.strictObject({
  hostId,
  modelId: z.optional(modelId),
  inFlight: z.nullable(count),
});
/** See {@link intentConfirm}. */
export type IntentConfirm = z.infer<typeof intentConfirm>;

/** What was known of the target at one moment; null is "not known". */
export const intentFacts = z.object({
  at: epochMs,
  liveness: z.nullable(z.string()),
  modelState: z.nullable(z.string()),
  inFlight: z.nullable(z.int()),
});
/** See {@link intentFacts}. */
export type IntentFacts = z.infer<typeof intentFacts>;

/** Why a state was reached, for whoever wants more than the sentence. */
export const intentEvidence = z.object({
  /** The target when the decision was taken, and when the intent ended. */
  checked: z.optional(intentFacts),
  observed: z.optional(intentFacts),
  /** The intent that this one waited for, was replaced by or stopped by. */
  byIntentId: z.optional(z.string()),
  /** What is ahead in the queue, or what fills it. */
  pending: z.optional(z.array(z.object({ id: z.string(), kind: z.string(), label: z.string() }))),
  /** Models of the host that a load waits for. */
  behind: z.optional(z.array(z.string())),
  /** What the host answered. */
  httpStatus: z.optional(z.int()),
  detail: z.optional(z.string()),
  /** Last log lines of a failed start, redacted. */
  lines: z.optional(z.array(z.string())),
  /** The same after the collector started anew: nothing was sent again. */
  afterRestart: z.optional(z.boolean()),
});
/** See {@link intentEvidence}. */
export type IntentEvidence = z.infer<typeof intentEvidence>;

/** One step of an intent's life; `by` names who caused it: a device or key by its label, or `collector`. */
export const intentTransition = z.object({ state: intentState, at: epochMs, by: z.string() });
/** See {@link intentTransition}. */
export type IntentTransition = z.infer<typeof intentTransition>;

/** What a person found out about an intent that ended `unknown`. It stays `unknown`: Drover itself did not see it. */
export const intentNote = z.object({ text: z.string(), by: z.string(), at: epochMs });
/** See {@link intentNote}. */
export type IntentNote = z.infer<typeof intentNote>;

/**
 * An intent as the ledger shows it: the fleet document's `ledger/<intentId>` entry and `GET /api/intents/:id`. `kind`,
 * `target` and `params` of one that was refused for its shape are what could be read of it. `code` is the machine's
 * word for `reason`, a sentence for a person; both are null where the state says it all. `createdAt` is on the
 * collector's clock.
 */
export const intentView = z.object({
  id: z.string(),
  kind: z.string().check(z.maxLength(64)),
  target: z.object({ hostId: z.nullable(z.string().check(z.maxLength(64))), modelId: z.optional(modelId) }),
  params: z.record(z.string(), z.unknown()),
  state: intentState,
  code: z.nullable(z.string()),
  reason: z.nullable(z.string()),
  evidence: z.nullable(intentEvidence),
  author: z.object({ kind: z.enum(['device', 'key']), id: z.string(), label: z.string() }),
  createdAt: epochMs,
  receivedAt: epochMs,
  expiresAt: epochMs,
  endedAt: z.nullable(epochMs),
  precondition: z.nullable(intentPrecondition),
  confirm: z.nullable(intentConfirm),
  whenDown: z.enum(['reject', 'wait']),
  supersedes: z.nullable(z.string()),
  transitions: z.array(intentTransition),
  /** Left out by an older collector. */
  note: z.optional(z.nullable(intentNote)),
});
/** See {@link intentView}. */
export type IntentView = z.infer<typeof intentView>;

const TERMINAL: ReadonlySet<IntentState> = new Set([
  'succeeded',
  'failed',
  'unknown',
  'rejected',
  'expired',
  'cancelled',
  'superseded',
  'needs_confirmation',
]);

/** True when nothing can change the state any more. */
export function isTerminal(state: IntentState): boolean {
  return TERMINAL.has(state);
}
