import type { ActivityGap } from '#shared/schemas/activity.ts';
import type { RowBlock } from './row-block.ts';
import { isFailed } from './row-filter.ts';
import { rowKey } from './row-key.ts';
import { SeenIds } from './seen-ids.ts';
import { spreadTokens } from './token-rate.ts';
import type { TokenCells } from './token-rate.ts';

/** What of a host's history is wanted, on the collector's clock: whole buckets from `from` to beyond `to`. */
export interface TimelineWish {
  readonly hostId: string;
  readonly from: number;
  readonly to: number;
  readonly bucketMs: number;
  /** Clock of the collector minus that of the host: requests end on the host's. */
  readonly clockOffsetMs: number;
}

/** A stretch of time in which requests of a model ran. */
export interface ServingSpan {
  readonly from: number;
  readonly to: number;
}

/** What this device holds of a host between two moments, by bucket: the first one begins at `from`. */
export interface HeldTimeline {
  readonly from: number;
  readonly bucketMs: number;
  readonly requests: readonly number[];
  readonly failed: readonly number[];
  /** Tokens generated in each stretch of `tokenStepMs`; a request's are spread over the time it took for them. */
  readonly tokens: readonly number[];
  readonly tokenStepMs: number;
  /** False: no request of this time said how many tokens it gave. */
  readonly tellsTokens: boolean;
  readonly serving: readonly { readonly modelId: string; readonly spans: readonly ServingSpan[] }[];
  /** Requests that the collector knows it does not have. */
  readonly gaps: readonly ActivityGap[];
  /** How far back this device sees requests without a hole; null: it holds none. */
  readonly heldFrom: number | null;
}

/** Tokens are drawn as a line, finer than bars. */
const TOKEN_STEPS = 3;
/** A stretch of serving is drawn on so many places: more than a screen has. */
const PLACES = 1_500;
const MAX_BUCKETS = 1_000;
const MAX_GAPS = 200;
/** Requests that end this long after the time that is shown may have generated in it. */
export const AFTER_MS = 600_000;

/** Puts together what any number of blocks say of a host; each request counts once. */
export class TimelineSketch {
  readonly #wish: TimelineWish;
  readonly #requests: Float64Array;
  readonly #failed: Float64Array;
  readonly #tokens: TokenCells;
  readonly #serving = new Map<string, Uint8Array>();
  readonly #seen = new SeenIds();
  readonly #gaps = new Map<string, ActivityGap>();
  #tellsTokens = false;

  constructor(wish: TimelineWish) {
    this.#wish = wish;
    const { from, to, bucketMs } = wish;
    const count = Math.min(MAX_BUCKETS, Math.max(1, Math.ceil((to - from) / bucketMs)));
    this.#requests = new Float64Array(count);
    this.#failed = new Float64Array(count);
    this.#tokens = {
      from,
      stepMs: bucketMs / TOKEN_STEPS,
      tokens: new Float64Array(count * TOKEN_STEPS),
    };
  }

  addBlock(block: RowBlock): void {
    const { from, clockOffsetMs, hostId } = this.#wish;
    const { requests, gaps } = block;
    const end = this.#end() + AFTER_MS;
    const host = requests.host.texts.indexOf(hostId) + 1;
    const count = host === 0 ? 0 : requests.count;
    for (let row = 0; row < count; row += 1) {
      if (requests.host.references[row] !== host) continue;
      const endedAt = (requests.endedAt[row] ?? 0) + clockOffsetMs;
      if (endedAt < from || endedAt >= end) continue;
      if (this.#seen.add(requests.idEpoch[row] ?? 0, requests.id[row] ?? 0)) this.#add(block, row, endedAt);
    }
    for (const gap of gaps) {
      if (gap.hostId !== hostId || gap.to + clockOffsetMs < from) continue;
      if (this.#gaps.size < MAX_GAPS) this.#gaps.set(rowKey(gap), gap);
    }
  }

  finish(heldFrom: number | null): HeldTimeline {
    const { from, bucketMs, clockOffsetMs } = this.#wish;
    return {
      from,
      bucketMs,
      requests: [...this.#requests],
      failed: [...this.#failed],
      tokens: [...this.#tokens.tokens],
      tokenStepMs: this.#tokens.stepMs,
      tellsTokens: this.#tellsTokens,
      serving: Array.from(this.#serving, ([modelId, places]) => ({ modelId, spans: this.#spans(places) })),
      gaps: Array.from(this.#gaps.values(), (gap) => ({
        ...gap,
        from: gap.from === null ? null : gap.from + clockOffsetMs,
        to: gap.to + clockOffsetMs,
      })),
      heldFrom,
    };
  }

  #add(block: RowBlock, row: number, endedAt: number): void {
    const { requests } = block;
    const { from, bucketMs } = this.#wish;
    const bucket = Math.floor((endedAt - from) / bucketMs);
    if (bucket < this.#requests.length) {
      this.#requests[bucket] = (this.#requests[bucket] ?? 0) + 1;
      if (isFailed(block, row)) this.#failed[bucket] = (this.#failed[bucket] ?? 0) + 1;
    }
    const durationMs = requests.durationMs[row] ?? Number.NaN;
    const tells = spreadTokens(this.#tokens, {
      endedAt,
      outputTokens: requests.outputTokens[row] ?? Number.NaN,
      tokensPerSecond: requests.tokensPerSecond[row] ?? Number.NaN,
      durationMs,
    });
    if (tells) this.#tellsTokens = true;
    const modelId = requests.model.texts[(requests.model.references[row] ?? 0) - 1];
    if (modelId !== undefined) this.#serve(modelId, endedAt - (durationMs > 0 ? durationMs : 0), endedAt);
  }

  #serve(modelId: string, startedAt: number, endedAt: number): void {
    const places = this.#serving.get(modelId) ?? new Uint8Array(PLACES);
    this.#serving.set(modelId, places);
    const perPlace = this.#perPlace();
    const { from } = this.#wish;
    const first = Math.max(0, Math.floor((startedAt - from) / perPlace));
    const last = Math.min(PLACES - 1, Math.floor((endedAt - from) / perPlace));
    places.fill(1, first, last + 1);
  }

  #spans(places: Uint8Array): ServingSpan[] {
    const { from } = this.#wish;
    const perPlace = this.#perPlace();
    const spans: ServingSpan[] = [];
    for (let place = 0; place < PLACES; place += 1) {
      if (places[place] !== 1) continue;
      const begin = place;
      while (places[place + 1] === 1) place += 1;
      spans.push({ from: from + begin * perPlace, to: from + (place + 1) * perPlace });
    }
    return spans;
  }

  #perPlace(): number {
    return (this.#end() - this.#wish.from) / PLACES;
  }

  /** End of the last bucket. */
  #end(): number {
    return this.#wish.from + this.#requests.length * this.#wish.bucketMs;
  }
}
