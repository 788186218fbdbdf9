import { z } from 'zod';

/** How a model's server answers one request, where it should differ from the ordinary. */
export const servingScript = z.strictObject({
  /** Answer this status and body at once instead of a completion. */
  status: z.number().int().min(200).max(599).optional(),
  body: z.string().optional(),
  tokensPerSecond: z.number().positive().optional(),
  promptTokensPerSecond: z.number().positive().optional(),
  promptTokens: z.number().int().min(0).optional(),
  cachedTokens: z.number().int().min(0).optional(),
  outputTokens: z.number().int().min(0).max(50_000).optional(),
  /** False: the answer never reports usage (nor timings), whatever the request asks. */
  usage: z.boolean().optional(),
  reasoning: z.boolean().optional(),
  toolCall: z.boolean().optional(),
  draft: z.boolean().optional(),
  vllmMetrics: z.boolean().optional(),
  /** The process writes one bare chunk and dies. */
  dieAtOnce: z.boolean().optional(),
  /** The process dies after that many tokens: the stream ends early, status 200. */
  dieAfterTokens: z.number().int().min(0).optional(),
  /** The caller's connection is reset after that many tokens. */
  cutAfterTokens: z.number().int().min(0).optional(),
  /** Nothing is written for `stallMs` (default: ever) after that many tokens. */
  stallAfterTokens: z.number().int().min(0).optional(),
  stallMs: z.number().min(0).optional(),
});
/** See {@link servingScript}. */
export type ServingScript = z.infer<typeof servingScript>;

const TAGS: readonly (readonly [tag: string, script: ServingScript])[] = [
  ['[reason]', { reasoning: true }],
  ['[tool]', { toolCall: true }],
  ['[draft]', { draft: true }],
  ['[nousage]', { usage: false }],
  ['[vmetrics]', { vllmMetrics: true }],
  ['[die]', { dieAtOnce: true }],
  ['[cut]', { cutAfterTokens: 3 }],
  ['[stall]', { stallAfterTokens: 3 }],
  [
    '[e500]',
    {
      status: 500,
      body: '{"error":{"code":500,"message":"slot unavailable: context shift \\"disabled\\"","type":"server_error"}}',
    },
  ],
  [
    '[e400]',
    {
      status: 400,
      body:
        '{"error":{"code":400,"message":"the request exceeds the available context size (8192 tokens)",' +
        '"type":"exceed_context_size_error","n_prompt_tokens":9000,"n_ctx":8192}}',
    },
  ],
];

/** A prompt can ask for a behaviour itself: `[reason]`, `[tool]`, `[draft]`, `[die]`, `[stall]`, `[e500]`… */
export function scriptOfPrompt(prompt: string): ServingScript {
  return Object.assign({}, ...TAGS.filter(([tag]) => prompt.includes(tag)).map(([, script]) => script));
}
