import * as z from 'zod/mini';

const known = z.nullable(z.int().check(z.minimum(0)));
const measured = z.nullable(z.number());

/** A piece of a turn, in the order in which it was written. Arguments of a tool call are text as the model wrote it. */
export const turnPart = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('text'), text: z.string() }),
  z.object({ kind: z.literal('reasoning'), text: z.string() }),
  z.object({
    kind: z.literal('tool-call'),
    callId: z.nullable(z.string()),
    name: z.string(),
    arguments: z.string(),
  }),
  z.object({ kind: z.literal('tool-result'), callId: z.nullable(z.string()), text: z.string() }),
  /** An image, a sound, a file: never shown as text. */
  z.object({ kind: z.literal('media'), mediaType: z.nullable(z.string()), detail: z.nullable(z.string()) }),
]);
/** See {@link turnPart}. */
export type TurnPart = z.infer<typeof turnPart>;

/** What one side said, with the role as the request or answer names it. */
export const completionTurn = z.object({ role: z.string(), parts: z.array(turnPart) });
/** See {@link completionTurn}. */
export type CompletionTurn = z.infer<typeof completionTurn>;

/** Tokens as the answer itself reports them; null: it does not say. */
export const completionUsage = z.object({
  inputTokens: known,
  outputTokens: known,
  cachedTokens: known,
  reasoningTokens: known,
});
/** See {@link completionUsage}. */
export type CompletionUsage = z.infer<typeof completionUsage>;

/** How long llama.cpp says that it took, by its own clock. */
export const completionTimings = z.object({
  promptMs: measured,
  predictedMs: measured,
  promptPerSecond: measured,
  predictedPerSecond: measured,
});
/** See {@link completionTimings}. */
export type CompletionTimings = z.infer<typeof completionTimings>;

/** An answer put together from its frames or its JSON, as far as it could be read. */
export const completionAnswer = z.object({
  /** One for each choice. */
  turns: z.array(completionTurn),
  /** Why the model stopped, in its server's own word. */
  finishReason: z.nullable(z.string()),
  usage: z.nullable(completionUsage),
  timings: z.nullable(completionTimings),
  /** An error the answer itself tells of. */
  error: z.nullable(z.string()),
  /** What could not be read, in sentences. */
  notes: z.array(z.string()),
  /** Frames of a stream; null: it was none. */
  frameCount: known,
});
/** See {@link completionAnswer}. */
export type CompletionAnswer = z.infer<typeof completionAnswer>;
