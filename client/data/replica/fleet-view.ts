import type * as Y from 'yjs';
import type { Host } from '#shared/schemas/host.ts';
import type { IntentView } from '#shared/schemas/intent.ts';
import type { Model } from '#shared/schemas/model.ts';
import type { SegmentEntry } from '#shared/schemas/segment.ts';
import { observeFleet, readFleet } from '#sync/fleet-doc.ts';
import { parseFleetEntry } from '#sync/fleet-record.ts';
import { fleetCell, hostById, modelsByHost, modelsCell } from '../fleet-state.ts';
import { frameBatch } from '../frame-batch.ts';
import { ledgerCell } from '../intents/intent-cells.ts';

/** Parsing stops for this frame after so long: a large fleet must not make the page stall. */
const SLICE_MS = 8;
/** The same while nothing of the fleet is on screen yet, and nobody scrolls. */
const FIRST_SLICE_MS = 24;
/** A fleet that takes many frames is shown in parts, but not in every frame: drawing it costs more than parsing it. */
const SHOW_WITHIN_MS = 250;
/** Far faster than `localeCompare` for hundreds of hosts. */
const collator = new Intl.Collator(undefined, { numeric: true });
const DELETED = Symbol('deleted');

/** Which entries are parsed first: hosts are what the first paint needs. */
const PARSE_ORDER = ['meta', 'host', 'model', 'ledger', 'segment'] as const;
/** The first of {@link PARSE_ORDER} without which a host's card is whole. */
const LATER = PARSE_ORDER.indexOf('ledger');

/** How {@link FleetView} is set up. */
export interface FleetViewOptions {
  readonly doc: Y.Doc;
  /** The manifest changed; given whole. */
  readonly onManifest: (entries: readonly SegmentEntry[]) => void;
}

/**
 * The immutable store beside the fleet document: parses what changed, at most some milliseconds a frame, and puts it into
 * the cells that components watch. An entry that was not written again keeps its object.
 */
export class FleetView {
  readonly #options: FleetViewOptions;
  readonly #hosts = new Map<string, Host>();
  readonly #models = new Map<string, Model>();
  readonly #intents = new Map<string, IntentView>();
  readonly #segments = new Map<string, SegmentEntry>();
  readonly #pending = new Map<string, unknown>();
  readonly #work = frameBatch(() => this.#parseSome());
  readonly #stopObserving: () => void;
  #touched = nothingTouched();
  #shownAt = performance.now();
  #stopped = false;
  #manifestChanged = false;
  /** False until the document held something or was in step with the collector. */
  #loaded = false;

  constructor(options: FleetViewOptions) {
    this.#options = options;
    const entries = [...readFleet(options.doc)].sort(([a], [b]) => orderOf(a) - orderOf(b));
    this.#enqueue(new Map(entries), []);
    this.#stopObserving = observeFleet(options.doc, ({ set, deleted }) => this.#enqueue(set, deleted));
  }

  /** The document is in step: an empty fleet is now known to be empty. */
  setLoaded(): void {
    if (this.#loaded) return;
    this.#loaded = true;
    this.#work();
  }

  /** Ends it and empties the cells. */
  stop(): void {
    this.#stopped = true;
    this.#stopObserving();
    for (const key of hostById.keys()) hostById.at(key).set(null);
    for (const key of modelsByHost.keys()) modelsByHost.at(key).set([]);
    modelsCell.set([]);
    ledgerCell.set(new Map());
    fleetCell.set({ hosts: [], loaded: false, asOf: null });
  }

  #enqueue(set: ReadonlyMap<string, unknown>, deleted: readonly string[]): void {
    for (const [key, value] of set) this.#pending.set(key, value);
    for (const key of deleted) this.#pending.set(key, DELETED);
    if (this.#pending.size === 0) return;
    this.#loaded = true;
    this.#work();
  }

  #parseSome(): void {
    if (this.#stopped) return;
    const until = performance.now() + (fleetCell.get().loaded ? SLICE_MS : FIRST_SLICE_MS);
    for (const [key, value] of this.#pending) {
      this.#pending.delete(key);
      this.#apply(key, value, this.#touched);
      if (performance.now() > until) break;
    }
    if (this.#pending.size > 0) this.#work();
    if (!this.#isShowable()) return;
    this.#shownAt = performance.now();
    const touched = this.#touched;
    this.#touched = nothingTouched();
    this.#publish(touched);
  }

  /** Hosts come with their models, the rest when there is some; nothing waits for long. */
  #isShowable(): boolean {
    const next = this.#pending.keys().next();
    if (next.done === true) return true;
    const isWhole = orderOf(next.value) >= LATER && (this.#touched.hosts || this.#touched.models.size > 0);
    return isWhole || performance.now() - this.#shownAt > SHOW_WITHIN_MS;
  }

  #apply(key: string, value: unknown, touched: Touched): void {
    const host = this.#hosts.get(key);
    const model = this.#models.get(key);
    // An entry that no longer fits its schema is as good as gone: its old value would be a lie.
    const record = value === DELETED ? null : parseFleetEntry(key, value);
    if (host || record?.type === 'host') touched.hosts = true;
    if (model) touched.models.add(model.hostId);
    if (this.#intents.delete(key)) touched.intents = true;
    if (this.#segments.delete(key)) touched.segments = true;
    if (host) hostById.at(host.id).set(null);
    this.#hosts.delete(key);
    this.#models.delete(key);
    if (record?.type === 'host') {
      this.#hosts.set(key, record.value);
      hostById.at(record.value.id).set(record.value);
    } else if (record?.type === 'model') {
      this.#models.set(key, record.value);
      touched.models.add(record.value.hostId);
    } else if (record?.type === 'intent') {
      this.#intents.set(key, record.value);
      touched.intents = true;
    } else if (record?.type === 'segment') {
      this.#segments.set(key, record.value);
      touched.segments = true;
    }
  }

  #publish(touched: Touched): void {
    if (touched.hosts || fleetCell.get().loaded !== this.#loaded) {
      const hosts = touched.hosts ? [...this.#hosts.values()].sort(byLabel) : fleetCell.get().hosts;
      fleetCell.set({ ...fleetCell.get(), hosts, loaded: this.#loaded });
    }
    if (touched.models.size > 0) {
      const models = [...this.#models.values()].sort(byHostAndId);
      for (const hostId of touched.models) {
        modelsByHost.at(hostId).set(models.filter((model) => model.hostId === hostId));
      }
      modelsCell.set(models);
    }
    if (touched.intents) ledgerCell.set(new Map([...this.#intents.values()].map((view) => [view.id, view])));
    this.#manifestChanged ||= touched.segments;
    // Half of a manifest would say of the other half that the collector dropped it.
    if (!this.#manifestChanged || this.#pending.size > 0) return;
    this.#manifestChanged = false;
    this.#options.onManifest([...this.#segments.values()]);
  }
}

interface Touched {
  hosts: boolean;
  intents: boolean;
  segments: boolean;
  readonly models: Set<string>;
}

function nothingTouched(): Touched {
  return { hosts: false, intents: false, segments: false, models: new Set() };
}

function orderOf(key: string): number {
  const index = PARSE_ORDER.findIndex((word) => key.startsWith(word));
  return index < 0 ? PARSE_ORDER.length : index;
}

function byLabel(a: Host, b: Host): number {
  return collator.compare(a.label, b.label) || (a.id < b.id ? -1 : 1);
}

function byHostAndId(a: Model, b: Model): number {
  if (a.hostId !== b.hostId) return a.hostId < b.hostId ? -1 : 1;
  if (a.modelId === b.modelId) return 0;
  return a.modelId < b.modelId ? -1 : 1;
}
