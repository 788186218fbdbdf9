import { roleAllows, type Device, type Role } from '#shared/schemas/auth.ts';
import {
  pairingCode,
  type PairingDecision,
  type PairingRequest,
  type PairingWait,
} from '#shared/schemas/pairing.ts';
import type { AccessDatabase, PairingRequestRecord } from '../domain/access-ports.ts';
import { addressKey, AttemptLimit } from '../domain/attempt-limit.ts';
import { actorOf } from '../domain/audit-log.ts';
import type { Identity } from '../domain/identity.ts';
import {
  codeStanding,
  COLLECT_MS,
  mayDecide,
  POLL_AFTER_MS,
  type CodeStanding,
} from '../domain/pairing-policy.ts';
import type { Clock, Log } from '../domain/ports.ts';
import { isLive } from '../domain/session-policy.ts';
import { AppError } from '../errors.ts';
import { hashSecret, newSessionToken, sessionForApplicant } from './credentials.ts';
import { PairingCodes, type IssuedCode } from './pairing-codes.ts';
import { codeRefusal, refuseTooMany, tooLate } from './pairing-refusals.ts';
import { admitDevice, askToPair, type Applicant } from './pairing-steps.ts';

const FAILURE_LIMIT = { max: 10, windowMs: 60_000, maxAddresses: 10_000 } as const;

/** What came of a code or a poll: let in with the secret of a session, or waiting for a word of the maker. */
export type PairOutcome =
  | { readonly kind: 'paired'; readonly device: Device; readonly session: string }
  | ({ readonly kind: 'waiting' } & PairingWait);

/** What a code came to: an answer, or why it is worth nothing. */
type Redeemed = PairOutcome | Exclude<CodeStanding, 'open'>;

/** What the service needs. */
export interface PairingServiceOptions {
  readonly database: AccessDatabase;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * Letting devices in. A code of the first start or the command line lets in at once: whoever has it could read the
 * server's own screen. One made on a device only asks, because codes are photographed, read aloud and sent on: its maker
 * sees who came with it and decides.
 */
export class PairingService {
  readonly #database: AccessDatabase;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #wrongCodes = new AttemptLimit(FAILURE_LIMIT);
  readonly #wrongPolls = new AttemptLimit(FAILURE_LIMIT);
  readonly #codes: PairingCodes;
  readonly #listeners = new Set<(madeBy: string) => void>();
  readonly #pairedListeners = new Set<() => void>();

  constructor(options: PairingServiceOptions) {
    this.#database = options.database;
    this.#clock = options.clock;
    this.#log = options.log;
    this.#codes = new PairingCodes(options);
  }

  /** Called when the requests of a maker changed: somebody asks, or was answered. */
  onRequestsChanged(listener: (madeBy: string) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Called when a device was let in. */
  onPaired(listener: () => void): () => void {
    this.#pairedListeners.add(listener);
    return () => this.#pairedListeners.delete(listener);
  }

  /** See {@link PairingCodes.forFirstStart}. */
  firstStartCode(given: string | null): string | null {
    return this.#codes.forFirstStart(given);
  }

  /** See {@link PairingCodes.forWhoeverReads}. */
  issueCode(role: Role): IssuedCode {
    return this.#codes.forWhoeverReads(role);
  }

  /** See {@link PairingCodes.madeBy}. */
  createCode(maker: Identity, role: Role): IssuedCode {
    return this.#codes.madeBy(maker, role);
  }

  /** Redeems a code. Only failures count towards the limit of an address. */
  pair(request: { readonly code: string; readonly label: string }, from: Applicant): PairOutcome {
    const now = this.#clock.now();
    const address = addressKey(from.address);
    refuseTooMany(this.#wrongCodes.waitMs(address, now));
    const isCode = pairingCode.safeParse(request.code).success;
    const outcome = isCode ? this.#redeem(hashSecret(request.code), request.label, from, now) : 'unknown';
    if (typeof outcome !== 'string') return outcome;
    this.#wrongCodes.count(address, now);
    throw codeRefusal(outcome);
  }

  /** Answers an applicant: still waiting, in, refused or too late. */
  poll(requestId: string, from: Pick<Applicant, 'address'>): PairOutcome {
    const now = this.#clock.now();
    const address = addressKey(from.address);
    refuseTooMany(this.#wrongPolls.waitMs(address, now));
    const request = this.#database.access.requestBySecret(hashSecret(requestId));
    if (!request) {
      this.#wrongPolls.count(address, now);
      throw tooLate();
    }
    if (request.decision === 'refused') throw new AppError('refused', 'You were not let in.');
    if (now >= request.expiresAt) throw tooLate();
    if (request.decision === null) return waiting(requestId, request.expiresAt);
    const session = sessionForApplicant(requestId);
    const device = this.#collect(request, session, now);
    return { kind: 'paired', device, session };
  }

  /** Who waits for a word of `identity`, oldest first. */
  requests(identity: Identity): readonly PairingRequest[] {
    return this.#database.access
      .openRequests(this.#clock.now())
      .filter((request) => mayDecide(identity, request))
      .map((request) => this.#shown(request));
  }

  /** Lets an applicant in, as what the code gives or as `role`, or sends it away. */
  decide(identity: Identity, id: string, { decision, role }: PairingDecision): void {
    const { access, audit } = this.#database;
    const now = this.#clock.now();
    const madeBy = this.#database.transact(() => {
      const request = access.request(id);
      if (!request || !mayDecide(identity, request)) {
        throw new AppError('not_found', 'There is no such request to be let in.');
      }
      if (request.decision !== null) throw new AppError('conflict', 'This request was answered before.');
      if (now >= request.expiresAt) throw new AppError('gone', 'This request ran out; make a new code.');
      const given = role ?? request.role;
      if (decision === 'allow' && !roleAllows(identity.role, given)) {
        throw new AppError('forbidden', `You may give at most your own role, ${identity.role}.`);
      }
      const isAllowed = decision === 'allow';
      access.decide(id, {
        decision: isAllowed ? 'allowed' : 'refused',
        role: isAllowed ? given : request.role,
        // Said yes in the last second: the applicant still has to hear it.
        expiresAt: isAllowed ? Math.max(request.expiresAt, now + COLLECT_MS) : request.expiresAt,
      });
      audit.append({
        at: now,
        actor: actorOf(identity),
        action: isAllowed ? 'pairing.allow' : 'pairing.refuse',
        target: id,
        detail: { label: request.label, address: request.address, role: given },
      });
      return request.madeBy;
    });
    this.#tell(madeBy);
  }

  /** One transaction: the code is checked, used up, and what it gives is written, or none of it. */
  #redeem(codeHash: string, label: string, from: Applicant, now: number): Redeemed {
    const { access } = this.#database;
    let asked: string | null = null;
    const outcome = this.#database.transact((): Redeemed => {
      const code = access.code(codeHash);
      const makerRole = code === null || code.madeBy === null ? null : this.#makerRole(code.madeBy, now);
      const standing = codeStanding(code, { now, hasDevice: access.hasDevice(), makerRole });
      if (standing !== 'open') return standing;
      if (code === null || !access.useCode(codeHash, now)) return 'used';
      const { role, madeBy, kind } = code;
      if (madeBy === null) {
        const session = newSessionToken();
        const admission = { label, role, by: kind, address: from.address, session };
        return { kind: 'paired', device: admitDevice(this.#database, admission, now), session };
      }
      const { requestId, expiresAt } = askToPair(this.#database, { label, role, madeBy, from }, now);
      asked = madeBy;
      return waiting(requestId, expiresAt);
    });
    if (asked !== null) this.#tell(asked);
    if (typeof outcome !== 'string' && outcome.kind === 'paired') this.#announcePaired(outcome.device);
    return outcome;
  }

  #announcePaired({ id, label, role }: Device): void {
    this.#log.info({ deviceId: id, label, role }, 'a device was paired');
    for (const listener of this.#pairedListeners) listener();
  }

  /** The device of an allowed request: made at the first poll, the same one when that answer was lost. */
  #collect(request: PairingRequestRecord, session: string, now: number): Device {
    const { access } = this.#database;
    const { device, isNew } = this.#database.transact(() => {
      const { deviceId } = access.request(request.id) ?? request;
      if (deviceId !== null) {
        const known = access.device(deviceId);
        if (!known || !isLive(known, now)) throw tooLate();
        return { device: { id: known.id, label: known.label, role: known.role }, isNew: false };
      }
      const { label, role, address, id } = request;
      const admitted = admitDevice(this.#database, { label, role, by: id, address, session }, now);
      access.collect(id, admitted.id);
      return { device: admitted, isNew: true };
    });
    if (isNew) this.#announcePaired(device);
    return device;
  }

  #makerRole(id: string, now: number): Role | null {
    const { access } = this.#database;
    const device = access.device(id);
    if (device) return isLive(device, now) ? device.role : null;
    const key = access.keys().find((candidate) => candidate.id === id);
    return key?.revokedAt === null ? key.role : null;
  }

  #shown(request: PairingRequestRecord): PairingRequest {
    const { access } = this.#database;
    const { id, label, address, userAgent, role, createdAt, expiresAt, madeBy } = request;
    const maker = access.device(madeBy) ?? access.keys().find((key) => key.id === madeBy);
    return { id, label, address, userAgent, role, at: createdAt, expiresAt, madeBy: maker?.label ?? madeBy };
  }

  #tell(madeBy: string): void {
    for (const listener of this.#listeners) listener(madeBy);
  }
}

function waiting(requestId: string, expiresAt: number): PairOutcome {
  return { kind: 'waiting', requestId, pollAfterMs: POLL_AFTER_MS, expiresAt };
}
