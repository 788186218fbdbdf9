import type { HostProfiles } from '#shared/schemas/host.ts';
import type {
  EventStreamListener,
  HostFeatures,
  LlamaSwapClient,
  ObservedActivity,
  ObservedPerformance,
  RunningModel,
  UpstreamEvent,
  UpstreamFailure,
  UpstreamResult,
} from '../domain/ports.ts';

/** Features of a recent host, for tests that care about a few of them. */
export const FEATURES_V250: HostFeatures = {
  version: 'v250',
  commit: 'abc1234',
  buildDate: '2026-08-14',
  activity: 'activity',
  activityRange: false,
  activitySource: false,
  performance: true,
  wolHealth: true,
  profiles: true,
  profileList: { active: null, names: [] },
  hardware: true,
  bootMarker: null,
  machine: null,
  logStream: false,
  inFlightTrusted: true,
  modelLogs: true,
  wolProxy: false,
};

interface FakeStream {
  readonly listener: EventStreamListener;
  readonly signal: AbortSignal;
}

/** A host whose every answer a test decides, and which remembers what it was asked. */
export class FakeLlamaSwapClient implements LlamaSwapClient {
  features: HostFeatures = FEATURES_V250;
  /** What the host lists. */
  listed: ObservedActivity[] = [];
  /** When set, the stream is refused with it. */
  refusal: UpstreamFailure | null = null;
  /** When false, requests are never answered: the way is dead. */
  answers = true;
  profileList: HostProfiles = { active: null, names: [] };
  modelLog: readonly string[] = [];
  runningModels: readonly RunningModel[] = [];
  /** What the host sampled. */
  samples: ObservedPerformance = { enabled: true, system: [], gpus: [], unreadable: 0 };
  /** Whether a logged request's own line comes back on the stream. */
  echoes = true;
  readonly asked: string[] = [];
  readonly streams: FakeStream[] = [];
  /** Listings wait for this when it is set. */
  hold: Promise<void> | null = null;

  /** The key it is asked with. */
  key: string | null = null;

  secrets(): readonly string[] {
    return this.key === null ? [] : [this.key];
  }

  openEvents(listener: EventStreamListener, signal: AbortSignal): void {
    this.asked.push('events');
    const { refusal } = this;
    if (refusal) {
      queueMicrotask(() => listener.onClosed({ why: 'failed', failure: refusal }));
      return;
    }
    this.streams.push({ listener, signal });
    signal.addEventListener('abort', () => listener.onClosed({ why: 'aborted' }));
    if (this.answers) queueMicrotask(() => listener.onOpen({ clockOffsetMs: 0 }));
  }

  /** Streams that are open now. */
  get open(): FakeStream[] {
    return this.streams.filter(({ signal }) => !signal.aborted);
  }

  /** Sends an event on the newest stream. */
  say(...events: UpstreamEvent[]): void {
    const stream = this.streams.at(-1);
    for (const event of events) {
      stream?.listener.onBytes(100);
      stream?.listener.onEvent(event);
    }
  }

  /** The host ends the newest stream. */
  closeStream(): void {
    this.streams.at(-1)?.listener.onClosed({ why: 'end' });
  }

  probe(): Promise<UpstreamResult<HostFeatures>> {
    return this.#answer('probe', this.features);
  }

  ping(): Promise<UpstreamResult<null>> {
    return this.#answer('ping', null);
  }

  metrics(): Promise<UpstreamResult<readonly ObservedActivity[]>> {
    return this.#answer('metrics', this.listed);
  }

  async activityAfter(afterId: number | null, { limit }: { readonly limit: number }) {
    const rows = this.listed.filter((row) => row.id > (afterId ?? -1));
    const value = { rows: rows.slice(-limit), complete: rows.length <= limit };
    return this.#answer(`activity after ${afterId ?? 'nothing'}`, value);
  }

  profiles(): Promise<UpstreamResult<HostProfiles>> {
    return this.#answer('profiles', this.profileList);
  }

  running(): Promise<UpstreamResult<readonly RunningModel[]>> {
    return this.#answer('running', this.runningModels);
  }

  performance(after: number | null): Promise<UpstreamResult<ObservedPerformance>> {
    const newer = <T extends { readonly at: number }>(rows: readonly T[]) =>
      rows.filter(({ at }) => at > (after ?? Number.NEGATIVE_INFINITY));
    const { system, gpus } = this.samples;
    return this.#answer('performance', {
      ...this.samples,
      system: newer(system),
      gpus: gpus.map(({ gpu, readings }) => ({ gpu, readings: newer(readings) })),
    });
  }

  modelLogLines(modelId: string): Promise<UpstreamResult<readonly string[]>> {
    return this.#answer(`log of ${modelId}`, this.modelLog);
  }

  loggedPing(): Promise<UpstreamResult<{ readonly marker: string }>> {
    const marker = `/marker-${this.asked.length}`;
    if (this.echoes)
      this.say({ type: 'log', source: 'proxy', text: `[INFO] Request 1.2.3.4 "GET ${marker}"\n` });
    return this.#answer('logged ping', { marker });
  }

  async #answer<T>(what: string, value: T): Promise<UpstreamResult<T>> {
    this.asked.push(what);
    if (this.hold) await this.hold;
    if (!this.answers) return new Promise<never>(() => undefined);
    return { ok: true, value, clockOffsetMs: null };
  }
}
