import * as Y from 'yjs';
import type { CancelRecord, IntentRecord } from '#shared/schemas/intent-request.ts';
import { encodeClock } from '#sync/live-frame.ts';
import { putCancel, putIntent, readOutbox, removeRecords } from '#sync/outbox-doc.ts';
import { DocumentConnection } from '../replica/document-connection.ts';

const CLOCK_EVERY_MS = 30_000;
const TRYING_MS = 3_000;

/** What the owner of an {@link OutboxLink} hears. */
export interface OutboxLinkListener {
  /** In step with the collector: what is put from now on leaves at once. */
  readonly onInStep: () => void;
  /** The collector ended it for good, with a code of 4400–4499; this link is of no use any more. */
  readonly onRefused: (code: number, reason: string) => void;
}

/** What stands in the outbox. */
export interface OutboxRecords {
  readonly intents: ReadonlyMap<string, IntentRecord>;
  readonly cancels: ReadonlyMap<string, CancelRecord>;
}

/** The way of records to the collector, as the queue needs it. */
export interface RecordLink {
  readonly isInStep: boolean;
  /** Puts what is not there yet. Only while in step: the same record put by two writers would be a change of it. */
  put(records: OutboxRecords): void;
  /** Takes out what is there of these. */
  remove(ids: readonly string[]): void;
  /** Ids of all records, also of those that another tab put there. */
  ids(): readonly string[];
  reconnectNow(): void;
  close(): void;
}

/**
 * One tab's end of this device's outbox: a document that holds nothing of its own, filled from the rows. The collector's
 * copy comes first, so that a record which another tab or an earlier start put there is not put again. The device's clock
 * is said before anything else on a connection: the life of a record is counted by it.
 */
export class OutboxLink implements RecordLink {
  readonly #doc = new Y.Doc();
  readonly #connection: DocumentConnection;
  readonly #clock: ReturnType<typeof setInterval>;
  #wasInStep = false;

  constructor(url: string, name: string, listener: OutboxLinkListener) {
    this.#connection = new DocumentConnection({
      url,
      name,
      doc: this.#doc,
      onState: () => {
        const { phase } = this.#connection.state();
        if (phase === 'open') this.#sayClock();
        const isNew = this.isInStep && !this.#wasInStep;
        this.#wasInStep = this.isInStep;
        if (isNew) listener.onInStep();
      },
      onRefused: listener.onRefused,
      // Nothing of the collector's is live here.
      onLive: () => undefined,
    });
    this.#clock = setInterval(() => this.#sayClock(), CLOCK_EVERY_MS);
    this.#connection.connect();
  }

  get isInStep(): boolean {
    return this.#connection.state().phase === 'synced';
  }

  put({ intents, cancels }: OutboxRecords): void {
    const there = readOutbox(this.#doc);
    this.#doc.transact(() => {
      for (const [id, record] of intents) if (!there.intents.has(id)) putIntent(this.#doc, record);
      for (const [id, record] of cancels) if (!there.cancels.has(id)) putCancel(this.#doc, id, record);
    });
  }

  remove(ids: readonly string[]): void {
    removeRecords(this.#doc, ids);
  }

  ids(): readonly string[] {
    const { intents, cancels } = readOutbox(this.#doc);
    return [...intents.keys(), ...cancels.keys()];
  }

  /** An attempt that has just begun is not cut off: it is as good as another. */
  reconnectNow(): void {
    const { phase, since } = this.#connection.state();
    const isTrying = phase === 'connecting' || phase === 'open';
    if (!isTrying || Date.now() - since > TRYING_MS) this.#connection.reconnectNow();
  }

  close(): void {
    clearInterval(this.#clock);
    this.#connection.destroy();
    this.#doc.destroy();
  }

  #sayClock(): void {
    this.#connection.send(Uint8Array.from(encodeClock(Date.now())));
  }
}
