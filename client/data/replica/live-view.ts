import type { InFlight } from '#shared/schemas/in-flight.ts';
import type { LiveTopic } from '#shared/schemas/live.ts';
import { encodeSubscribe } from '#sync/live-frame.ts';
import { LiveReader } from '#sync/live-reader.ts';
import { frameBatch } from '../frame-batch.ts';
import { giveLogFrame, logWishCell } from '../logs/log-wish.ts';
import { tellNews } from '../live-news.ts';
import { inFlightCell, LIVE_UNKNOWN, liveByHost } from '../live-state.ts';
import { performanceByHost } from '../performance-state.ts';
import { presenceByHost } from '../presence-state.ts';
import { PresenceTeller } from './presence-teller.ts';

/** What the owner of a {@link LiveView} hears. */
export interface LiveViewListener {
  /** The copy of this document holds what the collector refused. */
  readonly onDiscard: (documentName: string) => void;
  /** Role or name of this device changed. */
  readonly onSession: () => void;
  /** A frame for the fleet socket, if it is open. */
  readonly send: (frame: Uint8Array) => void;
}

/** Puts live frames into the cells that components watch, once a paint. Without a socket nothing is live. */
export class LiveView {
  readonly #reader = new LiveReader();
  readonly #touched = new Set<string>();
  readonly #sampled = new Set<string>();
  readonly #publish = frameBatch(() => this.#publishNow());
  readonly #listener: LiveViewListener;
  readonly #teller: PresenceTeller;
  readonly #endWishes: () => void;
  #isOpen = false;

  constructor(listener: LiveViewListener) {
    this.#listener = listener;
    this.#teller = new PresenceTeller(listener.send);
    // Leaving one log for another is two changes and one subscription.
    const ask = microtaskBatch(() => this.#isOpen && this.#subscribe());
    this.#endWishes = logWishCell.subscribe(ask);
  }

  /** The fleet socket stands: asks for everything a page shows live, and says what this page shows. */
  opened(): void {
    this.#isOpen = true;
    this.#subscribe();
    this.#teller.opened();
  }

  #subscribe(): void {
    const logs = logWishCell.get();
    const topics: LiveTopic[] = ['status', 'in-flight', 'presence', 'performance'];
    // An older collector takes no subscription with a field it does not know: it is there only when it is needed.
    this.#listener.send(encodeSubscribe({ topics, ...(logs === null ? {} : { logs }) }));
  }

  /** The frame of a socket on which nothing is live: this client reads live frames, such as "drop your copy". */
  emptySubscription(): Uint8Array {
    return encodeSubscribe({ topics: [] });
  }

  /** Takes the body of a live frame. */
  accept(body: Uint8Array): void {
    const event = this.#reader.accept(body);
    if (event.type === 'discard') this.#listener.onDiscard(event.document);
    if (event.type === 'news') {
      if (event.news === 'session') this.#listener.onSession();
      tellNews(event.news);
    }
    if (event.type === 'logs') giveLogFrame(event.body);
    if (event.type !== 'changed') return;
    const changed = event.topic === 'performance' ? this.#sampled : this.#touched;
    for (const hostId of event.hostIds) changed.add(hostId);
    this.#publish();
  }

  /** The socket went: everything is unknown at once, not at the next frame; samples have a time and grow old. */
  reset(): void {
    const { status, inFlight, presence } = this.#reader;
    for (const hostId of [...status.keys(), ...inFlight.keys(), ...presence.keys()])
      this.#touched.add(hostId);
    this.#isOpen = false;
    this.#teller.closed();
    this.#publishSamples();
    this.#reader.reset();
    this.#publishNow();
  }

  /** Ends it: nothing is live any more, and nothing is told. */
  stop(): void {
    this.reset();
    this.#endWishes();
    this.#teller.stop();
    for (const hostId of performanceByHost.keys()) performanceByHost.at(hostId).set(null);
  }

  #publishSamples(): void {
    for (const hostId of this.#sampled)
      performanceByHost.at(hostId).set(this.#reader.performance.get(hostId) ?? null);
    this.#sampled.clear();
  }

  #publishNow(): void {
    this.#publishSamples();
    const { status, inFlight, presence } = this.#reader;
    for (const hostId of this.#touched) {
      presenceByHost.at(hostId).set(presence.get(hostId) ?? null);
      const lastSeenAt = status.get(hostId)?.lastSeenAt ?? null;
      const running = inFlight.get(hostId) ?? null;
      const cell = liveByHost.at(hostId);
      const known = cell.get();
      if (known.lastSeenAt === lastSeenAt && known.inFlight === running) continue;
      cell.set(lastSeenAt === null && running === null ? LIVE_UNKNOWN : { lastSeenAt, inFlight: running });
    }
    this.#touched.clear();
    const all = [...inFlight.values()].sort(byHost);
    if (!isSame(all, inFlightCell.get())) inFlightCell.set(all);
  }
}

function byHost(a: InFlight, b: InFlight): number {
  return a.hostId < b.hostId ? -1 : 1;
}

function isSame(a: readonly InFlight[], b: readonly InFlight[]): boolean {
  return a.length === b.length && a.every((value, index) => value === b[index]);
}

/** Runs `task` once after what runs now, however often it is called until then. */
function microtaskBatch(task: () => void): () => void {
  let isDue = false;
  return () => {
    if (isDue) return;
    isDue = true;
    queueMicrotask(() => {
      isDue = false;
      task();
    });
  };
}
