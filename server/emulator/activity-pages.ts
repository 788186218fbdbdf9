import type { ActivityRing, StoredActivity } from './activity-ring.ts';
import type { EraTraits } from './era.ts';
import { parseRfc3339 } from './wire/go-format.ts';

/** Body of `GET /api/metrics/activity`, or the text of its 400. */
export type ActivityPageResult =
  | { readonly ok: true; readonly value: Readonly<Record<string, unknown>> }
  | { readonly ok: false; readonly message: string };

const SORT: Readonly<Record<string, (row: StoredActivity) => number | string>> = {
  id: (row) => row.id,
  time: (row) => row.endedAt,
  model: (row) => row.model,
  req_path: (row) => row.path,
  resp_status_code: (row) => row.status,
  resp_content_type: (row) => row.contentType,
  cached: (row) => row.tokens.cached,
  prompt: (row) => row.tokens.input,
  generated: (row) => row.tokens.output,
  drafted: (row) => row.tokens.draft,
  prompt_speed: (row) => row.tokens.promptPerSecond,
  gen_speed: (row) => row.tokens.tokensPerSecond,
  duration: (row) => row.durationMs,
};

/** Answers a page of the ring (v236+), with the range filters of v251+ where the era has them. */
export function activityPage(
  ring: ActivityRing,
  params: URLSearchParams,
  traits: EraTraits,
): ActivityPageResult {
  const limit = integer(params.get('limit'), 25);
  if (limit === null) return refuse('invalid limit');
  if (limit < 1 || limit > 999) return refuse('limit must be between 1 and 999');
  const page = integer(params.get('page'), 1);
  if (page === null || page < 1) return refuse('page must be >= 1');
  const order = params.get('order') ?? 'desc';
  if (order !== 'asc' && order !== 'desc') return refuse('order must be asc or desc');
  const sort = params.get('sort') ?? 'id';
  const key = sort === 'src' && traits.activityRow.source ? (row: StoredActivity) => row.source : SORT[sort];
  if (!key) return refuse('invalid sort column');
  const range = traits.activityRange ? rangeFilter(params) : { ok: true as const, keep: () => true };
  if (!range.ok) return refuse(range.message);

  const models = traits.activityRange ? params.getAll('model') : params.getAll('model').slice(0, 1);
  const wanted = models.filter((model) => model !== '');
  const prefix = traits.activityRow.source ? params.get('src_prefix') : null;
  const rows = ring.rows.filter(
    (row) =>
      (wanted.length === 0 || wanted.includes(row.model)) &&
      (prefix === null || row.source.startsWith(prefix)) &&
      range.keep(row),
  );
  const direction = order === 'asc' ? 1 : -1;
  const sorted = [...rows].sort((a, b) => {
    const [left, right] = [key(a), key(b)];
    if (left === right) return (a.id - b.id) * direction;
    return left < right ? -direction : direction;
  });
  const data = sorted.slice((page - 1) * limit, page * limit).map((row) => ring.wire(row));
  const total = rows.length;
  return { ok: true, value: { data, page, limit, total, total_pages: Math.ceil(total / limit) } };
}

/** Body of `GET /api/metrics/stats`. */
export function activityStats(
  rows: readonly StoredActivity[],
  model: string | null,
  traits: EraTraits,
): Readonly<Record<string, unknown>> {
  const own = model === null || model === '' ? rows : rows.filter((row) => row.model === model);
  const sum = (value: (row: StoredActivity) => number): number =>
    own.reduce((total, row) => total + Math.max(0, value(row)), 0);
  return {
    total_requests: traits.statsCountIsMaxId ? (own.at(-1)?.id ?? 0) : own.length,
    total_input_tokens: sum((row) => row.tokens.input),
    total_output_tokens: sum((row) => row.tokens.output),
    total_cache_tokens: sum((row) => row.tokens.cached),
    prompt_histogram: histogram(own.map((row) => row.tokens.promptPerSecond)),
    gen_histogram: histogram(own.map((row) => row.tokens.tokensPerSecond)),
  };
}

function histogram(speeds: readonly number[]): Readonly<Record<string, unknown>> | null {
  const values = speeds.filter((speed) => speed > 0).sort((a, b) => a - b);
  const min = values[0];
  const max = values.at(-1);
  if (min === undefined || max === undefined) return null;
  const quantile = (share: number): number => {
    const at = share * (values.length - 1);
    const low = values[Math.floor(at)] ?? min;
    const high = values[Math.ceil(at)] ?? max;
    return low + (high - low) * (at % 1);
  };
  const count = min === max ? 1 : Math.min(20, Math.max(5, Math.ceil(Math.sqrt(values.length))));
  const binSize = min === max ? 0 : (max - min) / count;
  const bins = Array.from({ length: count }, () => 0);
  for (const value of values) {
    const at = binSize === 0 ? 0 : Math.min(count - 1, Math.floor((value - min) / binSize));
    bins[at] = (bins[at] ?? 0) + 1;
  }
  return { bins, min, max, binSize, p50: quantile(0.5), p95: quantile(0.95), p99: quantile(0.99) };
}

function rangeFilter(
  params: URLSearchParams,
):
  | { readonly ok: true; readonly keep: (row: StoredActivity) => boolean }
  | { readonly ok: false; readonly message: string } {
  const bounds = { min_id: -Infinity, max_id: Infinity };
  for (const name of ['min_id', 'max_id'] as const) {
    const text = params.get(name);
    if (text === null) continue;
    const value = integer(text, 0);
    if (value === null || value < 1) return { ok: false, message: `${name} must be >= 1` };
    bounds[name] = value;
  }
  if (bounds.min_id > bounds.max_id) return { ok: false, message: 'min_id must be <= max_id' };
  const times = { start: -Infinity, end: Infinity };
  for (const name of ['start', 'end'] as const) {
    const text = params.get(name);
    if (text === null) continue;
    const at = parseRfc3339(text);
    if (at === null) return { ok: false, message: `invalid '${name}' timestamp, use RFC3339 format` };
    times[name] = Math.floor(at / 1000);
  }
  if (times.start > times.end) return { ok: false, message: 'start must be before end' };
  return {
    ok: true,
    keep: (row) => {
      const second = Math.floor(row.endedAt / 1000);
      return (
        row.id >= bounds.min_id && row.id <= bounds.max_id && second >= times.start && second <= times.end
      );
    },
  };
}

function refuse(message: string): ActivityPageResult {
  return { ok: false, message };
}

function integer(text: string | null, fallback: number): number | null {
  if (text === null || text === '') return fallback;
  return /^[+-]?\d+$/.test(text) ? Number(text) : null;
}
