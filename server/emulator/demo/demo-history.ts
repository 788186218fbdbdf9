import type { ActivityRequest } from '#shared/schemas/activity.ts';
import type { NewActivity } from '../activity-ring.ts';
import type { ModelConfig } from '../config.ts';
import { resolveConfig } from '../config.ts';
import { traitsOf } from '../era.ts';
import type { EraTraits } from '../era.ts';
import { SeededRandom } from '../seeded-random.ts';
import { MINIMAL_TOKENS } from '../usage.ts';
import { DEMO_HOSTS } from './demo-hosts.ts';
import type { DemoHostSpec } from './demo-hosts.ts';

/** A made-up request with its end time. */
export type DemoRow = NewActivity & { readonly endedAt: number };

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
/** How busy each hour of the day is; people work, cron jobs run at night. */
const HOURLY = [2, 1, 1, 4, 4, 1, 1, 2, 5, 9, 11, 10, 6, 8, 11, 12, 10, 8, 5, 4, 5, 5, 4, 3];
const BUSY_MAX = 12;
const CLIENTS = ['10.0.0.21', '10.0.0.22', '10.0.0.24', '10.0.0.31'];

/** One host's made-up day before `now`, oldest first. The same arguments give the same rows. */
export function demoRows(
  host: DemoHostSpec,
  options: { readonly now: number; readonly seed?: number },
): readonly DemoRow[] {
  const traits = traitsOf(host.era);
  const random = new SeededRandom((options.seed ?? 7) * 100 + DEMO_HOSTS.indexOf(host));
  const { models } = resolveConfig(host.config);
  const times = endTimes(host.requestsPerDay, options.now, random);
  return times.map((endedAt) => demoRow({ host, models, traits, random, endedAt }));
}

/**
 * The whole fleet's made-up day as Drover stores it, oldest first per host: what a connector would have seen, under the
 * ids the demo hosts give the same rows.
 */
export function demoHistory(options: {
  readonly now: number;
  readonly seed?: number;
  readonly idEpoch?: number;
}): readonly ActivityRequest[] {
  return DEMO_HOSTS.flatMap((host) => {
    const traits = traitsOf(host.era);
    return demoRows(host, options).map((row, index) =>
      toRequest(row, { host, traits, id: traits.activityRow.firstId + index, idEpoch: options.idEpoch ?? 0 }),
    );
  });
}

function toRequest(
  row: DemoRow,
  identity: {
    readonly host: DemoHostSpec;
    readonly traits: EraTraits;
    readonly id: number;
    readonly idEpoch: number;
  },
): ActivityRequest {
  const { host, traits, id, idEpoch } = identity;
  const { tokens } = row;
  const minimal = tokens === MINIMAL_TOKENS;
  return {
    type: 'request',
    hostId: host.id,
    idEpoch,
    id,
    modelId: row.model,
    path: row.path,
    endedAt: row.endedAt,
    status: row.status,
    inputTokens: minimal ? null : tokens.input,
    outputTokens: minimal ? null : tokens.output,
    cachedTokens: minimal || tokens.cached < 0 ? null : tokens.cached,
    promptPerSecond: tokens.promptPerSecond > 0 ? tokens.promptPerSecond : null,
    tokensPerSecond: tokens.tokensPerSecond > 0 ? tokens.tokensPerSecond : null,
    durationMs: row.durationMs,
    hasCapture: false,
    error: row.error,
    source: traits.activityRow.source ? row.source : null,
    sourceCertainty: traits.activityRow.source ? 'exact' : 'unknown',
  };
}

/** Times of a day, denser in busy hours, strictly before `now`; whole seconds, which every release can tell. */
function endTimes(count: number, now: number, random: SeededRandom): readonly number[] {
  const times: number[] = [];
  while (times.length < count) {
    const at = now - 2000 - random.next() * DAY_MS;
    const hour = new Date(at).getUTCHours();
    if (random.next() * BUSY_MAX <= (HOURLY[hour] ?? 1)) times.push(Math.floor(at / 1000) * 1000);
  }
  return times.sort((a, b) => a - b);
}

interface RowContext {
  readonly host: DemoHostSpec;
  readonly models: readonly ModelConfig[];
  readonly traits: EraTraits;
  readonly random: SeededRandom;
  readonly endedAt: number;
}

function demoRow({ host, models, traits, random, endedAt }: RowContext): DemoRow {
  const model = modelAt(host, models, endedAt, random);
  const kind = /embedding/.test(model.id) ? 'embeddings' : /rerank/.test(model.id) ? 'rerank' : 'chat';
  const base = {
    model: model.id,
    path: kind === 'chat' ? '/v1/chat/completions' : `/v1/${kind}`,
    endedAt,
    metadata: { fifo_priority: '0' },
    source: `ip:${random.pick(CLIENTS) ?? ''}`,
  };
  const failure = failureOf(model, traits, random);
  if (failure) return { ...base, ...failure, tokens: MINIMAL_TOKENS };
  if (kind !== 'chat') {
    const input = 40 + random.below(700);
    return {
      ...base,
      status: 200,
      contentType: 'application/json',
      error: null,
      durationMs: 12 + random.below(90),
      tokens: {
        ...MINIMAL_TOKENS,
        cached: -1,
        draft: -1,
        draftAccepted: -1,
        input,
        promptPerSecond: -1,
        tokensPerSecond: -1,
      },
    };
  }
  const prompt = Math.round(180 + random.next() ** 3 * 14_000);
  const cached = Math.round(prompt * random.next() * 0.92);
  const output = Math.round(12 + random.next() ** 2 * 900);
  const promptPerSecond = round(model.promptTokensPerSecond * (0.75 + random.next() * 0.4));
  const tokensPerSecond = round(model.tokensPerSecond * (0.85 + random.next() * 0.2));
  const llama = model.backend === 'llama.cpp';
  const measured = llama || traits.vllmMetrics;
  return {
    ...base,
    status: 200,
    contentType: random.next() < 0.8 ? 'text/event-stream' : 'application/json',
    error: null,
    durationMs: Math.round(
      ((prompt - cached) / promptPerSecond + output / tokensPerSecond) * 1000 + random.below(40),
    ),
    tokens: {
      cached,
      draft: -1,
      draftAccepted: -1,
      input: llama ? prompt - cached : prompt,
      output,
      promptPerSecond: measured ? promptPerSecond : -1,
      tokensPerSecond: measured ? tokensPerSecond : -1,
    },
  };
}

/** Small models serve all day; of the big ones each has its hours. */
function modelAt(
  host: DemoHostSpec,
  models: readonly ModelConfig[],
  at: number,
  random: SeededRandom,
): ModelConfig {
  const always = models.filter(({ group }) => group !== 'default');
  const small = random.next() < 0.3 ? random.pick(always) : undefined;
  const turn = Math.floor(at / (2 * HOUR_MS)) % host.rotation.length;
  const bigId = random.next() < 0.04 && host.failing !== null ? host.failing : host.rotation[turn];
  const found = small ?? models.find(({ id }) => id === bigId) ?? models[0];
  if (!found) throw new Error(`demo host ${host.id} has no models`);
  return found;
}

function failureOf(
  model: ModelConfig,
  traits: EraTraits,
  random: SeededRandom,
): Pick<DemoRow, 'status' | 'contentType' | 'error' | 'durationMs'> | null {
  const json = { contentType: 'application/json' };
  if (model.load.outcome !== 'ready') {
    return {
      ...json,
      status: 500,
      error: 'unspecific error: upstream command exited prematurely',
      durationMs: 4000 + random.below(900),
    };
  }
  const draw = random.next();
  if (draw < 0.012) {
    return {
      ...json,
      status: 400,
      error: 'the request exceeds the available context size (8192 tokens)',
      durationMs: 3 + random.below(20),
    };
  }
  if (draw < 0.02)
    return { ...json, status: 500, error: 'slot unavailable', durationMs: 40 + random.below(2000) };
  if (draw < 0.03 && traits.clientGoneStatus) {
    return {
      contentType: '',
      status: 499,
      error: 'client disconnected before response',
      durationMs: 900 + random.below(20_000),
    };
  }
  return null;
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
