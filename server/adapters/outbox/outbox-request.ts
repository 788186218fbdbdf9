import { z } from 'zod';
import type { OutboxVerdict } from '#sync/outbox-check.ts';

const bytes = z.custom<Uint8Array>((value) => value instanceof Uint8Array);

/** What the thread of outboxes is asked. */
export const outboxRequest = z.discriminatedUnion('ask', [
  z.object({ ask: z.literal('judge'), state: z.nullable(bytes), update: bytes }),
  z.object({ ask: z.literal('diff'), state: z.nullable(bytes), vector: bytes }),
]);
/** See {@link outboxRequest}. */
export type OutboxRequest = z.output<typeof outboxRequest>;

/** Its answer. */
export type OutboxReply =
  | { readonly ask: 'judge'; readonly verdict: OutboxVerdict; readonly ranMs: number }
  | { readonly ask: 'diff'; readonly update: Uint8Array };
