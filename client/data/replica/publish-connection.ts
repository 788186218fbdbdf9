import { connectionCell } from '../connection-state.ts';
import { isSecure } from '../environment.ts';
import { fleetCell } from '../fleet-state.ts';
import { serverNow } from '../server-clock.ts';
import type { ConnectionState } from '../types.ts';
import { connectionKind, unsyncedReason } from './connection-view.ts';
import type { ConnectionFacts } from './connection-view.ts';

/** How old "in step until" may grow on screen while live; components that show it wake no more often. */
const STEP_MS = 10_000;

/** What the state on screen is made from, beside the facts. */
export interface CopyFacts {
  /** Collector time until which the copy is known to be in step; null: never. */
  readonly inStepAt: number | null;
  readonly lastSyncAt: number | null;
  readonly storageError: string | null;
  /** Why the collector refuses this device a document; null when it does not. */
  readonly refusal: string | null;
  /** Updates arrived that others must come before. */
  readonly isIncomplete: boolean;
}

/** Puts the state of connection and copy on screen; tells nobody when nothing changed. */
export function publishConnection(facts: ConnectionFacts, copy: CopyFacts): void {
  const last = connectionCell.get();
  const kind = connectionKind(facts);
  const { inStepAt, storageError } = copy;
  const isFresh =
    kind === 'live' &&
    last.kind === 'live' &&
    inStepAt !== null &&
    last.dataAsOf !== null &&
    inStepAt - last.dataAsOf < STEP_MS;
  const next: ConnectionState = {
    kind,
    since: last.kind === kind ? last.since : beganAt(kind, inStepAt),
    dataAsOf: isFresh ? last.dataAsOf : inStepAt,
    lastSyncAt: copy.lastSyncAt,
    storage: storageWord(storageError),
    storageError,
    unsyncedReason: copy.refusal ?? unsyncedReason(facts, copy.isIncomplete),
  };
  if (!isEqual(next, last)) connectionCell.set(next);
  const fleet = fleetCell.get();
  if (fleet.loaded && fleet.asOf !== next.dataAsOf) fleetCell.set({ ...fleet, asOf: next.dataAsOf });
}

/** Being without the collector counts from when this copy was last in step, also over a reload. */
function beganAt(kind: ConnectionState['kind'], inStepAt: number | null): number {
  const isAway = kind === 'offline' || kind === 'reconnecting' || kind === 'collector-silent';
  return isAway && inStepAt !== null ? inStepAt : serverNow();
}

function storageWord(storageError: string | null): ConnectionState['storage'] {
  if (!isSecure) return 'insecure';
  return storageError === null ? 'saved' : 'not-saved';
}

function isEqual(a: ConnectionState, b: ConnectionState): boolean {
  return (
    a.kind === b.kind &&
    a.since === b.since &&
    a.dataAsOf === b.dataAsOf &&
    a.lastSyncAt === b.lastSyncAt &&
    a.storage === b.storage &&
    a.storageError === b.storageError &&
    a.unsyncedReason === b.unsyncedReason
  );
}
