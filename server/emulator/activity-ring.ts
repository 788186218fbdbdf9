import type { EraTraits } from './era.ts';
import type { HostTime } from './host-time.ts';
import type { RowTokens } from './usage.ts';

/** A finished request as the host keeps it. */
export interface StoredActivity {
  readonly id: number;
  /** End of the request by the host's clock. */
  readonly endedAt: number;
  readonly stamp: string;
  readonly model: string;
  readonly path: string;
  readonly contentType: string;
  readonly status: number;
  readonly tokens: RowTokens;
  readonly durationMs: number;
  readonly error: string | null;
  readonly metadata: Readonly<Record<string, string>> | null;
  readonly source: string;
}

/** What a new row says; the ring adds id and time stamp. */
export type NewActivity = Omit<StoredActivity, 'id' | 'stamp' | 'endedAt'> & { readonly endedAt?: number };

const MAX_ERROR_LENGTH = 500;

/** The newest requests, ids rising by one. */
export class ActivityRing {
  readonly #traits: EraTraits;
  readonly #time: HostTime;
  readonly #capacity: number;
  readonly #hasCapture: (id: number) => boolean;
  #rows: StoredActivity[] = [];
  #nextId: number;

  constructor(options: {
    readonly traits: EraTraits;
    readonly time: HostTime;
    readonly capacity: number;
    readonly hasCapture: (id: number) => boolean;
  }) {
    this.#traits = options.traits;
    this.#time = options.time;
    this.#capacity = options.capacity;
    this.#hasCapture = options.hasCapture;
    this.#nextId = options.traits.activityRow.firstId;
  }

  /** Oldest first. */
  get rows(): readonly StoredActivity[] {
    return this.#rows;
  }

  get nextId(): number {
    return this.#nextId;
  }

  add(row: NewActivity): StoredActivity {
    const endedAt = row.endedAt ?? this.#time.now();
    const stamp = this.#traits.activityRow.wholeSeconds
      ? this.#time.secondStamp(endedAt)
      : this.#time.nanoStamp(endedAt);
    const error =
      row.error !== null && row.error.length > MAX_ERROR_LENGTH
        ? `${row.error.slice(0, MAX_ERROR_LENGTH)}...`
        : row.error;
    const stored = { ...row, error, endedAt, stamp, id: this.#nextId };
    this.#nextId += 1;
    this.#rows.push(stored);
    if (this.#rows.length > this.#capacity) this.#rows.splice(0, this.#rows.length - this.#capacity);
    return stored;
  }

  /** Ids start again, the rows are gone: a restart, or a reload up to v235. */
  reset(): void {
    this.#rows = [];
    this.#nextId = this.#traits.activityRow.firstId;
  }

  /** The row as its era writes it. */
  wire(row: StoredActivity): Readonly<Record<string, unknown>> {
    const { tokens } = row;
    const rules = this.#traits.activityRow;
    if (rules.shape === 'flat') {
      return {
        id: row.id,
        timestamp: row.stamp,
        model: row.model,
        ...(rules.flat.cacheTokens ? { cache_tokens: tokens.cached } : {}),
        input_tokens: tokens.input,
        output_tokens: tokens.output,
        ...(rules.flat.promptSpeed ? { prompt_per_second: tokens.promptPerSecond } : {}),
        tokens_per_second: tokens.tokensPerSecond,
        duration_ms: row.durationMs,
        ...(rules.flat.hasCapture ? { has_capture: this.#hasCapture(row.id) } : {}),
      };
    }
    return {
      id: row.id,
      timestamp: row.stamp,
      model: row.model,
      req_path: row.path,
      resp_content_type: row.contentType,
      resp_status_code: row.status,
      tokens: {
        cache_tokens: tokens.cached,
        ...(rules.drafts ? { draft_tokens: tokens.draft, draft_acc_tokens: tokens.draftAccepted } : {}),
        input_tokens: tokens.input,
        output_tokens: tokens.output,
        prompt_per_second: tokens.promptPerSecond,
        tokens_per_second: tokens.tokensPerSecond,
      },
      duration_ms: row.durationMs,
      has_capture: this.#hasCapture(row.id),
      ...(rules.errors && row.error !== null ? { error_msg: row.error } : {}),
      ...(rules.metadata && row.metadata !== null ? { metadata: row.metadata } : {}),
      ...(rules.source ? { src: row.source } : {}),
    };
  }
}
