import { isTerminal } from '#shared/schemas/intent.ts';
import type { IntentView } from '#shared/schemas/intent.ts';
import type { IntentDeskOptions } from './desk-options.ts';
import type { RecordLink } from './outbox-link.ts';
import type { OutboxSender } from './outbox-sender.ts';
import type { QueueRow } from './queue-row.ts';
import type { QueueRows } from './queue-rows.ts';
import {
  advance,
  cancelStands,
  endHere,
  expiryOf,
  isOpen,
  isReady,
  isWaiting,
  prunable,
  standsInOutbox,
} from './row-rules.ts';

const EVERY_MS = 5_000;
/** What another tab offered is left to it for so long. */
const LEFT_TO_OTHERS_MS = 3_000;
const FATE_AFTER_MS = 15_000;
const FATE_AGAIN_MS = 60_000;
const FATES_AT_ONCE = 4;

/** What a pass works with. */
export type QueuePassOptions = Pick<IntentDeskOptions, 'ledger' | 'session' | 'connection' | 'fateOf'> & {
  readonly rows: QueueRows;
  readonly sender: OutboxSender;
};

/**
 * Brings queue, outbox and ledger together, over and over: notes what the ledger says and what expired, offers what may
 * go, takes out what ended. A pass may be cut off anywhere: whatever it had not stored, the next one does again.
 */
export class QueuePass {
  readonly #options: QueuePassOptions;
  /** Rows that this tab offered, and since when it has known those that others did. */
  readonly #ownIds = new Set<string>();
  readonly #knownSince = new Map<string, number>();
  readonly #fateAsked = new Map<string, number>();
  #running = false;
  #again = false;
  /** The browser refused to store something of this pass: it is tried again later, not at once. */
  #isRefused = false;
  #timer: ReturnType<typeof setTimeout> | null = null;
  #stopped = false;

  constructor(options: QueuePassOptions) {
    this.#options = options;
  }

  /** Runs a pass now, or another after the one that runs. */
  soon(): void {
    this.#again = true;
    if (!this.#running && !this.#stopped) void this.#run();
  }

  stop(): void {
    this.#stopped = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
  }

  /**
   * The row as it is stored first: where it can leave at once, that it may have left is stored with it. From then on a
   * crash cannot make this device say that it was never sent.
   */
  offer(row: QueueRow): QueueRow {
    if (this.#options.sender.link === null || !isReady(row, Date.now())) return row;
    this.#ownIds.add(row.id);
    return { ...row, offered: true };
  }

  async #run(): Promise<void> {
    this.#running = true;
    this.#isRefused = false;
    while (this.#again && !this.#stopped && !this.#isRefused) {
      this.#again = false;
      // oxlint-disable-next-line no-await-in-loop -- a pass builds on what the one before it stored
      await this.#once().catch((error: unknown) => console.error('The queue could not be worked on.', error));
    }
    this.#running = false;
    this.#schedule();
  }

  async #once(): Promise<void> {
    await this.#adopt();
    await this.#advance();
    await this.#offer();
    const { link } = this.#options.sender;
    if (link !== null) await this.#fill(link);
    await this.#prune();
    this.#askFates();
  }

  /** What an earlier session of this browser left unsent is now this one's, to be looked at first. */
  async #adopt(): Promise<void> {
    const deviceId = this.#deviceId;
    if (deviceId === null) return;
    const now = Date.now();
    const isForeign = (row: QueueRow): boolean => row.deviceId !== deviceId && isWaiting(row, now);
    await this.#change(isForeign, (row) => ({ ...row, deviceId, held: true, approved: false }));
  }

  async #advance(): Promise<void> {
    const { ledger, session, rows } = this.#options;
    const now = Date.now();
    const label = session.get().device?.label ?? 'this device';
    const next = (row: QueueRow): QueueRow =>
      advance(row, {
        now,
        label,
        view: ledger.get().get(row.id),
        before: row.after === null ? undefined : rows.rows.get(row.after),
      });
    await this.#change((row) => next(row) !== row, next);
  }

  async #offer(): Promise<void> {
    const { sender } = this.#options;
    const now = Date.now();
    const isMine = (row: QueueRow): boolean => isReady(row, now) && row.deviceId === this.#deviceId;
    if (sender.link === null) return;
    await this.#change(isMine, (row) => {
      this.#ownIds.add(row.id);
      return { ...row, offered: true };
    });
  }

  /** Puts what stands in the outbox and is not there, takes out what ended, and notes what has left. */
  async #fill(link: RecordLink): Promise<void> {
    const deviceId = this.#deviceId;
    if (deviceId === null) return;
    const now = Date.now();
    const { rows } = this.#options.rows;
    const intents = [...rows.values()].flatMap((row) =>
      row.record !== null && standsInOutbox(row, deviceId) && this.#isOurs(row.id, now)
        ? [[row.id, row.record] as const]
        : [],
    );
    const cancels = [...rows.values()].flatMap((row) =>
      row.cancel !== null && cancelStands(row, deviceId) ? [[row.id, row.cancel] as const] : [],
    );
    link.put({ intents: new Map(intents), cancels: new Map(cancels) });
    const ended = link.ids().filter((id) => this.#isEnded(id));
    if (ended.length > 0) link.remove(ended);
    const there = new Set(link.ids());
    const label = this.#options.session.get().device?.label ?? 'this device';
    await this.#change(
      (row) => row.state === 'queued' && row.offered && there.has(row.id),
      (row) => ({ ...row, state: 'sent', steps: [...row.steps, { state: 'sent', at: now, by: label }] }),
    );
  }

  #isOurs(id: string, now: number): boolean {
    if (this.#ownIds.has(id)) return true;
    const since = this.#knownSince.get(id) ?? now;
    this.#knownSince.set(id, since);
    return now - since >= LEFT_TO_OTHERS_MS;
  }

  #isEnded(id: string): boolean {
    const view = this.#options.ledger.get().get(id) ?? this.#options.rows.rows.get(id)?.view;
    return view ? isTerminal(view.state) : false;
  }

  async #prune(): Promise<void> {
    const ids = prunable(this.#options.rows.rows.values(), Date.now());
    if (ids.length > 0) await this.#options.rows.change(ids, () => ({ put: [], remove: ids }));
  }

  /** What left long ago and is in no ledger ended while this device was away: the collector knows how. */
  #askFates(): void {
    const { connection, ledger, rows } = this.#options;
    if (connection.get().kind !== 'live') return;
    const now = Date.now();
    const lost = [...rows.rows.values()].filter(
      (row) =>
        row.record !== null &&
        row.offered &&
        isOpen(row) &&
        !ledger.get().has(row.id) &&
        now - Math.max(row.steps.at(-1)?.at ?? 0, connection.get().since) > FATE_AFTER_MS &&
        now - (this.#fateAsked.get(row.id) ?? 0) > FATE_AGAIN_MS,
    );
    for (const row of lost.slice(0, FATES_AT_ONCE)) {
      this.#fateAsked.set(row.id, now);
      void this.#askFate(row);
    }
  }

  async #askFate({ id, record }: QueueRow): Promise<void> {
    const fate = await this.#options.fateOf(id);
    if (fate === 'no-answer') return;
    const now = Date.now();
    if (fate === null && (record === null || now < expiryOf(record))) return;
    await this.#options.rows.change([id], (rows) => {
      const row = rows.get(id);
      return { put: row === undefined || !isOpen(row) ? [] : [settled(row, fate, now)] };
    });
  }

  /** Changes every row for which `isMeant` holds, looking again at what is stored. */
  async #change(isMeant: (row: QueueRow) => boolean, next: (row: QueueRow) => QueueRow): Promise<void> {
    const { rows } = this.#options;
    const ids = [...rows.rows.values()].filter(isMeant).map(({ id }) => id);
    if (ids.length === 0) return;
    const isStored = await rows.change(ids, (stored) => ({
      put: [...stored.values()].filter(isMeant).map(next),
    }));
    if (!isStored) this.#isRefused = true;
  }

  get #deviceId(): string | null {
    return this.#options.session.get().device?.id ?? null;
  }

  /** Time passes for what is open: it expires, it is left to another tab no longer, it could not be written. */
  #schedule(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    const { rows } = this.#options;
    const open = [...rows.rows.values()].filter(isOpen);
    if (this.#stopped || (open.length === 0 && rows.error === null)) return;
    const now = Date.now();
    const waits = open.flatMap((row) =>
      row.record !== null && isWaiting(row, now) ? [expiryOf(row.record) - now] : [],
    );
    this.#timer = setTimeout(() => void this.#onTimer(), Math.max(0, Math.min(EVERY_MS, ...waits)));
  }

  async #onTimer(): Promise<void> {
    await this.#options.rows.save();
    this.soon();
  }
}

function settled(row: QueueRow, fate: IntentView | null, now: number): QueueRow {
  if (fate !== null) return { ...row, view: fate };
  const reason = 'The collector never received it.';
  return { ...endHere(row, 'expired-here', { at: now, by: 'collector', reason }), view: null };
}
