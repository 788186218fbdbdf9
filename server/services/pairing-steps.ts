import type { Device, Role } from '#shared/schemas/auth.ts';
import { boundedText } from '#shared/lib/bounded-text.ts';
import type { AccessDatabase } from '../domain/access-ports.ts';
import { CODE_MS, OPEN_PER_MAKER, POLL_AFTER_MS } from '../domain/pairing-policy.ts';
import { AppError } from '../errors.ts';
import { hashSecret, newRowId, newSessionToken } from './credentials.ts';

const USER_AGENT_MAX = 256;

/** Who asks to be let in, as far as the network shows it. */
export interface Applicant {
  readonly address: string;
  readonly userAgent: string;
}

/** A device to be let in: `by` is the kind of its code, or the request that was allowed. */
export interface Admission {
  readonly label: string;
  readonly role: Role;
  readonly by: string;
  readonly address: string;
  readonly session: string;
}

/** Writes a new device and its session, inside the caller's transaction. */
export function admitDevice({ access, audit }: AccessDatabase, given: Admission, now: number): Device {
  const { label, role, by, address, session } = given;
  const device = { id: newRowId('dev'), label, role };
  const times = { createdAt: now, lastSeenAt: now, revokedAt: null };
  access.insertDevice({ ...device, sessionHash: hashSecret(session), ...times });
  const actor = { kind: 'device', id: device.id, label } as const;
  audit.append({ at: now, actor, action: 'device.pair', target: device.id, detail: { role, by, address } });
  return device;
}

/** Writes a request to be let in, inside the caller's transaction; the secret it returns is the applicant's alone. */
export function askToPair(
  { access, audit }: AccessDatabase,
  given: { readonly label: string; readonly role: Role; readonly madeBy: string; readonly from: Applicant },
  now: number,
): { readonly requestId: string; readonly expiresAt: number } {
  const { label, role, madeBy } = given;
  if (access.openRequests(now).filter((open) => open.madeBy === madeBy).length >= OPEN_PER_MAKER) {
    throw new AppError('rate_limited', 'Too many devices wait to be let in; try again later.', {
      retryAfterMs: POLL_AFTER_MS,
    });
  }
  const requestId = newSessionToken();
  const id = newRowId('req');
  const { address } = given.from;
  const userAgent = boundedText(given.from.userAgent, USER_AGENT_MAX);
  const expiresAt = now + CODE_MS;
  access.insertRequest({
    id,
    secretHash: hashSecret(requestId),
    label,
    role,
    madeBy,
    address,
    userAgent,
    createdAt: now,
    expiresAt,
    decision: null,
    deviceId: null,
  });
  const actor = { kind: 'stranger', id: address, label } as const;
  audit.append({ at: now, actor, action: 'pairing.ask', target: id, detail: { role, madeBy, userAgent } });
  return { requestId, expiresAt };
}
