import type { EmulatorConfig } from '../config.ts';
import type { Era } from '../era.ts';
import type { GpuSpec } from '../performance.ts';

/** One machine of the demo fleet: what it is, what runs on it, how busy it is. */
export interface DemoHostSpec {
  readonly id: string;
  readonly label: string;
  readonly era: Era;
  readonly gpus: readonly GpuSpec[];
  readonly cpuCores: number;
  readonly config: EmulatorConfig;
  /** Loaded when the fleet starts, in this order. */
  readonly startsWith: readonly string[];
  /** Big models that take turns. */
  readonly rotation: readonly string[];
  /** Tried now and then although it never fits. */
  readonly failing: string | null;
  readonly ratePerSecond: number;
  /** Requests of its made-up day. */
  readonly requestsPerDay: number;
}

const RTX_3090 = {
  name: 'NVIDIA GeForce RTX 3090',
  memTotalMb: 24_576,
  known: true,
  architecture: 'Ampere',
  powerLimitWatts: 350,
};

/** The fleet: a two-GPU workstation, a box with unified memory, a desktop whose biggest model does not fit. */
export const DEMO_HOSTS: readonly DemoHostSpec[] = [
  {
    id: 'demo-bluefin',
    label: 'demo-bluefin',
    era: 'v250',
    cpuCores: 16,
    gpus: [
      { ...RTX_3090, uuid: 'GPU-0b1e0f10-7a51-4d4c-9b0e-3c1d5a7f2e01' },
      { ...RTX_3090, uuid: 'GPU-0b1e0f10-7a51-4d4c-9b0e-3c1d5a7f2e02' },
    ],
    config: {
      groups: [{ name: 'always', swap: false, exclusive: false, persistent: true }],
      models: [
        {
          id: 'qwen3-coder-30b-a3b',
          name: 'Qwen3 Coder 30B A3B',
          aliases: ['coder'],
          contextLength: 65_536,
          capabilities: ['function_calling'],
          load: { durationMs: 7000 },
          stopMs: 900,
          tokensPerSecond: 84,
          promptTokensPerSecond: 2400,
          vramMb: 36_000,
        },
        {
          id: 'gemma-3-27b-it',
          name: 'Gemma 3 27B',
          contextLength: 32_768,
          capabilities: ['vision'],
          load: { durationMs: 6000 },
          stopMs: 800,
          tokensPerSecond: 31,
          promptTokensPerSecond: 900,
          vramMb: 30_000,
        },
        {
          id: 'mistral-small-3.2',
          contextLength: 32_768,
          capabilities: ['function_calling', 'vision'],
          load: { durationMs: 5000 },
          stopMs: 700,
          tokensPerSecond: 42,
          vramMb: 24_000,
          ttlSeconds: 600,
        },
        {
          id: 'devstral-small',
          contextLength: 32_768,
          capabilities: ['function_calling'],
          load: { durationMs: 5000 },
          stopMs: 700,
          tokensPerSecond: 45,
          vramMb: 24_000,
          ttlSeconds: 600,
        },
        {
          id: 'phi-4',
          contextLength: 16_384,
          capabilities: [],
          load: { durationMs: 3500 },
          stopMs: 500,
          tokensPerSecond: 68,
          vramMb: 15_000,
          ttlSeconds: 600,
        },
        {
          id: 'qwen3-embedding-0.6b',
          group: 'always',
          load: { durationMs: 1200 },
          stopMs: 200,
          vramMb: 1600,
        },
        {
          id: 'bge-reranker-v2-m3',
          group: 'always',
          capabilities: ['reranker'],
          load: { durationMs: 1500 },
          stopMs: 200,
          vramMb: 1400,
          ttlSeconds: 1800,
        },
      ],
      profiles: [
        { id: 'day', description: 'coding first', pins: { assistant: 'qwen3-coder-30b-a3b' } },
        { id: 'night', description: 'batch work', pins: { assistant: 'gemma-3-27b-it' } },
      ],
      startupProfile: 'day',
    },
    startsWith: ['qwen3-embedding-0.6b', 'bge-reranker-v2-m3', 'qwen3-coder-30b-a3b'],
    rotation: [
      'qwen3-coder-30b-a3b',
      'qwen3-coder-30b-a3b',
      'gemma-3-27b-it',
      'qwen3-coder-30b-a3b',
      'phi-4',
    ],
    failing: null,
    ratePerSecond: 0.35,
    requestsPerDay: 820,
  },
  {
    id: 'demo-heron',
    label: 'demo-heron',
    era: 'v235',
    cpuCores: 24,
    gpus: [
      {
        name: 'Apple M3 Ultra',
        uuid: '',
        memTotalMb: 196_608,
        known: true,
        architecture: 'Apple',
        powerLimitWatts: 180,
      },
    ],
    config: {
      models: [
        {
          id: 'gpt-oss-120b',
          name: 'gpt-oss 120B',
          contextLength: 131_072,
          capabilities: ['function_calling'],
          load: { durationMs: 9000 },
          stopMs: 1500,
          tokensPerSecond: 52,
          promptTokensPerSecond: 700,
          vramMb: 68_000,
        },
        {
          id: 'qwen3-vl-32b',
          name: 'Qwen3 VL 32B',
          contextLength: 65_536,
          capabilities: ['vision'],
          load: { durationMs: 6000 },
          stopMs: 900,
          tokensPerSecond: 24,
          vramMb: 38_000,
        },
        {
          id: 'llama-3.3-70b',
          contextLength: 32_768,
          capabilities: [],
          load: { durationMs: 8000 },
          stopMs: 1200,
          tokensPerSecond: 13,
          vramMb: 48_000,
        },
        {
          id: 'glm-4.5-air',
          contextLength: 65_536,
          capabilities: ['function_calling'],
          load: { durationMs: 8000 },
          stopMs: 1200,
          tokensPerSecond: 38,
          vramMb: 72_000,
        },
        {
          id: 'unsloth/gpt-oss-20b-GGUF:UD-Q4_K_XL',
          load: { durationMs: 3000 },
          stopMs: 400,
          tokensPerSecond: 95,
          vramMb: 14_000,
        },
      ],
    },
    startsWith: ['gpt-oss-120b'],
    rotation: ['gpt-oss-120b', 'gpt-oss-120b', 'qwen3-vl-32b'],
    failing: null,
    ratePerSecond: 0.12,
    requestsPerDay: 310,
  },
  {
    id: 'demo-marlin',
    label: 'demo-marlin',
    era: 'v262',
    cpuCores: 8,
    gpus: [
      {
        name: 'NVIDIA GeForce RTX 4090',
        uuid: 'GPU-5a7f2e01-3c1d-4d4c-9b0e-0b1e0f107a51',
        memTotalMb: 24_564,
        known: true,
        architecture: 'Ada Lovelace',
        powerLimitWatts: 450,
      },
    ],
    config: {
      models: [
        {
          id: 'gpt-oss-20b',
          name: 'gpt-oss 20B',
          contextLength: 65_536,
          capabilities: ['function_calling'],
          load: { durationMs: 4000 },
          stopMs: 500,
          tokensPerSecond: 140,
          promptTokensPerSecond: 4200,
          vramMb: 14_500,
        },
        {
          id: 'gemma-3-12b',
          name: 'Gemma 3 12B',
          contextLength: 32_768,
          capabilities: ['vision'],
          load: { durationMs: 3500 },
          stopMs: 400,
          tokensPerSecond: 61,
          vramMb: 11_000,
        },
        {
          id: 'glm-4.5-air',
          name: 'GLM 4.5 Air',
          contextLength: 32_768,
          capabilities: ['function_calling'],
          load: { durationMs: 5000, outcome: 'out-of-memory' },
          vramMb: 46_000,
        },
        {
          id: 'phi-4',
          contextLength: 16_384,
          capabilities: [],
          load: { durationMs: 2500 },
          stopMs: 400,
          tokensPerSecond: 88,
          vramMb: 15_000,
          ttlSeconds: 300,
        },
        {
          id: 'qwen2.5-coder-14b',
          aliases: ['coder'],
          contextLength: 32_768,
          capabilities: ['function_calling'],
          load: { durationMs: 3000 },
          stopMs: 400,
          tokensPerSecond: 72,
          backend: 'vllm',
          vramMb: 13_000,
          ttlSeconds: 300,
        },
      ],
    },
    startsWith: ['glm-4.5-air', 'gpt-oss-20b'],
    rotation: ['gpt-oss-20b', 'gpt-oss-20b', 'gemma-3-12b', 'gpt-oss-20b', 'qwen2.5-coder-14b'],
    failing: 'glm-4.5-air',
    ratePerSecond: 0.2,
    requestsPerDay: 540,
  },
];
