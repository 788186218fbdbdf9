import type { EmulatorConfig } from './config.ts';

/**
 * `demo-1` … `demo-N`: the first loads cleanly in under a second, the others show what models do (slow, out of memory,
 * silent exit, never healthy, vLLM, ttl), in turn.
 */
export function numberedModels(count: number): NonNullable<EmulatorConfig['models']> {
  return Array.from({ length: count }, (_, index) => ({
    id: `demo-${index + 1}`,
    name: `Demo ${index + 1}`,
    description: WAYS[index % WAYS.length]?.description ?? '',
    aliases: index === 0 ? ['demo-latest'] : [],
    contextLength: 8192,
    capabilities: ['function_calling'],
    vramMb: 4000 + (index % 4) * 3000,
    ...WAYS[index % WAYS.length]?.model,
  }));
}

type Model = Partial<NonNullable<EmulatorConfig['models']>[number]>;

const WAYS: readonly { readonly description: string; readonly model: Model }[] = [
  { description: 'loads at once', model: { load: { durationMs: 500 } } },
  { description: 'loads in three seconds', model: { load: { durationMs: 3000 }, tokensPerSecond: 30 } },
  { description: 'vLLM style', model: { backend: 'vllm', load: { durationMs: 1500 }, tokensPerSecond: 90 } },
  { description: 'unloads after a minute without use', model: { load: { durationMs: 800 }, ttlSeconds: 60 } },
  { description: 'runs out of memory', model: { load: { durationMs: 1000, outcome: 'out-of-memory' } } },
  { description: 'never gets healthy', model: { load: { durationMs: 1000, outcome: 'never-healthy' } } },
];
