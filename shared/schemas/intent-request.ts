import { _default as withDefault } from 'zod/mini';
import * as z from 'zod/mini';
import { epochMs, hostId, modelId } from './ids.ts';
import { intentConfirm, intentId, intentPrecondition, SEVEN_DAYS_MS } from './intent.ts';

const modelTarget = z.strictObject({ hostId, modelId });
const modelOrHostTarget = z.strictObject({ hostId, modelId: z.optional(modelId) });
const hostTarget = z.strictObject({ hostId });
const noParams = withDefault(z.strictObject({}), {});

const common = {
  id: intentId,
  precondition: z.optional(intentPrecondition),
  confirm: z.optional(intentConfirm),
  /** How long it is worth something, from its creation; left out: as long as its kind says. At most 7 days. */
  ttlMs: z.optional(
    z.int().check(z.minimum(1_000, 'at least 1,000 ms'), z.maximum(SEVEN_DAYS_MS, 'at most 7 days')),
  ),
  /** What to do while the host cannot be reached; left out: `reject`. */
  whenDown: withDefault(z.enum(['reject', 'wait']), 'reject'),
  /** An earlier intent that this one replaces; for an unload also the running load that it stops. */
  supersedes: z.optional(intentId),
};

const load = z.strictObject({
  ...common,
  kind: z.literal('model.load'),
  target: modelTarget,
  params: noParams,
});
const unload = z.strictObject({
  ...common,
  kind: z.literal('model.unload'),
  target: modelOrHostTarget,
  params: withDefault(z.strictObject({ all: z.optional(z.literal(true)) }), {}),
});
const cancelRequest = z.strictObject({
  ...common,
  kind: z.literal('request.cancel'),
  target: modelOrHostTarget,
  params: z.strictObject({
    requestId: z.string().check(z.minLength(1, 'a request has an id'), z.maxLength(128)),
  }),
});
const activateProfile = z.strictObject({
  ...common,
  kind: z.literal('profile.activate'),
  target: hostTarget,
  params: z.strictObject({
    name: z.nullable(z.string().check(z.minLength(1, 'null is no profile'), z.maxLength(256))),
  }),
});
const pause = z.strictObject({
  ...common,
  kind: z.literal('host.pause'),
  target: hostTarget,
  /** `untilMs`: when it resumes by itself, epoch milliseconds. */
  params: withDefault(z.strictObject({ untilMs: z.optional(epochMs) }), {}),
});
const resume = z.strictObject({
  ...common,
  kind: z.literal('host.resume'),
  target: hostTarget,
  params: noParams,
});

const oneModelOrAll = z.refine<{
  readonly target: { readonly modelId?: string | undefined };
  readonly params: { readonly all?: true | undefined };
}>(({ target, params }) => (target.modelId === undefined) === (params.all === true), {
  error: 'name a model, or say `all`, not both',
  path: ['target', 'modelId'],
});

/** Body of `POST /api/intents`. */
export const intentRequest = z.discriminatedUnion('kind', [
  load,
  unload.check(oneModelOrAll),
  cancelRequest,
  activateProfile,
  pause,
  resume,
]);
/** See {@link intentRequest}. */
export type IntentRequest = z.output<typeof intentRequest>;

/** Bytes of a record as JSON, at most: a device refuses a larger one before it queues it. */
export const INTENT_RECORD_MAX_BYTES = 8 * 1024;

const madeOnDevice = {
  v: z.literal(1),
  /** On the device's clock. */
  createdAt: epochMs,
  /** Collector time of what the operator was looking at; null: nothing was known. */
  seenAt: withDefault(z.nullable(epochMs), null),
  /** Epoch of the outbox it was made in. */
  epoch: z.int().check(z.minimum(1)),
};

/** A record as a device keeps it in its outbox: the request, and when and in which outbox it was made. */
export const intentRecord = z.discriminatedUnion('kind', [
  z.extend(load, madeOnDevice),
  z.extend(unload, madeOnDevice).check(oneModelOrAll),
  z.extend(cancelRequest, madeOnDevice),
  z.extend(activateProfile, madeOnDevice),
  z.extend(pause, madeOnDevice),
  z.extend(resume, madeOnDevice),
]);
/** See {@link intentRecord}. */
export type IntentRecord = z.output<typeof intentRecord>;

/** A wish to cancel, as a device keeps it in its outbox under the id of the intent. */
export const cancelRecord = z.strictObject({
  v: z.literal(1),
  /** On the device's clock. */
  createdAt: epochMs,
});
/** See {@link cancelRecord}. */
export type CancelRecord = z.output<typeof cancelRecord>;

/** Body of `POST /api/intents/:id/note`. */
export const intentNoteCreate = z.strictObject({
  text: z
    .string()
    .check(z.trim(), z.minLength(1, 'a note says something'), z.maxLength(500, 'at most 500 characters')),
});
