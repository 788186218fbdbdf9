import type { InFlight } from '#shared/schemas/in-flight.ts';
import type { LivePresence, LiveSubscription, LiveTopic } from '#shared/schemas/live.ts';
import type { LivePerformance } from '#shared/schemas/performance.ts';
import type { Clock } from '../domain/ports.ts';
import { inFlightCount, LiveGroup, NOBODY } from './live-group.ts';
import type { LiveHost, LiveSubscriber } from './live-group.ts';

/** Shortest time between two frames of a topic. */
const PERIOD_MS: Readonly<Record<LiveTopic, number>> = {
  status: 1000,
  'in-flight': 250,
  presence: 500,
  performance: 1000,
};
/** Backlog of a socket past which live frames are left out, before anything else is given up. */
export const SHED_AT_BYTES = 256 * 1024;

interface Channel {
  readonly topic: LiveTopic;
  readonly groups: Map<string, LiveGroup>;
  lastFlushAt: number;
  cancel: (() => void) | null;
}

/**
 * What changes every second and is never stored: who was heard when, what runs, who looks. Connectors and sockets tell it,
 * subscribers get a snapshot and then deltas, at most one a second for `status` and `performance`, two for `presence` and
 * four for `in-flight`. A slow reader misses deltas, is told how many, and gets a snapshot when it caught up.
 */
export class LiveHub {
  readonly #clock: Clock;
  readonly #shedAtBytes: number;
  readonly #hosts = new Map<string, LiveHost>();
  readonly #subscriptions = new Map<
    LiveSubscriber,
    readonly { channel: Channel; key: string; group: LiveGroup }[]
  >();
  readonly #channels: Readonly<Record<LiveTopic, Channel>> = {
    status: { topic: 'status', groups: new Map(), lastFlushAt: 0, cancel: null },
    'in-flight': { topic: 'in-flight', groups: new Map(), lastFlushAt: 0, cancel: null },
    presence: { topic: 'presence', groups: new Map(), lastFlushAt: 0, cancel: null },
    performance: { topic: 'performance', groups: new Map(), lastFlushAt: 0, cancel: null },
  };
  #seq = 0;
  #shedFrames = 0;

  constructor(options: { readonly clock: Clock; readonly shedAtBytes?: number }) {
    this.#clock = options.clock;
    this.#shedAtBytes = options.shedAtBytes ?? SHED_AT_BYTES;
  }

  /** A byte or an answer came from the host. */
  seen(hostId: string, at: number): void {
    const host = this.#host(hostId);
    host.lastSeenAt = Math.max(at, host.lastSeenAt ?? at);
    this.#touch('status', hostId);
  }

  /** What runs on the host; null when nothing is known any more. */
  inFlight(hostId: string, inFlight: InFlight | null): void {
    const host = this.#host(hostId);
    const before = inFlightCount(host);
    host.inFlight = inFlight;
    this.#touch('in-flight', hostId);
    if (inFlightCount(host) !== before) this.#touch('status', hostId);
  }

  /** Who looks at the host now. */
  presence(hostId: string, presence: Omit<LivePresence, 'hostId'>): void {
    this.#host(hostId).presence = presence;
    this.#touch('presence', hostId);
  }

  /** The newest samples of the host's machine and cards. */
  performance(hostId: string, value: LivePerformance): void {
    this.#host(hostId).performance = value;
    this.#touch('performance', hostId);
  }

  /** The host was removed from Drover. */
  remove(hostId: string): void {
    if (!this.#hosts.delete(hostId)) return;
    this.#touch('status', hostId);
    this.#touch('in-flight', hostId);
    this.#touch('presence', hostId);
    this.#touch('performance', hostId);
  }

  /** Replaces the subscriber's subscription and sends a snapshot of each topic. */
  subscribe(subscriber: LiveSubscriber, subscription: LiveSubscription): void {
    this.unsubscribe(subscriber);
    const filter = subscription.hosts ? [...new Set(subscription.hosts)].sort() : null;
    const key = JSON.stringify(filter);
    const entries = [...new Set(subscription.topics)].map((topic) => {
      const channel = this.#channels[topic];
      const group = channel.groups.get(key) ?? this.#newGroup(topic, filter);
      channel.groups.set(key, group);
      return { channel, key, group };
    });
    this.#subscriptions.set(subscriber, entries);
    for (const { group } of entries) group.add(subscriber, this.#clock.now());
  }

  unsubscribe(subscriber: LiveSubscriber): void {
    for (const { channel, key, group } of this.#subscriptions.get(subscriber) ?? []) {
      group.remove(subscriber);
      if (group.size === 0) channel.groups.delete(key);
    }
    this.#subscriptions.delete(subscriber);
  }

  /** Ends the timers; subscribers are forgotten. */
  stop(): void {
    for (const channel of Object.values(this.#channels)) {
      channel.cancel?.();
      channel.cancel = null;
      channel.groups.clear();
    }
    this.#subscriptions.clear();
  }

  /** For health and metrics. */
  gauges(): { readonly subscribers: number; readonly shedFrames: number } {
    return { subscribers: this.#subscriptions.size, shedFrames: this.#shedFrames };
  }

  #host(hostId: string): LiveHost {
    let host = this.#hosts.get(hostId);
    if (!host) {
      host = { lastSeenAt: null, inFlight: null, presence: NOBODY, performance: null };
      this.#hosts.set(hostId, host);
    }
    return host;
  }

  #newGroup(topic: LiveTopic, filter: readonly string[] | null): LiveGroup {
    return new LiveGroup({
      topic,
      filter,
      hosts: this.#hosts,
      nextSeq: () => (this.#seq += 1),
      shedAtBytes: this.#shedAtBytes,
    });
  }

  #touch(topic: LiveTopic, hostId: string): void {
    const channel = this.#channels[topic];
    let wanted = false;
    for (const group of channel.groups.values()) wanted = group.touch(hostId) || wanted;
    if (wanted) this.#schedule(channel);
  }

  /** Leading edge: at once when the last flush is long ago, else when its period is over. */
  #schedule(channel: Channel): void {
    if (channel.cancel) return;
    const dueAt = channel.lastFlushAt + PERIOD_MS[channel.topic];
    const delayMs = Math.min(PERIOD_MS[channel.topic], Math.max(0, dueAt - this.#clock.now()));
    channel.cancel = this.#clock.after(delayMs, () => {
      channel.cancel = null;
      this.#flush(channel);
    });
  }

  #flush(channel: Channel): void {
    const now = this.#clock.now();
    channel.lastFlushAt = now;
    let waiting = false;
    for (const group of channel.groups.values()) {
      const result = group.flush(now);
      this.#shedFrames += result.shed;
      waiting ||= result.waiting;
    }
    if (waiting) this.#schedule(channel);
  }
}
