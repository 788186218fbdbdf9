import { setImmediate } from 'node:timers/promises';
import { CLOSE_CODES, type CloseCode } from '#sync/close-codes.ts';
import { formatOutboxName } from '#sync/doc-name.ts';
import type { OutboxVerdict } from '#sync/outbox-check.ts';
import { encodeStep1, encodeStep2, encodeUpdate } from '#sync/sync-frame.ts';
import type { Identity } from '../domain/identity.ts';
import type { OutboxJudge, OutboxStore, StoredOutbox, UnfinishedVerdict } from '../domain/outbox-ports.ts';
import type { Clock } from '../domain/ports.ts';
import type { OutboxIntake, WriteReceipt } from './outbox-intake.ts';

/** A socket as the room sees it. */
export interface OutboxMember {
  readonly identity: Identity;
  /** True once the server closed it: nothing that it sent before is taken any more. */
  readonly isRefused: boolean;
  send(frame: Uint8Array): void;
  close(code: CloseCode, reason: string): void;
}

/** An update that no device of ours sends. */
export type Hostile = (OutboxVerdict | UnfinishedVerdict) & { readonly type: 'refused' };
/** An update that was taken. */
export type Accepted = OutboxVerdict & { readonly type: 'accepted' };

/** What a room is made of. */
export interface OutboxRoomOptions {
  readonly ownerId: string;
  readonly intake: OutboxIntake;
  readonly outbox: StoredOutbox;
  readonly judge: OutboxJudge;
  readonly store: OutboxStore;
  readonly clock: Clock;
  readonly onHostile: (member: OutboxMember, verdict: Hostile) => void;
  readonly onAccepted: (verdict: Accepted) => void;
  /** What is stored cannot be read: nobody can write to it any more. */
  readonly onUnreadable: () => void;
  /** Nobody is in it, and nothing waits. */
  readonly onEmpty: () => void;
}

interface Seat {
  readonly member: OutboxMember;
  frames: number;
  bytes: number;
  /** Updates left out since we asked for what comes before them; null: not asked. */
  gaps: number | null;
  /** It has what stood here when it came, so that what comes after it is of use. */
  isAnswered: boolean;
}

/** Frames of one socket that may wait to be read. */
const QUEUED_FRAMES = 256;
const QUEUED_BYTES = 1024 * 1024;
/** A page that just connected may write a few times before its answer to our step 1 is here. */
const MAX_GAPS = 32;
/** An update that took longer than this has its owner wait four times as long, so that others come to their turn. */
const FAIR_MS = 50;
/** Between two looks whether an owner who brought too much may bring more. */
const REST_MS = 50;
const EMPTY_VECTOR = Uint8Array.from([0]);
const EMPTY_UPDATE = Uint8Array.from([0, 0]);

/** One outbox while somebody is connected to it: everything that any of its pages sends, one after the other. */
export class OutboxRoom {
  readonly #options: OutboxRoomOptions;
  readonly #seats = new Map<OutboxMember, Seat>();
  #outbox: StoredOutbox;
  #waiting = 0;
  #work: Promise<void> = Promise.resolve();
  #isRetired = false;

  constructor(options: OutboxRoomOptions) {
    this.#options = options;
    this.#outbox = options.outbox;
  }

  get name(): string {
    return formatOutboxName(this.#options.ownerId, this.#outbox.epoch);
  }

  get outbox(): StoredOutbox {
    return this.#outbox;
  }

  /** Lets a socket in: it is asked for what is not here, and from its own step 1 on told what others write. */
  join(member: OutboxMember): void {
    this.#seats.set(member, { member, frames: 0, bytes: 0, gaps: null, isAnswered: false });
    member.send(encodeStep1(this.#outbox.vector ?? EMPTY_VECTOR));
  }

  leave(member: OutboxMember): void {
    this.#seats.delete(member);
    this.#tellEmpty();
  }

  /** A step 1. */
  ask(member: OutboxMember, vector: Uint8Array): void {
    this.#queue(member, vector.byteLength, (seat) => this.#answer(seat, vector));
  }

  /** A step 2 or an update, as it came. */
  write(member: OutboxMember, update: Uint8Array, receipt: WriteReceipt): void {
    this.#queue(member, update.byteLength, (seat) => this.#write(seat, update, receipt));
  }

  /** Something hostile that was seen without reading it. */
  refuse(member: OutboxMember, verdict: Hostile): void {
    if (!this.#isRetired) this.#options.onHostile(member, verdict);
  }

  /** Ends the room without a word to its sockets, which somebody else closes. */
  abandon(): void {
    this.#isRetired = true;
  }

  /** Ends the room: what waits is left to be sent again, and everybody is told where to look. */
  retire(code: CloseCode, reason: string): void {
    this.#isRetired = true;
    for (const member of this.#seats.keys()) member.close(code, reason);
  }

  #queue(member: OutboxMember, bytes: number, task: (seat: Seat) => Promise<void>): void {
    const seat = this.#seats.get(member);
    if (!seat || this.#isRetired) return;
    if (seat.frames >= QUEUED_FRAMES || (seat.frames > 0 && seat.bytes + bytes > QUEUED_BYTES)) {
      member.close(CLOSE_CODES.slowConsumer, 'more than can be read');
      return;
    }
    seat.frames += 1;
    seat.bytes += bytes;
    this.#waiting += 1;
    this.#work = this.#work.then(() => this.#run(seat, bytes, task));
  }

  async #run(seat: Seat, bytes: number, task: (seat: Seat) => Promise<void>): Promise<void> {
    try {
      if (this.#mayGoOn(seat)) await task(seat);
    } catch (error) {
      const { isPassing } = this.#options.intake.failed(error, this.name);
      if (!isPassing && this.#mayGoOn(seat)) this.#options.onUnreadable();
      // Nothing was kept of the frame: the device sends it again when it comes back.
      seat.member.close(CLOSE_CODES.restarting, 'unavailable');
    }
    seat.frames -= 1;
    seat.bytes -= bytes;
    this.#waiting -= 1;
    this.#tellEmpty();
  }

  #mayGoOn({ member }: Seat): boolean {
    return !this.#isRetired && !member.isRefused;
  }

  async #answer(seat: Seat, vector: Uint8Array): Promise<void> {
    const { state } = this.#outbox;
    const lacking =
      state === null
        ? EMPTY_UPDATE
        : vector.byteLength === 1
          ? state
          : await this.#options.judge.diff(state, vector);
    if (lacking === null) {
      seat.member.close(CLOSE_CODES.malformed, 'a state vector that cannot be answered');
      return;
    }
    seat.member.send(encodeStep2(lacking));
    seat.isAnswered = true;
  }

  async #write(seat: Seat, update: Uint8Array, receipt: WriteReceipt): Promise<void> {
    const { judge, onHostile } = this.#options;
    const { verdict, ranMs } = await judge.judge(this.#outbox.state, update);
    if (!this.#mayGoOn(seat)) return;
    switch (verdict.type) {
      case 'unchanged':
        seat.gaps = null;
        break;
      case 'gap':
        this.#askAgain(seat);
        break;
      case 'refused':
        onHostile(seat.member, verdict);
        break;
      case 'accepted':
        seat.gaps = null;
        await this.#accept(seat, verdict, receipt);
        break;
    }
    if (ranMs > FAIR_MS) await this.#rest(ranMs * 4);
  }

  /** Its answer to a step 1 brings everything that is not here, this update too. */
  #askAgain(seat: Seat): void {
    if (seat.gaps === null) seat.member.send(encodeStep1(this.#outbox.vector ?? EMPTY_VECTOR));
    seat.gaps = (seat.gaps ?? 0) + 1;
    if (seat.gaps > MAX_GAPS) {
      const detail = 'updates without what comes before them';
      this.#options.onHostile(seat.member, { type: 'refused', reason: 'forged', detail });
    }
  }

  /** Into the ledger, then to disk, then to the others: what is stored here is never more than the ledger knows. */
  async #accept(seat: Seat, verdict: Accepted, receipt: WriteReceipt): Promise<void> {
    const { ownerId, store, clock, onAccepted } = this.#options;
    const { member } = seat;
    const taking = this.#options.intake.take(
      verdict,
      { ...receipt, floor: this.#outbox.floor },
      () => member.identity,
    );
    for (let pause = taking.next(); pause.done !== true; pause = taking.next()) {
      await (pause.value === 'turn' ? setImmediate() : this.#rest(REST_MS));
      if (!this.#mayGoOn(seat)) return;
    }
    const { state, vector, records } = verdict;
    const now = clock.now();
    store.put(ownerId, { state, vector, records }, now);
    this.#outbox = { ...this.#outbox, state, vector, records, since: this.#outbox.since ?? now };
    const frame = encodeUpdate(verdict.update);
    for (const other of this.#seats.values()) {
      if (other !== seat && other.isAnswered) other.member.send(frame);
    }
    onAccepted(verdict);
  }

  #rest(durationMs: number): Promise<void> {
    return new Promise((resolve) => void this.#options.clock.after(durationMs, resolve));
  }

  #tellEmpty(): void {
    if (this.#seats.size === 0 && this.#waiting === 0 && !this.#isRetired) this.#options.onEmpty();
  }
}
