import type { ActivityRequest } from '#shared/schemas/activity.ts';
import { type Random, seededRandom } from '../testing/seeded-random.ts';

const MODELS = [
  'qwen3-coder-30b-a3b',
  'gpt-oss-120b',
  'llama-3.3-70b',
  'gemma-3-27b-it',
  'unsloth/gpt-oss-20b-GGUF:UD-Q4_K_XL',
  'mistral-small-3.2',
  'glm-4.5-air',
  'qwen3-embedding-0.6b',
  'bge-reranker-v2-m3',
  'devstral-small',
  'phi-4',
  'org/chat-q4',
];
const PATHS: readonly (readonly [string, number])[] = [
  ['/v1/chat/completions', 0.72],
  ['/v1/embeddings', 0.12],
  ['/v1/completions', 0.05],
  ['/v1/messages', 0.04],
  ['/v1/rerank', 0.03],
  ['/v1/responses', 0.02],
  ['/completion', 0.01],
  ['/infill', 0.007],
  ['/v1/audio/speech', 0.003],
];
const ERRORS = [
  '502 Bad Gateway',
  'the request exceeds the available context size, try increasing it',
  'unspecific error: upstream command exited prematurely',
  'no router for requested model',
];
const SOURCES = ['open-webui', 'opencode', 'ci-nightly', null, null];

/** How the generated traffic is spread. */
export interface TrafficShape {
  readonly hosts: number;
  readonly rows: number;
  readonly from: number;
  readonly to: number;
  readonly seed?: number;
  /** Share of failures whose error text holds a number, so that it is like no other; 0 when left out. */
  readonly distinctErrors?: number;
  /** First id of every host; 1 when left out. */
  readonly firstId?: number;
}

/**
 * Rows like those of a working fleet, by end time: 12 models of uneven popularity, nine paths, log-normal token
 * counts, 3.5 % failures. The same shape gives the same rows.
 */
export function* syntheticTraffic(shape: TrafficShape): Generator<ActivityRequest> {
  const random = seededRandom(shape.seed ?? 1);
  const nextId = Array.from({ length: shape.hosts }, () => shape.firstId ?? 1);
  const stepMs = (shape.to - shape.from) / shape.rows;
  for (let index = 0; index < shape.rows; index += 1) {
    const host = Math.floor(random() * shape.hosts);
    const id = nextId[host] ?? 1;
    nextId[host] = id + 1;
    const endedAt = Math.floor((shape.from + (index + random()) * stepMs) / 1000) * 1000;
    const row = request(random, { hostId: `host-${host}`, id, endedAt });
    const isDistinct =
      row.error !== null && shape.distinctErrors !== undefined && random() < shape.distinctErrors;
    yield isDistinct ? { ...row, error: `${row.error} (request ${index} of slot ${index % 4})` } : row;
  }
}

function request(
  random: Random,
  identity: Pick<ActivityRequest, 'hostId' | 'id' | 'endedAt'>,
): ActivityRequest {
  const failed = random() < 0.035;
  const inputTokens = Math.round(logNormal(random, 6.6, 1.1));
  const outputTokens = Math.round(logNormal(random, 5.2, 0.9));
  const tokensPerSecond = round2(18 + random() * 70);
  const promptPerSecond = round2(400 + random() * 2400);
  const source = SOURCES[Math.floor(random() * SOURCES.length)] ?? null;
  const workMs = Math.round((inputTokens / promptPerSecond + outputTokens / tokensPerSecond) * 1000);
  return {
    type: 'request',
    idEpoch: 0,
    ...identity,
    modelId: MODELS[Math.floor(random() ** 2 * MODELS.length)] ?? 'phi-4',
    path: weighted(random, PATHS),
    status: failed ? ([400, 404, 499, 500, 502][Math.floor(random() * 5)] ?? 500) : 200,
    inputTokens: failed ? null : inputTokens,
    outputTokens: failed ? null : outputTokens,
    cachedTokens: failed || random() < 0.3 ? null : Math.round(inputTokens * random()),
    promptPerSecond: failed ? null : promptPerSecond,
    tokensPerSecond: failed ? null : tokensPerSecond,
    durationMs: failed ? Math.round(random() * 900) : workMs,
    hasCapture: random() < 0.1,
    error: failed ? (ERRORS[Math.floor(random() * ERRORS.length)] ?? null) : null,
    source,
    // As a host before v253 gives them: nearly every request is alone in what it can be.
    sourceCertainty: source === null ? 'unknown' : random() < 0.9 ? 'matched' : 'exact',
  };
}

function logNormal(random: Random, mean: number, deviation: number): number {
  const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  return Math.exp(mean + deviation * normal);
}

function weighted(random: Random, weights: readonly (readonly [string, number])[]): string {
  let left = random();
  for (const [value, weight] of weights) {
    left -= weight;
    if (left < 0) return value;
  }
  return weights[0]?.[0] ?? '';
}

function round2(value: number): number {
  return Math.round(value * 100) / 100;
}
