import { roleAllows, type Role } from '#shared/schemas/auth.ts';
import type { AccessDatabase } from '../domain/access-ports.ts';
import { AttemptLimit } from '../domain/attempt-limit.ts';
import { actorOf, CLI_ACTOR, type AuditActor } from '../domain/audit-log.ts';
import type { Identity } from '../domain/identity.ts';
import { CHANGE_LIMIT, CODE_MS, KEEP_ENDED_MS, OPEN_PER_MAKER } from '../domain/pairing-policy.ts';
import type { Clock } from '../domain/ports.ts';
import { AppError } from '../errors.ts';
import { hashSecret, newPairingCode } from './credentials.ts';
import { refuseTooMany } from './pairing-refusals.ts';

/** A code as it is shown, once. */
export interface IssuedCode {
  readonly code: string;
  readonly expiresAt: number;
}

/** Making codes, each good for one device. They are kept as hashes. */
export class PairingCodes {
  readonly #database: AccessDatabase;
  readonly #clock: Clock;
  readonly #made = new AttemptLimit(CHANGE_LIMIT);

  constructor({ database, clock }: { readonly database: AccessDatabase; readonly clock: Clock }) {
    this.#database = database;
    this.#clock = clock;
  }

  /**
   * The code that pairs the first device, as admin: `given`, or a random one. Null once a device exists. Each start
   * makes a new one and forgets the last.
   */
  forFirstStart(given: string | null): string | null {
    const { access } = this.#database;
    if (access.hasDevice()) return null;
    const code = given ?? newPairingCode();
    const codeHash = hashSecret(code);
    const createdAt = this.#clock.now();
    const rest = { expiresAt: null, usedAt: null, madeBy: null };
    access.insertCode({ codeHash, kind: 'first_start', role: 'admin', createdAt, ...rest });
    return code;
  }

  /** A code made by whoever may open the database: for the locked-out, and for scripts. */
  forWhoeverReads(role: Role): IssuedCode {
    return this.#insert('cli', role, null, CLI_ACTOR);
  }

  /** A code made on a signed-in device, for at most its own role. A key makes one only with the role admin. */
  madeBy(maker: Identity, role: Role): IssuedCode {
    if (!roleAllows(maker.role, role)) {
      throw new AppError('forbidden', `You may give at most your own role, ${maker.role}.`);
    }
    if (maker.kind === 'key' && maker.role !== 'admin') {
      throw new AppError('forbidden', 'A key lets devices in only with the role admin.');
    }
    const now = this.#clock.now();
    refuseTooMany(this.#made.waitMs(maker.id, now));
    this.#made.count(maker.id, now);
    return this.#insert('device', role, maker.id, actorOf(maker));
  }

  #insert(kind: 'cli' | 'device', role: Role, madeBy: string | null, by: AuditActor): IssuedCode {
    const { access, audit } = this.#database;
    const code = newPairingCode();
    const at = this.#clock.now();
    const expiresAt = at + CODE_MS;
    this.#database.transact(() => {
      access.prunePairings(at - KEEP_ENDED_MS);
      const codeHash = hashSecret(code);
      access.insertCode(
        { codeHash, kind, role, createdAt: at, expiresAt, usedAt: null, madeBy },
        OPEN_PER_MAKER,
      );
      audit.append({
        at,
        actor: by,
        action: 'pairing-code.create',
        target: null,
        detail: { role, expiresAt },
      });
    });
    return { code, expiresAt };
  }
}
