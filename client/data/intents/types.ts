import type { IntentEvidence, IntentState, IntentView } from '#shared/schemas/intent.ts';
import type { IntentRecord, IntentRequest } from '#shared/schemas/intent-request.ts';

/**
 * States that only this device knows. `sent` left it and was not seen in the ledger yet; `not-saved` is held in memory
 * alone; `expired-here` was never sent and is void; `dropped` was taken back before it left.
 */
export type DeviceState = 'queued' | 'sent' | 'not-saved' | 'expired-here' | 'dropped';

/** A moment of an intent's life; `by` is who caused it: a device or key by its label, or `collector`. */
export interface IntentStep {
  readonly state: string;
  readonly at: number;
  readonly by: string;
}

/** An intent as pages show it: own queue and the collector's ledger in one. All times are on the collector's clock. */
export interface IntentEntry {
  readonly id: string;
  readonly kind: string;
  readonly target: { readonly hostId: string | null; readonly modelId?: string | undefined };
  readonly params: Readonly<Record<string, unknown>>;
  readonly state: DeviceState | IntentState;
  readonly isMine: boolean;
  readonly author: IntentView['author'];
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly endedAt: number | null;
  /** Collector time of what its author was looking at; null: nothing was known, or another device made it. */
  readonly seenAt: number | null;
  readonly precondition: IntentView['precondition'];
  readonly confirm: IntentView['confirm'];
  readonly whenDown: IntentRecord['whenDown'];
  readonly supersedes: string | null;
  /** A sentence for a person and the machine's word for it; null where the state says it all. */
  readonly reason: string | null;
  readonly code: string | null;
  readonly evidence: IntentEvidence | null;
  /** What this device did first, then the ledger's transitions. */
  readonly steps: readonly IntentStep[];
  /** This device asked to cancel it; the ledger has not answered while it is not ended. */
  readonly cancelAsked: boolean;
  /** False for what a reload would take: it could not be written on this device. */
  readonly saved: boolean;
  /** A person read how it ended and needs no reminder. */
  readonly dismissed: boolean;
  /** What a person found out about one whose outcome is not known. */
  readonly note?: IntentView['note'];
}

type DraftOf<R> = R extends IntentRequest ? Omit<R, 'id'> & { readonly seenAt: number | null } : never;

/** What a page asks for: a request without its id, and the collector time of what the person was looking at. */
export type IntentDraft = DraftOf<IntentRequest>;

/** How this device's queue stands. */
export interface OutboxState {
  /** Actions that wait on this device. */
  readonly unsent: number;
  /** Entries that wait for a decision of this device's user, see `needsYou`. */
  readonly needsYou: number;
  /** `insecure`: plain http, kept in memory while the page lives. */
  readonly storage: 'saved' | 'not-saved' | 'insecure';
  readonly storageError: string | null;
  /** Why the collector does not take this device's outbox; it is tried again by itself. Null: nothing is wrong. */
  readonly refusal: string | null;
  /** Actions that waited too long to go by themselves, and since when this device was away; null: none. */
  readonly review: { readonly since: number; readonly ids: readonly string[] } | null;
}
