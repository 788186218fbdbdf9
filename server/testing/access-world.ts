import type { Role } from '#shared/schemas/auth.ts';
import { AppError } from '../errors.ts';
import { CLI_ACTOR } from '../domain/audit-log.ts';
import type { Identity } from '../domain/identity.ts';
import { AuthService } from '../services/auth-service.ts';
import { DeviceService } from '../services/device-service.ts';
import { PairingService, type PairOutcome } from '../services/pairing-service.ts';
import { ManualClock } from './manual-clock.ts';
import { silentLog } from './silent-log.ts';
import { temporaryStore } from './temporary-store.ts';

/** The services that decide who may do what, over a real store and a clock that a test moves. */
export function accessWorld() {
  const clock = new ManualClock();
  const store = temporaryStore();
  const log = silentLog();
  const options = { database: store, clock, log };
  const auth = new AuthService(options);
  const pairing = new PairingService(options);
  const devices = new DeviceService({ ...options, auth });

  const from = (address: string) => ({ address, userAgent: 'Firefox' });
  const whoIs = (session: string) => auth.authenticate({ session, key: null }, clock.now());
  const whoHas = (key: string) => auth.authenticate({ session: null, key }, clock.now());
  /** Types a code; the answer, or the error it throws. */
  const pair = (code: string, address = '10.0.0.1') => pairing.pair({ code, label: 'phone' }, from(address));
  /** Types a code that lets in at once. */
  const admitted = (code: string, address?: string) => mustBe('paired', pair(code, address));
  /** Types a code that only asks. */
  const waiting = (code: string, address?: string) => mustBe('waiting', pair(code, address));
  const poll = (requestId: string) => pairing.poll(requestId, { address: '10.0.0.1' });
  /** A paired device with this role. */
  const signedIn = (role: Role): { readonly identity: Identity; readonly session: string } => {
    const { session } = admitted(pairing.issueCode(role).code);
    const identity = whoIs(session);
    if (typeof identity === 'string') throw new Error(identity);
    return { identity, session };
  };
  /** A key with this role. */
  const withKey = (role: Role): Identity => {
    const identity = whoHas(auth.createKey({ label: 'ci', role }, CLI_ACTOR).key);
    if (typeof identity === 'string') throw new Error(identity);
    return identity;
  };
  const actions = () => store.audit.read({ afterId: 0, limit: 1000 }).map((record) => record.action);
  return {
    clock,
    store,
    log,
    auth,
    pairing,
    devices,
    whoIs,
    whoHas,
    pair,
    admitted,
    waiting,
    poll,
    signedIn,
    withKey,
    actions,
  };
}

/** The error that `act` throws; a test fails when it throws none. */
export function refusal(act: () => unknown): AppError {
  try {
    act();
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
  throw new Error('not refused');
}

function mustBe<Kind extends PairOutcome['kind']>(
  kind: Kind,
  outcome: PairOutcome,
): Extract<PairOutcome, { kind: Kind }> {
  if (isOf(kind, outcome)) return outcome;
  throw new Error(`the outcome is ${outcome.kind}`);
}

function isOf<Kind extends PairOutcome['kind']>(
  kind: Kind,
  outcome: PairOutcome,
): outcome is Extract<PairOutcome, { kind: Kind }> {
  return outcome.kind === kind;
}
