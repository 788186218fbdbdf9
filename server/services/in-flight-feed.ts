import {
  ageInFlight,
  emptyInFlight,
  endByActivity,
  inFlightOf,
  observeInFlight,
  type InFlightEvent,
  type InFlightView,
} from '../domain/in-flight-view.ts';
import type { Clock, FleetSink, ObservedActivity } from '../domain/ports.ts';

/** Hosts send an update every 250 ms for each running request; viewers get one for all of them. */
const PUBLISH_PERIOD_MS = 250;
const AGE_PERIOD_MS = 5_000;

/** What an in-flight feed works with. */
export interface InFlightFeedOptions {
  readonly hostId: string;
  readonly sink: FleetSink;
  readonly clock: Clock;
}

/** What runs on one host now, told at most four times a second, forgotten with every connection. */
export class InFlightFeed {
  readonly #options: InFlightFeedOptions;
  #view: InFlightView = emptyInFlight;
  #trusted = false;
  #clockOffsetMs: number | null = null;
  #publishedAt = Number.NEGATIVE_INFINITY;
  #cancelPublish: (() => void) | null = null;
  #cancelAging: (() => void) | null = null;

  constructor(options: InFlightFeedOptions) {
    this.#options = options;
  }

  /** A stream opened: what ran is not known until it says so. */
  begin(): void {
    this.end();
    this.#cancelAging = this.#options.clock.every(AGE_PERIOD_MS, () => this.#set(this.#aged()));
  }

  /** The probes are through: whether the host's numbers mean something, and how far its clock is off. */
  synchronise(options: { readonly trusted: boolean; readonly clockOffsetMs: number | null }): void {
    this.#trusted = options.trusted;
    this.#clockOffsetMs = options.clockOffsetMs;
    if (this.#view !== emptyInFlight) this.#publish();
  }

  /** No stream counts any more. */
  end(): void {
    this.#cancelPublish?.();
    this.#cancelAging?.();
    this.#cancelPublish = null;
    this.#cancelAging = null;
    if (this.#view === emptyInFlight) return;
    this.#view = emptyInFlight;
    this.#options.sink.inFlight(this.#options.hostId, null);
  }

  /** One message of the stream. */
  onEvent(event: InFlightEvent): void {
    this.#set(observeInFlight(this.#view, event, this.#options.clock.now()));
  }

  /** Requests that ended: their rows go even if their removal was lost. */
  onEnded(rows: readonly ObservedActivity[]): void {
    if (!this.#view.rows || this.#view.rows.size === 0) return;
    const now = this.#options.clock.now();
    for (const row of rows) this.#view = endByActivity(this.#view, row, now);
  }

  #aged(): InFlightView {
    return ageInFlight(this.#view, this.#options.clock.now());
  }

  #set(view: InFlightView): void {
    if (view === this.#view) return;
    this.#view = view;
    if (this.#cancelPublish) return;
    const { clock } = this.#options;
    const waitMs = PUBLISH_PERIOD_MS - (clock.now() - this.#publishedAt);
    if (waitMs <= 0) this.#publish();
    else
      this.#cancelPublish = clock.after(waitMs, () => {
        this.#cancelPublish = null;
        this.#publish();
      });
  }

  #publish(): void {
    const { hostId, sink, clock } = this.#options;
    const now = clock.now();
    this.#publishedAt = now;
    const shown = inFlightOf(this.#view, {
      hostId,
      trusted: this.#trusted,
      clockOffsetMs: this.#clockOffsetMs,
      now,
    });
    sink.inFlight(hostId, shown);
  }
}
