import { isTerminal } from '#shared/schemas/intent.ts';
import { roleAllows } from '#shared/schemas/auth.ts';
import type { ApiError, Result } from '../types.ts';
import type { IntentDeskOptions } from './desk-options.ts';
import { DeskView } from './desk-view.ts';
import { blankRow, done, makeRecord, refused, rowOf } from './make-record.ts';
import { OutboxSender } from './outbox-sender.ts';
import { QueuePass } from './queue-pass.ts';
import type { QueueRow } from './queue-row.ts';
import { QueueRows } from './queue-rows.ts';
import { endHere, isForReview, isOpen, isUnclaimed } from './row-rules.ts';
import type { IntentDraft } from './types.ts';

const SEVEN_DAYS_MS = 604_800_000;

/**
 * Where actions are made, taken back and decided on: this device's queue beside the collector's ledger. A call resolves
 * when its change is stored; what follows from it is the work of {@link QueuePass}.
 */
export class IntentDesk {
  readonly #options: IntentDeskOptions;
  readonly #rows: QueueRows;
  readonly #sender: OutboxSender;
  readonly #pass: QueuePass;
  readonly #view: DeskView;
  #loading: Promise<void> | null = null;

  constructor(options: IntentDeskOptions) {
    const { store, news, session, outboxName, openLink, refresh } = options;
    this.#options = options;
    this.#rows = new QueueRows({ store, news, onChange: () => this.#look() });
    this.#sender = new OutboxSender({
      name: outboxName,
      session,
      openLink,
      refresh,
      onInStep: () => this.#look(),
      onRefusal: () => this.#look(),
    });
    this.#pass = new QueuePass({ ...options, rows: this.#rows, sender: this.#sender });
    this.#view = new DeskView({ ...options, rows: this.#rows, sender: this.#sender });
  }

  /** Shows the queue and sends what may go; everything ends with `signal`. */
  start(signal: AbortSignal): void {
    const { ledger, session, connection } = this.#options;
    const look = (): void => this.#look();
    const stops = [
      ledger.subscribe(look),
      connection.subscribe(look),
      session.subscribe(() => this.#followSession()),
    ];
    signal.addEventListener('abort', () => {
      for (const stop of stops) stop();
      this.#pass.stop();
      this.#options.store.close();
      this.#options.news.close();
    });
    this.#followSession();
    this.#sender.start(signal);
  }

  /** The network may be back, or somebody looks at the page: sends at once what waits, and stores what could not be. */
  flushNow(): void {
    void this.#rows.save();
    this.#sender.tryNow();
    this.#look();
  }

  /** Queues an action. */
  async queue(draft: IntentDraft): Promise<Result<{ readonly id: string }>> {
    const made = await this.#make(draft, null);
    if (made.ok && draft.supersedes !== undefined) await this.#dismissEnded(draft.supersedes);
    return made;
  }

  /** Takes an intent back. */
  async cancel(id: string): Promise<Result<null>> {
    await this.#loading;
    const { deviceId, label } = this.#author();
    if (deviceId === null) return refused('unauthorized', 'This device is not signed in.');
    const row = this.#rows.rows.get(id);
    const view = this.#options.ledger.get().get(id) ?? row?.view;
    if (row === undefined && view === undefined) return refused('not_found', 'There is no such action.');
    if (view ? isTerminal(view.state) : row !== undefined && !isOpen(row))
      return refused('already_ended', 'Too late: it has ended already.');
    if (view?.state === 'claimed' || view?.state === 'running')
      return refused('already_claimed', 'Too late: already claimed; abort it instead.');
    const now = Date.now();
    const saved = await this.#rows.change([id], (rows) => ({
      put: [takenBack(rows.get(id) ?? blankRow(id, deviceId, now), now, label)],
    }));
    return this.#kept(saved);
  }

  /** Replaces an unclaimed intent by one that is void at `untilMs`, on the collector's clock. */
  async changeExpiry(id: string, untilMs: number): Promise<Result<{ readonly id: string }>> {
    await this.#loading;
    const source = this.#sourceOf(id);
    if (!source.ok) return source;
    const row = this.#rows.rows.get(id);
    const view = this.#options.ledger.get().get(id) ?? row?.view;
    const isChangeable = view ? !isTerminal(view.state) : row !== undefined && isOpen(row);
    if (!isChangeable) return refused('already_ended', 'Too late: it has ended already.');
    if (view && view.state !== 'received' && view.state !== 'waiting')
      return refused('already_claimed', 'Too late: already claimed.');
    const ttlMs = Math.round(untilMs - this.#options.offsetMs() - Date.now());
    if (ttlMs < 1_000) return refused('bad_request', 'This time has passed.');
    if (ttlMs > SEVEN_DAYS_MS) return refused('bad_request', 'At most 7 days from now.');
    return this.#make({ ...source.value, ttlMs, supersedes: id }, id);
  }

  /** Asks for the same again, fresh. */
  async askAgain(id: string): Promise<Result<{ readonly id: string }>> {
    await this.#loading;
    const source = this.#sourceOf(id);
    if (!source.ok) return source;
    const { confirm: _confirm, supersedes: _supersedes, ...fresh } = source.value;
    const seenAt = this.#options.connection.get().dataAsOf;
    const made = await this.#make({ ...fresh, seenAt }, null);
    if (made.ok) await this.#dismissEnded(id);
    return made;
  }

  /** The person has read how it ended. */
  async dismiss(id: string): Promise<Result<null>> {
    await this.#loading;
    return (await this.#dismissEnded(id)) ? done(null) : refused('not_ended', 'It has not ended yet.');
  }

  /** Decides on what waited too long. */
  async decideReview(send: readonly string[], drop: readonly string[]): Promise<Result<null>> {
    await this.#loading;
    const { label } = this.#author();
    const now = Date.now();
    const saved = await this.#rows.change([...send, ...drop], (rows) => ({
      put: [...rows.values()]
        // Another tab may have decided, or it may have expired meanwhile.
        .filter((row) => isForReview(row, now))
        .map((row) =>
          drop.includes(row.id)
            ? endHere(row, 'dropped', { at: now, by: label, reason: null })
            : { ...row, approved: true },
        ),
    }));
    return this.#kept(saved);
  }

  /** Everything the ledger is not known to have. */
  async exportUnsent(): Promise<Blob> {
    await this.#loading;
    const ledger = this.#options.ledger.get();
    const rows = [...this.#rows.rows.values()].filter(
      (row) => isOpen(row) && row.view === null && !ledger.has(row.id),
    );
    const text = JSON.stringify(
      {
        exportedAt: Date.now(),
        device: this.#options.session.get().device,
        intents: rows.flatMap(({ record, state, steps }) =>
          record === null ? [] : [{ state, steps, record }],
        ),
      },
      null,
      2,
    );
    return new Blob([text], { type: 'application/json' });
  }

  /** Makes a record and stores it; with `replaces`, together with what becomes of that one. */
  async #make(fields: object, replaces: string | null): Promise<Result<{ readonly id: string }>> {
    await this.#loading;
    const { storage, session, outboxName, onQueued } = this.#options;
    const { deviceId, label } = this.#author();
    const { role } = session.get();
    const name = outboxName.get();
    if (deviceId === null) return refused('unauthorized', 'This device is not signed in.');
    if (role !== null && !roleAllows(role, 'operator'))
      return refused('forbidden', `Your role is ${role}: you may look.`);
    if (name === null)
      return refused('not_ready', 'The collector has not said yet where actions go. Try again.');
    const isLive = this.#sender.link !== null;
    if (storage === 'insecure' && !isLive)
      return refused('needs_https', 'Without https nothing can be kept here until the collector is back.');
    const now = Date.now();
    const made = makeRecord(fields, { outboxName: name, now, rows: this.#rows.rows.values() });
    if (!made.ok) return made;
    const row = rowOf(made.value, deviceId, label);
    const { id } = row;
    const saved = await this.#rows.change(replaces === null ? [id] : [id, replaces], (rows) => {
      if (replaces === null) return { put: [this.#pass.offer(row)] };
      const before = rows.get(replaces) ?? blankRow(replaces, deviceId, now);
      return { put: [{ ...row, after: replaces }, takenBack(before, now, label)], isWhole: true };
    });
    if (!this.#rows.rows.has(id)) return this.#notSaved('Nothing was changed.');
    onQueued();
    if (saved || storage === 'insecure' || this.#sender.link !== null) return done({ id });
    return this.#notSaved('It is sent while the app stays open.');
  }

  /** What an intent asked for, whoever made it. */
  #sourceOf(id: string): Result<object & { readonly confirm?: unknown; readonly supersedes?: unknown }> {
    const row = this.#rows.rows.get(id);
    if (row !== undefined && row.record !== null) {
      const { id: _id, v: _v, createdAt: _createdAt, epoch: _epoch, ...asked } = row.record;
      return done(asked);
    }
    const view = this.#options.ledger.get().get(id) ?? row?.view;
    if (!view) return refused('not_found', 'There is no such action.');
    const { kind, target, params, precondition, confirm, whenDown } = view;
    return done({
      kind,
      target,
      params,
      whenDown,
      seenAt: null,
      ...(precondition === null ? {} : { precondition }),
      ...(confirm === null ? {} : { confirm }),
    });
  }

  async #dismissEnded(id: string): Promise<boolean> {
    const view = this.#options.ledger.get().get(id);
    const deviceId = this.#author().deviceId ?? '';
    let isEnded = false;
    await this.#rows.change([id], (rows) => {
      const row = rows.get(id) ?? blankRow(id, deviceId, Date.now());
      isEnded = view ? isTerminal(view.state) : rows.has(id) && !isOpen(row);
      return { put: isEnded ? [{ ...row, dismissed: true }] : [] };
    });
    return isEnded;
  }

  #kept(saved: boolean): Result<null> {
    return saved || this.#options.storage === 'insecure' ? done(null) : this.#notSaved('');
  }

  #notSaved(then: string): ApiError {
    const why = this.#rows.error ?? 'the browser refused';
    return refused('not_saved', `Not saved on this device: ${why}. ${then}`.trim());
  }

  #author(): { readonly deviceId: string | null; readonly label: string } {
    const { device } = this.#options.session.get();
    return { deviceId: device?.id ?? null, label: device?.label ?? 'this device' };
  }

  /** A session that ended by itself keeps its queue; one that was taken back or given up leaves nothing. */
  #followSession(): void {
    const { status, device } = this.#options.session.get();
    if (device !== null) {
      this.#loading ??= this.#rows.load();
    } else if (status === 'signed-out' && this.#loading !== null) {
      this.#loading = null;
      this.#rows.clear();
    }
    this.#look();
  }

  #look(): void {
    this.#pass.soon();
    this.#view.soon();
  }
}

/** Here while it cannot have left; else it is a wish that the collector decides on. */
function takenBack(row: QueueRow, now: number, by: string): QueueRow {
  const isHere = row.record !== null && row.state === 'queued' && !row.offered && row.view === null;
  if (isHere) return endHere(row, 'dropped', { at: now, by, reason: null });
  if (row.record !== null && !isUnclaimed(row)) return row;
  return { ...row, cancel: row.cancel ?? { v: 1, createdAt: now } };
}
