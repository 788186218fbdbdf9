import type { ConnectionKind } from '../types.ts';

/** What one document's socket does. */
export interface SocketState {
  /** `synced`: open and in step since. */
  readonly phase: 'closed' | 'connecting' | 'open' | 'synced';
  readonly since: number;
  readonly lastMessageAt: number | null;
  /** Code of the last close by the server; null after a successful sync. */
  readonly closeCode: number | null;
}

/** A socket that was never opened. */
export const NO_SOCKET: SocketState = { phase: 'closed', since: 0, lastMessageAt: null, closeCode: null };

/** Everything the pill depends on; times on this device's clock. */
export interface ConnectionFacts {
  readonly now: number;
  readonly startedAt: number;
  /** Why the documents are not even tried, or are being replaced; null in the ordinary case. */
  readonly verdict: 'sign-in' | 'removed' | 'app-too-old' | 'refetching' | null;
  readonly browserOnline: boolean;
  /** True once all documents were in step since the app started. */
  readonly wasLive: boolean;
  /** When contact was lost, or the app started without it; null while live. */
  readonly lostAt: number | null;
  readonly fleet: SocketState;
  readonly tail: SocketState;
}

/** The collector sends something at least every 20 s. */
export const SILENT_AFTER_MS = 25_000;
/** How long attempts may fail before they are called being offline. */
export const OFFLINE_AFTER_MS = 30_000;
/** The same for the first attempt of a run: a page that opens without a network says so, and need not wait for refusal. */
export const FIRST_ANSWER_WITHIN_MS = 3_000;
const RESTARTING_CODE = 4503;

/** The one word for the way to the collector. Pure; the order of cases is their precedence. */
export function connectionKind(facts: ConnectionFacts): ConnectionKind {
  const { fleet, tail, now, verdict } = facts;
  if (verdict !== null) return verdict;
  if (fleet.phase === 'synced' && tail.phase === 'synced') {
    const heardAt = Math.max(fleet.lastMessageAt ?? 0, tail.lastMessageAt ?? 0);
    return now - heardAt > SILENT_AFTER_MS ? 'collector-silent' : 'live';
  }
  if (!facts.browserOnline && fleet.phase !== 'open') return 'offline';
  if (fleet.closeCode === RESTARTING_CODE || tail.closeCode === RESTARTING_CODE) return 'restarting';
  if (now - (facts.lostAt ?? facts.startedAt) > OFFLINE_AFTER_MS) return 'offline';
  if (facts.wasLive) return 'reconnecting';
  return isUnanswered(facts) ? 'offline' : 'connecting';
}

/** True when the first attempts of this run got no answer: refused, or not within a moment. */
function isUnanswered({ fleet, tail, now, startedAt }: ConnectionFacts): boolean {
  const sockets = [fleet, tail];
  if (sockets.some(({ phase }) => phase === 'open' || phase === 'synced')) return false;
  return now - startedAt > FIRST_ANSWER_WITHIN_MS || sockets.some(({ closeCode }) => closeCode !== null);
}

const UNSYNCED_AFTER_MS = 5_000;

/** Why the copy is not in step although a socket stands; null when it is, or when that is nothing new. */
export function unsyncedReason(facts: ConnectionFacts, incomplete: boolean): string | null {
  if (incomplete) return 'Parts of the copy are missing. They are asked for again.';
  const late = [facts.fleet, facts.tail].some(
    (socket) => socket.phase === 'open' && facts.now - socket.since > UNSYNCED_AFTER_MS,
  );
  return late ? 'The collector answers, but has not sent its copy yet.' : null;
}

const CONNECTING_TOO_LONG_MS = 10_000;
const REFUSED_LONG_ENOUGH_MS = 30_000;

/** Sockets that hang in the handshake, a copy with a hole, or a refusal that may have passed: time to try anew. */
export function isStuck(
  { now, verdict, fleet, tail }: ConnectionFacts,
  copy: { readonly isRefused: boolean; readonly isIncomplete: boolean },
): boolean {
  if (verdict !== null && verdict !== 'refetching') return false;
  if (copy.isRefused && now - Math.max(fleet.since, tail.since) > REFUSED_LONG_ENOUGH_MS) return true;
  const hangs = [fleet, tail].some(
    ({ phase, since }) => phase === 'connecting' && now - since > CONNECTING_TOO_LONG_MS,
  );
  const isSettled = fleet.phase === 'synced' && now - fleet.since > CONNECTING_TOO_LONG_MS;
  return hangs || (isSettled && copy.isIncomplete);
}
