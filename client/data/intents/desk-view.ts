import type { IntentView } from '#shared/schemas/intent.ts';
import { frameBatch } from '../frame-batch.ts';
import type { IntentDeskOptions } from './desk-options.ts';
import { byAge, countEntries, entryOf } from './entry-view.ts';
import type { Viewer } from './entry-view.ts';
import type { OutboxSender } from './outbox-sender.ts';
import type { QueueRow } from './queue-row.ts';
import type { QueueRows } from './queue-rows.ts';
import { isForReview } from './row-rules.ts';
import type { IntentEntry, OutboxState } from './types.ts';

/** What the view is made from. */
export type DeskViewOptions = Pick<
  IntentDeskOptions,
  'storage' | 'ledger' | 'session' | 'connection' | 'offsetMs' | 'output'
> & {
  readonly rows: QueueRows;
  readonly sender: OutboxSender;
};

interface Made {
  readonly row: QueueRow | undefined;
  readonly view: IntentView | undefined;
  readonly saved: boolean;
  readonly entry: IntentEntry | null;
}

/** Puts queue and ledger on screen, once a paint. An entry of which nothing changed keeps its object. */
export class DeskView {
  readonly #options: DeskViewOptions;
  readonly #publish = frameBatch(() => this.#publishNow());
  #made = new Map<string, Made>();
  #viewer: Viewer | null = null;
  /** Collector time at which this device was last in step before it was away; null while it is not. */
  #awayAt: number | null = null;
  /** Once back with old actions, the review stays until each is decided, also if the network goes again. */
  #reviewSince: number | null = null;

  constructor(options: DeskViewOptions) {
    this.#options = options;
  }

  /** Something changed. */
  soon(): void {
    const { kind, dataAsOf } = this.#options.connection.get();
    if (kind !== 'live') this.#awayAt = dataAsOf ?? this.#awayAt;
    this.#publish();
  }

  #publishNow(): void {
    const { rows, ledger, output, storage, sender } = this.#options;
    const entries = this.#entries(rows.rows, ledger.get());
    const waiting = [...rows.rows.values()].filter((row) => isForReview(row, Date.now()));
    output.showIntents(entries);
    output.showOutbox({
      ...countEntries(entries),
      storage: storage === 'saved' && rows.error !== null ? 'not-saved' : storage,
      storageError: storage === 'saved' ? rows.error : null,
      refusal: sender.refusal,
      review: this.#review(waiting),
    });
  }

  #review(waiting: readonly QueueRow[]): OutboxState['review'] {
    const { sender, offsetMs } = this.#options;
    const isBack = sender.link !== null;
    if (waiting.length === 0) {
      this.#reviewSince = null;
      if (isBack) this.#awayAt = null;
      return null;
    }
    if (isBack) {
      const oldest = Math.min(...waiting.map(({ madeAt }) => madeAt)) + offsetMs();
      this.#reviewSince ??= Math.min(this.#awayAt ?? oldest, oldest);
    }
    if (this.#reviewSince === null) return null;
    return { since: this.#reviewSince, ids: waiting.map(({ id }) => id).sort() };
  }

  #entries(
    rows: ReadonlyMap<string, QueueRow>,
    ledger: ReadonlyMap<string, IntentView>,
  ): readonly IntentEntry[] {
    const { session, offsetMs } = this.#options;
    const { device } = session.get();
    const viewer: Viewer = {
      deviceId: device?.id ?? null,
      label: device?.label ?? 'this device',
      offsetMs: offsetMs(),
    };
    if (!isSameViewer(viewer, this.#viewer)) this.#made = new Map();
    this.#viewer = viewer;
    const made = new Map<string, Made>();
    for (const id of new Set([...rows.keys(), ...ledger.keys()])) {
      made.set(id, this.#make(id, rows.get(id), ledger.get(id), viewer));
    }
    this.#made = made;
    return [...made.values()].flatMap(({ entry }) => entry ?? []).sort(byAge);
  }

  #make(id: string, row: QueueRow | undefined, view: IntentView | undefined, viewer: Viewer): Made {
    const { storage, rows } = this.#options;
    const isRefused = !rows.isSaved(id);
    const saved = storage === 'saved' && !isRefused;
    const known = this.#made.get(id);
    if (known && known.row === row && known.view === view && known.saved === saved) return known;
    return { row, view, saved, entry: entryOf({ row, view, saved, isRefused }, viewer) };
  }
}

function isSameViewer(a: Viewer, b: Viewer | null): boolean {
  return a.deviceId === b?.deviceId && a.label === b.label && a.offsetMs === b.offsetMs;
}
