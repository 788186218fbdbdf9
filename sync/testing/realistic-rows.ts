import type { ActivityRequest } from '#shared/schemas/activity.ts';

/** A repeatable source of numbers in [0, 1): mulberry32. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const PATHS = ['/v1/chat/completions', '/v1/completions', '/v1/embeddings', '/v1/messages', '/v1/rerank'];
const PATH_WEIGHTS = [0.72, 0.82, 0.94, 0.99, 1];

/** What a fleet of llama-swap hosts sends: log-normal token counts, a few models a host, 3.5 % errors. */
export interface RealisticOptions {
  readonly count: number;
  readonly hosts?: number;
  readonly seed?: number;
  readonly rowsPerSecond?: number;
  readonly startAt?: number;
}

/** Rows as hosts of today (v253+) report them, in order of their end, ids counting up on each host. */
export function realisticRequests(options: RealisticOptions): ActivityRequest[] {
  const { count, hosts = 50, seed = 1, rowsPerSecond = 1.16, startAt = Date.UTC(2026, 10, 30) } = options;
  const random = seededRandom(seed);
  const normal = (): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const logNormal = (median: number, spread: number): number =>
    Math.round(median * Math.exp(spread * normal()));
  const nextId = Array.from({ length: hosts }, () => Math.floor(random() * 20_000));
  let at = startAt;
  return Array.from({ length: count }, () => {
    at += Math.round((-Math.log(1 - random()) * 1000) / rowsPerSecond);
    const hostIndex = Math.floor(random() * hosts);
    const id = nextId[hostIndex] ?? 0;
    nextId[hostIndex] = id + 1;
    const roll = random();
    const path = PATHS[PATH_WEIGHTS.findIndex((weight) => roll < weight)] ?? '/v1/chat/completions';
    const failed = random() < 0.035;
    const embedding = path === '/v1/embeddings';
    const inputTokens = failed ? null : logNormal(600, 1.1);
    const outputTokens = failed ? null : embedding ? 0 : logNormal(180, 0.9);
    const promptPerSecond = failed ? null : Math.round(logNormal(90_000, 0.5)) / 100;
    const tokensPerSecond = failed || embedding ? null : Math.round(logNormal(3800, 0.4)) / 100;
    const durationMs = failed
      ? logNormal(40, 1)
      : Math.round(
          ((inputTokens ?? 0) / (promptPerSecond ?? 1) + (outputTokens ?? 0) / (tokensPerSecond ?? 1)) * 1000,
        );
    return {
      type: 'request',
      hostId: `gpu-box-${hostIndex + 1}`,
      idEpoch: 1,
      id,
      modelId: `model-${Math.floor(random() ** 2 * 12)}-q4_k_m`,
      path,
      endedAt: at,
      status: failed ? (random() < 0.5 ? 500 : 400) : 200,
      inputTokens,
      outputTokens,
      cachedTokens: failed ? null : random() < 0.5 ? 0 : logNormal(400, 1),
      promptPerSecond,
      tokensPerSecond,
      durationMs,
      hasCapture: random() < 0.2,
      error: failed ? 'upstream returned 500: context size exceeded' : null,
      source: null,
      sourceCertainty: 'unknown',
    };
  });
}
