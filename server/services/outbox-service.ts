import { roleAllows } from '#shared/schemas/auth.ts';
import type { HealthCheck } from '#shared/schemas/info.ts';
import { CLOSE_CODES, type CloseCode } from '#sync/close-codes.ts';
import { formatOutboxName, type OutboxName } from '#sync/doc-name.ts';
import { actorOf, type AuditLog } from '../domain/audit-log.ts';
import type { Authenticator, Identity } from '../domain/identity.ts';
import type { NextEpoch, OutboxJudge, OutboxTotals } from '../domain/outbox-ports.ts';
import { countQuarantine, epochAfterRestore, holdMs, shouldRotate } from '../domain/outbox-policy.ts';
import { outboxCheck, type Quarantined } from '../domain/health/outbox-check.ts';
import type { HealthSource } from '../domain/ports.ts';
import type { Store } from '../domain/store-ports.ts';
import { OutboxRoom, type Accepted, type Hostile, type OutboxMember } from './outbox-room.ts';
import { OutboxIntake, type IntakeOptions } from './outbox-intake.ts';

/** What the service is made of. */
export interface OutboxServiceOptions extends IntakeOptions {
  readonly store: Pick<Store, 'outboxes' | 'transact'>;
  readonly audit: Pick<AuditLog, 'append'>;
  readonly judge: OutboxJudge;
  readonly authenticator: Pick<Authenticator, 'onEnded'>;
}

/** Why somebody is not let into an outbox. */
export interface OutboxRefused {
  readonly code: CloseCode;
  readonly reason: string;
}

const GONE = 'epoch gone';

/**
 * The outboxes: who may open which, and their epochs. A device writes into its own and into no other; what it writes is
 * read in a thread, and only records that are plain JSON come back from there.
 */
export class OutboxService implements HealthSource {
  readonly #options: OutboxServiceOptions;
  readonly #intake: OutboxIntake;
  readonly #rooms = new Map<string, OutboxRoom>();
  readonly #restored = new Set<string>();
  #lastQuarantine: Quarantined | null = null;
  #cancel: () => void = () => {};
  #isStopped = false;

  constructor(options: OutboxServiceOptions) {
    this.#options = options;
    this.#intake = new OutboxIntake(options);
  }

  /** Begins to listen for identities that end. */
  start(): void {
    this.#cancel = this.#options.authenticator.onEnded((ownerId, why) => {
      if (why === 'revoked') this.#drop(ownerId);
    });
  }

  /** Takes nothing more; devices send again what was not taken. */
  stop(): void {
    this.#isStopped = true;
    this.#cancel();
    for (const room of this.#rooms.values()) room.retire(CLOSE_CODES.restarting, 'restarting');
    this.#rooms.clear();
  }

  /** The current name of the outbox of an identity; null for one that may not act. */
  nameOf({ id, role }: Identity): string | null {
    return roleAllows(role, 'operator')
      ? formatOutboxName(id, this.#options.store.outboxes.epochOf(id))
      : null;
  }

  /** Opens an outbox for its owner. */
  open({ ownerId, epoch }: OutboxName, identity: Identity): OutboxRoom | OutboxRefused {
    if (ownerId !== identity.id) return { code: CLOSE_CODES.role, reason: 'the outbox of another' };
    if (!roleAllows(identity.role, 'operator')) return { code: CLOSE_CODES.role, reason: 'role' };
    if (this.#isStopped) return { code: CLOSE_CODES.restarting, reason: 'restarting' };
    try {
      const heldMs = this.#heldMs(ownerId);
      if (heldMs > 0) {
        const seconds = Math.ceil(heldMs / 1000);
        return { code: CLOSE_CODES.slowConsumer, reason: `held back for ${seconds} s` };
      }
      const room = this.#rooms.get(ownerId) ?? this.#load(ownerId);
      if (room.outbox.epoch === epoch) return room;
    } catch (error) {
      this.#options.log.error({ ownerId, error: String(error) }, 'an outbox could not be opened');
      return { code: CLOSE_CODES.restarting, reason: 'unavailable' };
    }
    return { code: CLOSE_CODES.document, reason: GONE };
  }

  /**
   * A device holds what the collector does not have: history went back here without anybody saying so. What it asked for
   * in that history and the ledger does not know is not done. It holds for this device alone, so that nobody can do it
   * to another, and once a process: a running collector never goes back.
   */
  historyWentBack(identity: Identity): void {
    if (!roleAllows(identity.role, 'operator') || this.#restored.has(identity.id)) return;
    this.#restored.add(identity.id);
    const { store, clock, log } = this.#options;
    const epoch = epochAfterRestore(store.outboxes.epochOf(identity.id), clock.now());
    log.warn({ by: identity.id }, 'a device holds more than this collector ever knew: was it restored?');
    this.#begin(identity.id, { epoch, floor: epoch }, { actor: identity, action: 'outbox.history-restored' });
  }

  health(): readonly HealthCheck[] {
    const { store, clock, judge } = this.#options;
    const totals = this.#totals(store.outboxes);
    if (totals === null) return [];
    const facts = { totals, lastQuarantine: this.#lastQuarantine, thread: judge.gauges() };
    return [outboxCheck(facts, clock.now())];
  }

  /** Null while the database cannot be read, which has a check of its own. */
  #totals(outboxes: OutboxServiceOptions['store']['outboxes']): OutboxTotals | null {
    try {
      return outboxes.totals();
    } catch {
      return null;
    }
  }

  #heldMs(ownerId: string): number {
    const quarantines = this.#options.store.outboxes.quarantinesOf(ownerId);
    return quarantines === null ? 0 : holdMs(quarantines, this.#options.clock.now());
  }

  /** Nobody is in it any more. */
  #close(ownerId: string, room: OutboxRoom | undefined): void {
    if (this.#rooms.get(ownerId) !== room) return;
    this.#rooms.delete(ownerId);
    if (this.#rooms.size === 0) this.#options.judge.hold(false);
  }

  #load(ownerId: string): OutboxRoom {
    const { store, judge, clock } = this.#options;
    const outbox = store.outboxes.get(ownerId);
    const size = { ...outbox, bytes: outbox.state?.byteLength ?? 0, recordBytes: 0, clients: 0 };
    if (outbox.records === 0 && shouldRotate(size, clock.now())) {
      store.outboxes.begin(ownerId, { epoch: outbox.epoch + 1 }, clock.now());
      return this.#load(ownerId);
    }
    const room: OutboxRoom = new OutboxRoom({
      judge,
      clock,
      intake: this.#intake,
      store: store.outboxes,
      ownerId,
      outbox,
      onHostile: (member, verdict) => this.#quarantine(room, member, verdict),
      onAccepted: (verdict) => this.#rotateWhenDue(ownerId, room, verdict),
      onUnreadable: () => this.#begin(ownerId, { epoch: room.outbox.epoch + 1 }),
      onEmpty: () => this.#close(ownerId, room),
    });
    this.#rooms.set(ownerId, room);
    judge.hold(true);
    return room;
  }

  #rotateWhenDue(ownerId: string, room: OutboxRoom, verdict: Accepted): void {
    const { records, recordBytes, clients, state } = verdict;
    const { since, epoch } = room.outbox;
    const size = { records, recordBytes, clients, since, bytes: state.byteLength };
    if (shouldRotate(size, this.#options.clock.now())) this.#begin(ownerId, { epoch: epoch + 1 });
  }

  /** Nobody's but the sender's document can hold it: that one is dropped, and its owner begins anew. */
  #quarantine(room: OutboxRoom, member: OutboxMember, { reason, detail }: Hostile): void {
    const { store, clock, log } = this.#options;
    const { identity } = member;
    const now = clock.now();
    const quarantines = countQuarantine(store.outboxes.quarantinesOf(identity.id), now);
    this.#lastQuarantine = { label: identity.label, reason, at: now, count: quarantines.count };
    log.warn({ by: identity.id, document: room.name, reason, detail }, 'an outbox was quarantined');
    member.close(isOverLimit(reason) ? CLOSE_CODES.quota : CLOSE_CODES.role, `quarantined: ${reason}`);
    this.#begin(
      identity.id,
      { epoch: room.outbox.epoch + 1, quarantines },
      { actor: identity, action: 'outbox.quarantine', detail: { reason, detail } },
    );
  }

  /** Begins another epoch and sends everybody there. When it cannot be written, they come back and meet the same again. */
  #begin(
    ownerId: string,
    next: NextEpoch,
    why?: {
      readonly actor: Identity;
      readonly action: string;
      readonly detail?: { readonly reason: string; readonly detail: string };
    },
  ): void {
    const { store, audit, clock, log } = this.#options;
    const at = clock.now();
    let end: OutboxRefused = { code: CLOSE_CODES.document, reason: GONE };
    try {
      store.transact(() => {
        store.outboxes.begin(ownerId, next, at);
        if (!why) return;
        const detail = { ...why.detail, epoch: next.epoch };
        audit.append({ at, actor: actorOf(why.actor), action: why.action, target: ownerId, detail });
      });
    } catch (error) {
      log.error({ ownerId, error: String(error) }, 'another epoch of an outbox could not be begun');
      end = { code: CLOSE_CODES.restarting, reason: 'unavailable' };
    }
    const room = this.#rooms.get(ownerId);
    this.#close(ownerId, room);
    room?.retire(end.code, end.reason);
  }

  /** The sockets are closed by whoever holds them, with the code of an ended session. */
  #drop(ownerId: string): void {
    const { store, log } = this.#options;
    const room = this.#rooms.get(ownerId);
    this.#close(ownerId, room);
    room?.abandon();
    try {
      store.outboxes.remove(ownerId);
    } catch (error) {
      log.error({ ownerId, error: String(error) }, 'the outbox of a revoked device could not be dropped');
    }
  }
}

function isOverLimit(reason: Hostile['reason']): boolean {
  return reason === 'too_large' || reason === 'too_many' || reason === 'deadline' || reason === 'memory';
}
