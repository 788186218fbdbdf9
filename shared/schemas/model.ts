import { _default as withDefault } from 'zod/mini';
import * as z from 'zod/mini';
import { epochMs, hostId, modelId } from './ids.ts';

/** Most log lines that are kept with a failed start. */
export const MAX_FAILURE_LINES = 40;

/**
 * Why a model's last start failed: when, a sentence, and the log lines around it (redacted, oldest first).
 * `beforeRestart`: llama-swap itself was restarted since, so that it says nothing about now.
 */
export const failedStart = z.object({
  at: epochMs,
  reason: z.string(),
  lines: z.array(z.string()).check(z.maxLength(MAX_FAILURE_LINES)),
  beforeRestart: z.optional(z.boolean()),
});
/** See {@link failedStart}. */
export type FailedStart = z.infer<typeof failedStart>;

/**
 * A model as `GET /api/models` and the fleet document's `model/<hostId>/<modelId>` entry show it. `state` is
 * llama-swap's word (peers: `unknown`); `since` is when it began (null: before we looked); `observedAt` when the
 * collector last saw it; `failedStart` is set while the model is stopped because its last start failed. Fields with a
 * default may be missing from the document, where thousands of models would repeat the same nothing.
 */
export const model = z.object({
  hostId,
  modelId,
  name: z.string(),
  description: withDefault(z.string(), ''),
  state: z.string().check(z.maxLength(64)),
  since: z.nullable(epochMs),
  observedAt: epochMs,
  aliases: z.array(z.string()),
  peerId: z.nullable(z.string()),
  unlisted: z.boolean(),
  contextLength: withDefault(z.nullable(z.int()), null),
  capabilities: withDefault(z.array(z.string()), []),
  failedStart: withDefault(z.nullable(failedStart), null),
  /** How long llama-swap keeps it loaded after its last request; 0: for ever. Left out unless it is ready and this is known. */
  ttlMs: z.optional(z.int().check(z.minimum(0))),
});
/** See {@link model}. */
export type Model = z.infer<typeof model>;

/**
 * One observed state transition of a model. `from` is null when the change itself was not seen: then the model was found
 * in `to` at `at`, and what it was just before, or since when, nobody knows.
 */
export const modelEvent = z.object({
  type: z.literal('model-event'),
  hostId,
  modelId,
  at: epochMs,
  from: z.nullable(z.string()),
  to: z.string(),
  /** Set on a failed start only: the reason in words. */
  reason: z.nullable(z.string()),
  /** Log lines around a failed start, redacted, oldest first. Left out where there are none, and always in the tail. */
  lines: z.optional(z.array(z.string()).check(z.maxLength(MAX_FAILURE_LINES))),
});
/** See {@link modelEvent}. */
export type ModelEvent = z.infer<typeof modelEvent>;
