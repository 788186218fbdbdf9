import type { EmulatorConfig } from '../config.ts';

/** The config of the recordings, and how its stand-in models behaved. */
export const RECORDED_CONFIG = {
  models: [
    {
      id: 'coder',
      name: 'Coder 7B',
      description: 'small coder',
      aliases: ['coder-latest'],
      metadata: { quant: 'Q4_K_M', family: 'coder' },
      contextLength: 8192,
      capabilities: ['function_calling'],
      cmd: 'node model-server.mjs --port ${PORT} --model coder --api-key sk-secret-in-cmd',
      load: { durationMs: 600 },
      stopMs: 150,
    },
    { id: 'org/chat-q4', ttlSeconds: 6, load: { durationMs: 900 }, stopMs: 150 },
    { id: 'vllm-big', backend: 'vllm', load: { durationMs: 600 }, stopMs: 150 },
    { id: 'oom', load: { outcome: 'out-of-memory' } },
    { id: 'stuck', load: { outcome: 'never-healthy' } },
    { id: 'hidden', unlisted: true, load: { durationMs: 600 }, stopMs: 150 },
  ],
  peers: [{ id: 'lab', models: ['remote-70b'] }],
  profiles: [{ id: 'day', description: 'daytime', pins: { 'coder-latest': 'org/chat-q4' } }],
  selectors: [{ id: 'best-coder', strategy: 'warm', targets: ['coder', 'vllm-big'] }],
  includeAliasesInList: true,
  healthCheckTimeoutMs: 15_000,
} satisfies EmulatorConfig;
