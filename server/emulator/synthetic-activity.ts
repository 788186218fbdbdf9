import { z } from 'zod';
import type { LlamaSwap } from './llama-swap.ts';
import { MINIMAL_TOKENS } from './usage.ts';

/** What a row added by script says; everything has a plausible default. */
export const syntheticRow = z.strictObject({
  model: z.string().optional(),
  path: z.string().optional(),
  status: z.number().int().optional(),
  error: z.string().nullable().optional(),
  inputTokens: z.number().int().optional(),
  outputTokens: z.number().int().optional(),
  durationMs: z.number().optional(),
  source: z.string().optional(),
  /** By the host's clock; default now. */
  endedAt: z.number().optional(),
  /** False: rows appear without any message, as ones a client missed. */
  announce: z.boolean().optional(),
});
/** See {@link syntheticRow}. */
export type SyntheticRow = z.infer<typeof syntheticRow>;

/** Rows that no request stands behind, for bursts, gaps and histories. */
export class SyntheticActivity {
  readonly #host: LlamaSwap;

  constructor(host: LlamaSwap) {
    this.#host = host;
  }

  add(count: number, row: SyntheticRow): { readonly firstId: number; readonly lastId: number } {
    const { activity, config } = this.#host;
    const firstId = activity.nextId;
    const status = row.status ?? 200;
    for (let at = 0; at < count; at += 1) {
      const stored = activity.add({
        model: row.model ?? config.models[0]?.id ?? 'model',
        path: row.path ?? '/v1/chat/completions',
        contentType: status === 200 ? 'text/event-stream' : 'application/json',
        status,
        tokens:
          status === 200
            ? {
                cached: 3,
                draft: -1,
                draftAccepted: -1,
                input: row.inputTokens ?? 11,
                output: row.outputTokens ?? 12,
                promptPerSecond: 215.69,
                tokensPerSecond: 60,
              }
            : MINIMAL_TOKENS,
        durationMs: row.durationMs ?? 263,
        error: row.error ?? null,
        metadata: { fifo_priority: '0' },
        source: row.source ?? 'ip:127.0.0.1',
        ...(row.endedAt === undefined ? {} : { endedAt: row.endedAt }),
      });
      if (row.announce !== false) this.#host.announce(stored);
    }
    return { firstId, lastId: activity.nextId - 1 };
  }
}
