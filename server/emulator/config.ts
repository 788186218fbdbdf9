import { z } from 'zod';

/** How a model's process ends its start: healthy, killed by its GPU, gone without a word, never healthy, port taken. */
export const loadOutcome = z.enum(['ready', 'out-of-memory', 'exits', 'never-healthy', 'port-in-use']);
/** See {@link loadOutcome}. */
export type LoadOutcome = z.infer<typeof loadOutcome>;

/** A model of the emulated host: the keys of llama-swap's config that matter on the wire, and how its process behaves. */
export const modelConfig = z.strictObject({
  id: z.string(),
  name: z.string().default(''),
  description: z.string().default(''),
  aliases: z.array(z.string()).default([]),
  unlisted: z.boolean().default(false),
  metadata: z.record(z.string(), z.string()).default({}),
  contextLength: z.number().int().positive().nullable().default(null),
  /** llama-swap's words: `vision`, `function_calling`, `reranker`… Null: no `capabilities` block. */
  capabilities: z.array(z.string()).nullable().default(null),
  cmd: z.string().nullable().default(null),
  ttlSeconds: z.number().int().min(0).default(0),
  group: z.string().default('default'),
  backend: z.enum(['llama.cpp', 'vllm']).default('llama.cpp'),
  load: z
    .strictObject({
      durationMs: z.number().min(0).default(400),
      outcome: loadOutcome.default('ready'),
    })
    .prefault({}),
  stopMs: z.number().min(0).default(50),
  tokensPerSecond: z.number().positive().default(60),
  promptTokensPerSecond: z.number().positive().default(1200),
  vramMb: z.number().min(0).default(4000),
  concurrencyLimit: z.number().int().positive().default(10),
});
/** A model with every default filled in. */
export type ModelConfig = z.output<typeof modelConfig>;

/** How models share the machine, as llama-swap's `groups`. */
export const groupConfig = z.strictObject({
  name: z.string(),
  /** Only one member runs at a time. */
  swap: z.boolean().default(true),
  /** Loading a member unloads every other group that is not persistent. */
  exclusive: z.boolean().default(true),
  persistent: z.boolean().default(false),
});

/** Configuration of an emulated host: what `config.yaml` would hold. */
export const hostConfig = z.strictObject({
  models: z.array(modelConfig).default([]),
  groups: z.array(groupConfig).default([]),
  peers: z.array(z.strictObject({ id: z.string(), models: z.array(z.string()) })).default([]),
  profiles: z
    .array(
      z.strictObject({
        id: z.string(),
        description: z.string().default(''),
        pins: z.record(z.string(), z.string()).nullable().default(null),
      }),
    )
    .default([]),
  selectors: z
    .array(
      z.strictObject({
        id: z.string(),
        strategy: z.enum(['pin', 'warm', 'spillover']).default('warm'),
        targets: z.array(z.string()).min(1),
      }),
    )
    .default([]),
  startupProfile: z.string().nullable().default(null),
  apiKeys: z.array(z.string()).default([]),
  includeAliasesInList: z.boolean().default(false),
  metricsMaxInMemory: z.number().int().positive().default(1000),
  captureBufferBytes: z.number().int().min(0).default(5_000_000),
  healthCheckTimeoutMs: z.number().positive().default(120_000),
  performance: z
    .strictObject({ enabled: z.boolean().default(true), everyMs: z.number().min(10).default(5000) })
    .prefault({}),
  startPort: z.number().int().default(5800),
});
/** What a caller may write; everything but model ids has a default. */
export type EmulatorConfig = z.input<typeof hostConfig>;
/** A configuration with every default filled in. */
export type ResolvedConfig = z.output<typeof hostConfig>;

/** Fills the defaults in; throws a ZodError that names the wrong keys. */
export function resolveConfig(config: EmulatorConfig): ResolvedConfig {
  const resolved = hostConfig.parse(config);
  const models = [...resolved.models].sort((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0));
  return { ...resolved, models };
}

/** The command line llama-swap would show in `/running`, its port expanded. */
export function commandOf(model: ModelConfig, port: number): string {
  const template = model.cmd ?? `llama-server --port \${PORT} --model /models/${model.id}.gguf`;
  return template.replaceAll('${PORT}', String(port));
}
