import { backoffDelayMs } from '#shared/lib/backoff.ts';
import type { ActivitySync } from '../domain/activity-held.ts';
import {
  observeListing,
  observeStreamRows,
  openActivitySync,
  type ActivityOutcome,
} from '../domain/activity-sync.ts';
import { failureReason } from '../domain/connection-reason.ts';
import type {
  Clock,
  ConnectorStore,
  FleetSink,
  HostFeatures,
  LlamaSwapClient,
  Log,
  ObservedActivity,
  UpstreamResult,
} from '../domain/ports.ts';

/** A backfill takes at most so many of the newest rows; the rest is a gap. */
export const BACKFILL_ROWS = 10_000;
/** Rows held back while a listing is under way; the listing has what is dropped. */
const MAX_WAITING_ROWS = 5_000;
/** Fetches of one host are at least this far apart: a burst of requests needs one. */
const FETCH_PERIOD_MS = 500;
/** Rows passed over on the stream get this long to come by themselves. */
const LATE_ROWS_MS = 2_000;
const RETRY = { minMs: 1_000, maxMs: 30_000 } as const;

/** What an activity feed works with. */
export interface ActivityFeedOptions {
  readonly hostId: string;
  readonly client: LlamaSwapClient;
  readonly sink: Pick<FleetSink, 'activity' | 'activityListed'>;
  readonly store: ConnectorStore;
  readonly clock: Clock;
  readonly log: Log;
  /** 0 ≤ random() < 1. */
  readonly random: () => number;
  /** Ids began anew: the host was restarted before this connection; `unseen`: while nobody listened. */
  readonly onRestarted: (how: { readonly unseen: boolean }) => void;
}

interface Epoch {
  readonly abort: AbortController;
  features: HostFeatures | null;
  /** The host's own list was read on this connection. */
  listed: boolean;
}

/** One host's activity: lists at each connect and on news, takes rows of the stream between, writes what is new. */
export class ActivityFeed {
  readonly #options: ActivityFeedOptions;
  #sync: ActivitySync;
  #epoch: Epoch | null = null;
  /** The host may have run unseen since the last row held. */
  #unwatched = true;
  #waiting: ObservedActivity[] = [];
  #running = false;
  #again = false;
  #failures = 0;
  #lastFetchAt = Number.NEGATIVE_INFINITY;
  #cancelTimer: (() => void) | null = null;
  #cancelRepair: (() => void) | null = null;
  #timerAt = Number.POSITIVE_INFINITY;

  constructor(options: ActivityFeedOptions) {
    this.#options = options;
    this.#sync = openActivitySync(options.store.activityCursor(options.hostId));
  }

  /** A stream opened: its rows wait until the host's own list was read. */
  begin(): void {
    this.end({ hostEnded: false });
    this.#epoch = { abort: new AbortController(), features: null, listed: false };
  }

  /** The probes are through: reads the list. */
  synchronise(features: HostFeatures): void {
    if (!this.#epoch) return;
    this.#epoch.features = features;
    if (features.activity !== 'none') this.#fetchSoon(0);
    else this.#takeWaiting();
  }

  /** No stream counts any more. Nothing was missed if the host itself ended it after its list had been read. */
  end({ hostEnded }: { readonly hostEnded: boolean }): void {
    const epoch = this.#epoch;
    if (!epoch) return;
    this.#epoch = null;
    epoch.abort.abort();
    this.#cancelFetch();
    this.#waiting = [];
    this.#again = false;
    this.#running = false;
    this.#failures = 0;
    if (!hostEnded || !epoch.listed) this.#unwatched = true;
  }

  /** The store lost what it had not committed: starts again from what it holds. */
  reload(): void {
    this.#sync = openActivitySync(this.#options.store.activityCursor(this.#options.hostId));
    // Rows between those it holds and now were seen and lost: a restart of the host meanwhile took them with it.
    this.#unwatched = true;
    const epoch = this.#epoch;
    if (!epoch) return;
    // A listing under way was asked for what came after rows that may be lost now.
    epoch.abort.abort();
    this.#running = false;
    this.#epoch = { ...epoch, abort: new AbortController(), listed: false };
    if (epoch.features) this.synchronise(epoch.features);
  }

  /** Rows themselves (≤ v235). */
  onRows(rows: readonly ObservedActivity[]): void {
    const epoch = this.#epoch;
    if (!epoch) return;
    this.#waiting = [...this.#waiting, ...rows].slice(-MAX_WAITING_ROWS);
    const mayTake = epoch.listed || epoch.features?.activity === 'none';
    if (mayTake && !this.#running) this.#takeWaiting();
  }

  /** A row exists (v236+); asking for it twice, or for one that is held, would only fill the host's log. */
  onId(id: number): void {
    const features = this.#epoch?.features;
    if (!features || features.activity !== 'activity') return;
    if (this.#sync.lastId !== null && id <= this.#sync.lastId && this.#epoch?.listed) return;
    if (this.#running) this.#again = true;
    else this.#fetchSoon(FETCH_PERIOD_MS - (this.#options.clock.now() - this.#lastFetchAt));
  }

  #fetchSoon(delayMs: number): void {
    const at = this.#options.clock.now() + Math.max(0, delayMs);
    if (at >= this.#timerAt) return;
    this.#cancelTimer?.();
    this.#timerAt = at;
    this.#cancelTimer = this.#options.clock.after(Math.max(0, delayMs), () => {
      this.#timerAt = Number.POSITIVE_INFINITY;
      this.#cancelTimer = null;
      void this.#fetch();
    });
  }

  #repairSoon(): void {
    this.#cancelRepair ??= this.#options.clock.after(LATE_ROWS_MS, () => {
      this.#cancelRepair = null;
      if (this.#sync.missing.length > 0) this.#fetchSoon(0);
    });
  }

  #cancelFetch(): void {
    this.#cancelRepair?.();
    this.#cancelRepair = null;
    this.#cancelTimer?.();
    this.#cancelTimer = null;
    this.#timerAt = Number.POSITIVE_INFINITY;
  }

  async #fetch(): Promise<void> {
    const epoch = this.#epoch;
    if (!epoch?.features || epoch.features.activity === 'none') return;
    if (this.#running) {
      this.#again = true;
      return;
    }
    this.#running = true;
    this.#again = false;
    this.#lastFetchAt = this.#options.clock.now();
    try {
      const done = await this.#list(epoch, epoch.features);
      if (this.#epoch !== epoch) return;
      this.#running = false;
      if (done) this.#takeWaiting();
      else this.#retry();
      if (this.#again) this.#fetchSoon(FETCH_PERIOD_MS - (this.#options.clock.now() - this.#lastFetchAt));
    } catch (error) {
      // A client reports failures as values: this is a fault of ours, and must not end the feed.
      this.#options.log.error({ hostId: this.#options.hostId, error }, 'listing activity threw');
      if (this.#epoch !== epoch) return;
      this.#running = false;
      this.#retry();
    }
  }

  async #list(epoch: Epoch, features: HostFeatures): Promise<boolean> {
    const { lastId } = this.#sync;
    // One row early: the overlapping one proves that ids did not restart.
    let afterId = features.activity === 'activity' && lastId !== null ? lastId - 1 : null;
    for (;;) {
      const result = await this.#ask(features, afterId, epoch.abort.signal);
      if (this.#epoch !== epoch) return true;
      if (!result.ok) {
        this.#failures += 1;
        const { hostId, log } = this.#options;
        log.warn({ hostId, reason: failureReason(result.failure) }, 'the host did not list its activity');
        return false;
      }
      const firstId = features.activity === 'activity' ? 1 : 0;
      const listing = { ...result.value, afterId, firstId, unwatched: this.#unwatched };
      const outcome = observeListing(this.#sync, listing, this.#context());
      if (outcome.needsListing === 'all') {
        afterId = null;
        continue;
      }
      epoch.listed = true;
      this.#failures = 0;
      const unseen = this.#unwatched;
      this.#unwatched = false;
      if (outcome.sync.idEpoch !== this.#sync.idEpoch) this.#options.onRestarted({ unseen });
      this.#write(outcome);
      this.#options.sink.activityListed(this.#options.hostId);
      return true;
    }
  }

  async #ask(
    features: HostFeatures,
    afterId: number | null,
    signal: AbortSignal,
  ): Promise<UpstreamResult<{ readonly rows: readonly ObservedActivity[]; readonly complete: boolean }>> {
    const { client } = this.#options;
    if (features.activity === 'activity') {
      return client.activityAfter(afterId, { limit: BACKFILL_ROWS, features }, signal);
    }
    const ring = await client.metrics(signal);
    if (!ring.ok) return ring;
    const rows = ring.value.slice(-BACKFILL_ROWS);
    return { ...ring, value: { rows, complete: rows.length === ring.value.length } };
  }

  #retry(): void {
    // A host whose list cannot be read still tells its rows one by one.
    if (this.#failures >= 3) this.#takeWaiting();
    this.#fetchSoon(backoffDelayMs(this.#failures, this.#options.random(), RETRY));
  }

  #takeWaiting(): void {
    const epoch = this.#epoch;
    if (!epoch || this.#waiting.length === 0) return;
    const rows = this.#waiting;
    this.#waiting = [];
    // Behind a wake-on-LAN proxy nothing is listed: what comes first on the stream is the host's whole list (v152+).
    const isList = epoch.features?.activity === 'none' && !epoch.listed;
    if (isList) epoch.listed = true;
    const outcome = isList
      ? observeListing(
          this.#sync,
          { rows, complete: true, afterId: null, firstId: 0, unwatched: this.#unwatched },
          this.#context(),
        )
      : observeStreamRows(this.#sync, rows, this.#context());
    this.#write(outcome);
    if (outcome.needsListing === 'due') this.#repairSoon();
    if (outcome.needsListing !== 'all') return;
    // Ids restarted: what follows belongs to the new count, and waits until the list has told where that begins.
    epoch.listed = false;
    this.#waiting = [...rows, ...this.#waiting].slice(-MAX_WAITING_ROWS);
    this.#fetchSoon(0);
  }

  #write(outcome: ActivityOutcome): void {
    this.#sync = outcome.sync;
    if (outcome.rows.length > 0) this.#options.sink.activity(this.#options.hostId, outcome.rows);
  }

  #context() {
    return { hostId: this.#options.hostId, now: this.#options.clock.now() };
  }
}
