import type { ActivityRow } from '#shared/schemas/activity.ts';
import type { InFlightEvent } from '../domain/in-flight-view.ts';
import type { Clock, FleetSink } from '../domain/ports.ts';
import { RunningSeenLog } from '../domain/running-seen.ts';
import { matchSources, withSource } from '../domain/source-match.ts';

/** Rows wait at most so long for a running request that could be theirs to end or to outlive them. */
export const SOURCE_WAIT_MS = 500;

/** What a source feed works with. */
export interface SourceFeedOptions {
  readonly hostId: string;
  readonly sink: Pick<FleetSink, 'activity' | 'activityListed'>;
  readonly clock: Clock;
}

/**
 * Gives one host's rows their source on the way to the store. A row that could be any of several requests waits a moment
 * if those that still run may turn out not to be it, and later rows wait behind it: they go on in the order of their ids.
 */
export class SourceFeed {
  readonly #options: SourceFeedOptions;
  readonly #running = new RunningSeenLog();
  #waiting: ActivityRow[] = [];
  #isListed = false;
  #cancelWait: (() => void) | null = null;

  constructor(options: SourceFeedOptions) {
    this.#options = options;
  }

  /** A stream opened. */
  begin(): void {
    this.#running.begin();
  }

  /** No stream counts any more: nothing that waits will get clearer. */
  end(): void {
    this.#flush();
  }

  /** What waits is let go: it will be fetched again. */
  drop(): void {
    this.#cancelWait?.();
    this.#cancelWait = null;
    this.#waiting = [];
    this.#isListed = false;
  }

  /** One message about what runs. */
  onEvent(event: InFlightEvent): void {
    this.#running.observe(event, this.#options.clock.now());
    if (this.#waiting.length > 0 && event.type === 'in-flight-remove') this.#settle();
  }

  /** New rows, ascending by id. */
  take(rows: readonly ActivityRow[]): void {
    this.#waiting.push(...rows);
    this.#settle();
  }

  /** The host's list was read: said once the rows before it have gone on. */
  listed(): void {
    this.#isListed = true;
    if (this.#waiting.length === 0) this.#flush();
  }

  #settle(): void {
    const rows = this.#waiting.filter((row) => row.type === 'request');
    const matches = matchSources(rows, this.#running.seen(this.#options.clock.now()));
    if (!matches.some(({ undecided }) => undecided)) return this.#flush();
    this.#cancelWait ??= this.#options.clock.after(SOURCE_WAIT_MS, () => this.#flush());
  }

  #flush(): void {
    const { hostId, sink, clock } = this.#options;
    const rows = this.#waiting;
    const isListed = this.#isListed;
    this.drop();
    if (rows.length > 0) {
      const requests = rows.filter((row) => row.type === 'request');
      const matches = matchSources(requests, this.#running.seen(clock.now()));
      this.#running.settle(matches.flatMap(({ key }) => key ?? []));
      const found = new Map(requests.map((row, index) => [row, matches[index]]));
      sink.activity(
        hostId,
        rows.map((row) => {
          const match = row.type === 'request' ? found.get(row) : undefined;
          return row.type === 'request' && match ? withSource(row, match) : row;
        }),
      );
    }
    if (isListed) sink.activityListed(hostId);
  }
}
