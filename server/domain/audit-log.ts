import type { JsonValue } from '#shared/lib/canonical-json.ts';
import type { Identity } from './identity.ts';

/** Who did it: a device or key as its socket or request was known, the command line, or the collector itself. */
export interface AuditActor {
  readonly kind: 'device' | 'key' | 'cli' | 'collector' | 'stranger';
  /** Id of the device or key; the address of a stranger; empty for the command line and the collector. */
  readonly id: string;
  /** Its name at that time: a device may be renamed or gone when the log is read. */
  readonly label: string;
}

/** The actor when the collector acted by itself. */
export const COLLECTOR_ACTOR: AuditActor = { kind: 'collector', id: '', label: 'collector' };

/** The actor of commands: whoever may open the database. */
export const CLI_ACTOR: AuditActor = { kind: 'cli', id: '', label: 'command line' };

/** The actor of a request or socket. */
export function actorOf({ kind, id, label }: Identity): AuditActor {
  return { kind, id, label };
}

/** The entry with which the log goes on after a backup was restored. */
export const HISTORY_RESTORE_ACTION = 'history.restore';

/** Something worth knowing later. `action` is dotted (`device.revoke`, `intent.claim`); nothing secret goes in. */
export interface AuditEntry {
  readonly at: number;
  readonly actor: AuditActor;
  readonly action: string;
  /** Id of what it was done to; null when the action says it all. */
  readonly target: string | null;
  readonly detail: { readonly [name: string]: JsonValue | undefined } | null;
}

/** An entry as it stands in the log. `hash` covers all of it and `prevHash`, so no entry can change or go unnoticed. */
export interface AuditRecord extends AuditEntry {
  /** Consecutive from 1. */
  readonly id: number;
  readonly prevHash: string;
  readonly hash: string;
}

/** The append-only log of who did what. */
export interface AuditLog {
  /**
   * Adds an entry: inside the caller's transaction when one is open, so that what was done and its record are kept or
   * undone together. Throws what the store throws.
   */
  append(entry: AuditEntry): AuditRecord;
  /** Records in order of id, from the one after `afterId`. */
  read(options: { readonly afterId: number; readonly limit: number }): readonly AuditRecord[];
  /** The id last given to a record, also when that record was cut off since. */
  lastId(): number;
}
