import { readTailAsUint8Array } from 'lib0/decoding';
import { setFeedHistory } from '../activity-feeds.ts';
import { isSecure } from '../environment.ts';
import { HistoryClient } from '../history-client.ts';
import { heldModelEventsCell } from '../held-model-events-state.ts';
import { heldTimelinesCell } from '../held-timelines-state.ts';
import { heldPerformanceCell } from '../held-performance-state.ts';
import { syncUrl } from '../sync-url.ts';
import type { ConnectionFacts } from './connection-view.ts';
import { segmentDatabaseName } from './copy-databases.ts';
import type { DocumentNames } from './copy-databases.ts';
import { DocumentDatabase, documentDatabaseName } from './document-database.ts';
import { FleetView } from './fleet-view.ts';
import type { LiveView } from './live-view.ts';
import { ReplicatedDocument } from './replicated-document.ts';
import { TailFeed } from './tail-feed.ts';

/** What the owner of a {@link FleetReplica} hears. */
export interface FleetReplicaListener {
  /** A socket moved. */
  readonly onState: () => void;
  /** The collector ended a socket for good. */
  readonly onRefused: (code: number, reason: string) => void;
  /** The collector says that this copy holds what it refused: drop it and fetch anew. */
  readonly onDiscard: () => void;
  /** Role or name of this device changed: ask who we are. */
  readonly onSession: () => void;
  /** What of the copy cannot be kept and why; null: it can (again). */
  readonly onStorageError: (part: string, error: string | null) => void;
}

/** The documents of one generation on this device, with the views that pages read and the history worker. */
export class FleetReplica {
  readonly names: DocumentNames;
  readonly #fleet: ReplicatedDocument;
  readonly #tail: ReplicatedDocument;
  readonly #history: HistoryClient;
  readonly #listener: FleetReplicaListener;
  #view: FleetView | null = null;
  /** There once its code is, which comes after the first paint; no socket opens before. */
  #live: LiveView | null = null;
  #isWanted = false;
  #tailFeed: TailFeed | null = null;
  #policy = '';
  #fleetOpen = false;
  #tailOpen = false;
  #closed = false;

  constructor(deviceId: string, names: DocumentNames, listener: FleetReplicaListener) {
    this.names = names;
    this.#listener = listener;
    this.#fleet = this.#document(deviceId, names.fleet);
    this.#tail = this.#document(deviceId, names.tail);
    this.#history = new HistoryClient({
      onUncovered: (rows) => this.#tail.setHeld(rows > 0),
      onStorageError: (error) => listener.onStorageError('history', error),
    });
    this.#history.open(isSecure ? segmentDatabaseName(deviceId) : null);
  }

  /** Shows the copy on this device, then connects; rows and sockets wait until the page has `drawn` the hosts. */
  async start(drawn: Promise<void>): Promise<void> {
    await this.#fleet.load();
    if (this.#closed) return;
    this.#view = new FleetView({
      doc: this.#fleet.doc,
      onManifest: (entries) => this.#history.setManifest(entries),
    });
    await drawn;
    await this.#tail.load();
    if (this.#closed) return;
    this.#tailFeed = new TailFeed(this.#tail.doc, {
      onTrim: () => this.#tail.setHeld(true),
      onItems: (dictionary, items, whole) => this.#history.addTail(dictionary, items, whole),
    });
    setFeedHistory(this.#history);
    heldPerformanceCell.set(this.#history.performance);
    heldModelEventsCell.set(this.#history.modelEvents);
    heldTimelinesCell.set(this.#history.timelines);
    this.#isWanted = true;
    await this.#connect();
  }

  /** Opens the sockets. Where their code does not come, {@link reconnectNow} asks for it again. */
  async #connect(): Promise<void> {
    const code = await import('./live-view.ts').catch(() => null);
    if (code === null || this.#closed || !this.#isWanted) return;
    this.#live ??= new code.LiveView({
      onDiscard: (name) => {
        if (name === this.names.fleet || name === this.names.tail) this.#listener.onDiscard();
      },
      onSession: this.#listener.onSession,
      send: (frame) => this.#fleet.send(frame),
    });
    this.#fleet.connect();
    this.#tail.connect();
  }

  /** Where the sockets stand, for the pill. */
  sockets(): Pick<ConnectionFacts, 'fleet' | 'tail'> {
    return { fleet: this.#fleet.socket(), tail: this.#tail.socket() };
  }

  isIncomplete(): boolean {
    return this.#fleet.isIncomplete() || this.#tail.isIncomplete();
  }

  elect(): void {
    this.#fleet.elect();
    this.#tail.elect();
  }

  /** Tells the history worker what it may do, when that changed. */
  setHistoryPolicy(policy: Parameters<HistoryClient['setPolicy']>[0]): void {
    const text = JSON.stringify(policy);
    if (text === this.#policy) return;
    this.#policy = text;
    this.#history.setPolicy(policy);
  }

  reconnectNow(): void {
    if (this.#live === null) {
      if (this.#isWanted) void this.#connect();
      return;
    }
    this.#fleet.reconnectNow();
    this.#tail.reconnectNow();
  }

  /** Closes the sockets, keeps copy and screen. */
  disconnect(): void {
    this.#isWanted = false;
    this.#fleet.disconnect();
    this.#tail.disconnect();
  }

  async flush(): Promise<boolean> {
    const flushed = await Promise.all([this.#fleet.flush(), this.#tail.flush()]);
    return flushed.every(Boolean);
  }

  /** Ends everything; `keep` false: the copy is about to be deleted. */
  async close(keep: boolean): Promise<void> {
    this.#closed = true;
    setFeedHistory(null);
    heldPerformanceCell.set(null);
    heldModelEventsCell.set(null);
    heldTimelinesCell.set(null);
    this.#live?.stop();
    this.#view?.stop();
    this.#tailFeed?.stop();
    this.#history.stop();
    await Promise.all([this.#fleet.close(keep), this.#tail.close(keep)]);
  }

  #document(deviceId: string, name: string): ReplicatedDocument {
    const { onRefused, onStorageError } = this.#listener;
    return new ReplicatedDocument({
      url: syncUrl(),
      name,
      store: isSecure ? new DocumentDatabase(documentDatabaseName(deviceId, name)) : null,
      onState: () => this.#onState(),
      onRefused,
      onStorageError: (error) => onStorageError(name, error),
      onLive: (decoder) => this.#live?.accept(readTailAsUint8Array(decoder)),
    });
  }

  #onState(): void {
    if (this.#closed) return;
    if (this.#fleet.socket().phase === 'synced') this.#view?.setLoaded();
    const [wasFleet, wasTail] = [this.#fleetOpen, this.#tailOpen];
    this.#fleetOpen = isOpen(this.#fleet);
    this.#tailOpen = isOpen(this.#tail);
    if (this.#fleetOpen && !wasFleet) this.#live?.opened();
    // Nothing is live on this socket; subscribing says that this client understands being told to drop its copy.
    if (this.#live && this.#tailOpen && !wasTail) this.#tail.send(this.#live.emptySubscription());
    if (!this.#fleetOpen && wasFleet) this.#live?.reset();
    this.#listener.onState();
  }
}

function isOpen(document: ReplicatedDocument): boolean {
  const { phase } = document.socket();
  return phase === 'open' || phase === 'synced';
}
