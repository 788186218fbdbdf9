import type { ActivityRow } from '#shared/schemas/activity.ts';
import type { HostProfiles } from '#shared/schemas/host.ts';
import type {
  Clock,
  ConnectorStore,
  FleetSink,
  HostFeatures,
  LlamaSwapClient,
  Log,
  UpstreamEvent,
} from '../domain/ports.ts';
import type { PerformanceSink } from '../domain/performance-ports.ts';
import { ActivityFeed } from './activity-feed.ts';
import { InFlightFeed } from './in-flight-feed.ts';
import { ModelFeed } from './model-feed.ts';
import { PerformanceFeed } from './performance-feed.ts';
import { ProfileFeed } from './profile-feed.ts';
import { SourceFeed } from './source-feed.ts';

/** What a host's feed works with. */
export interface HostFeedOptions {
  readonly hostId: string;
  readonly client: LlamaSwapClient;
  readonly sink: FleetSink;
  /** Null: samples are not asked for. */
  readonly performance: PerformanceSink | null;
  readonly store: ConnectorStore;
  readonly clock: Clock;
  readonly log: Log;
  readonly random: () => number;
  /** Called when {@link HostFeed.profiles} changed. */
  readonly onProfiles: () => void;
}

/** What a host tells, sorted: models, activity, what runs and samples each go their own way, from epoch to epoch. */
export class HostFeed {
  readonly #options: HostFeedOptions;
  readonly #activity: ActivityFeed;
  readonly #models: ModelFeed;
  readonly #inFlight: InFlightFeed;
  readonly #performance: PerformanceFeed;
  readonly #profiles: ProfileFeed;
  readonly #sources: SourceFeed;
  /** Messages and frames not understood, counted and said once for each word. */
  readonly #strange = new Set<string>();

  constructor(options: HostFeedOptions) {
    this.#options = options;
    this.#inFlight = new InFlightFeed(options);
    this.#models = new ModelFeed(options);
    this.#performance = new PerformanceFeed(options);
    this.#profiles = new ProfileFeed(options);
    this.#sources = new SourceFeed(options);
    this.#activity = new ActivityFeed({
      ...options,
      sink: this.#watchedSink(),
      onRestarted: (how) => this.#models.restarted(how),
    });
  }

  /** Profiles of the host as last known; null when nothing is. */
  get profiles(): HostProfiles | null {
    return this.#profiles.current;
  }

  /** A stream became the one that counts. */
  begin(): void {
    this.#sources.begin();
    this.#activity.begin();
    this.#models.begin();
    this.#inFlight.begin();
    this.#profiles.begin();
  }

  /** The probes of this stream's host are through. */
  synchronise(features: HostFeatures, clockOffsetMs: number | null): void {
    this.#models.synchronise(features);
    this.#inFlight.synchronise({ trusted: features.inFlightTrusted, clockOffsetMs });
    this.#activity.synchronise(features);
    this.#performance.synchronise(features);
    this.#profiles.synchronise(features);
  }

  /** No stream counts any more. */
  end(options: { readonly hostEnded: boolean }): void {
    this.#activity.end(options);
    this.#sources.end();
    this.#models.end(options);
    this.#inFlight.end();
    this.#performance.end();
    this.#profiles.end();
  }

  /** Nobody listens any more: rows that wait for their source are left, and fetched again by whoever listens next. */
  drop(): void {
    this.#sources.drop();
  }

  /** The store recovered and may have lost what it was given: reads back what it holds. */
  reload(): void {
    this.#sources.drop();
    this.#models.reload();
    this.#activity.reload();
    this.#performance.reload();
  }

  /** One message of the stream that counts. */
  onEvent(event: UpstreamEvent): void {
    switch (event.type) {
      case 'log':
        return this.#models.onLog(event.source, event.text);
      case 'models':
        return this.#models.onModels(event.models);
      case 'activity-rows':
        return this.#activity.onRows(event.rows);
      case 'activity-id':
        return this.#activity.onId(event.id);
      case 'in-flight-total':
      case 'in-flight-snapshot':
      case 'in-flight-upsert':
      case 'in-flight-remove':
        this.#sources.onEvent(event);
        return this.#inFlight.onEvent(event);
      case 'profile':
        this.#options.sink.profile(this.#options.hostId, event.active);
        return this.#profiles.onActive(event.active);
      case 'ui-config':
        return;
      case 'unknown':
        return this.#say(`message ${event.word}`);
      case 'malformed':
        return this.#say(`frame ${event.detail}`);
    }
  }

  #say(what: string): void {
    const word = what.slice(0, 120);
    if (this.#strange.size >= 20 || this.#strange.has(word)) return;
    this.#strange.add(word);
    this.#options.log.warn(
      { hostId: this.#options.hostId, what: word },
      'the host sent what is not known here',
    );
  }

  /** Activity on its way to the store is given its source, and ends rows of what runs. */
  #watchedSink(): Pick<FleetSink, 'activity' | 'activityListed'> {
    return {
      activity: (_hostId, rows) => {
        this.#sources.take(rows);
        this.#inFlight.onEnded(rows.filter(isRequest));
      },
      activityListed: () => this.#sources.listed(),
    };
  }
}

function isRequest(row: ActivityRow): row is Extract<ActivityRow, { type: 'request' }> {
  return row.type === 'request';
}
