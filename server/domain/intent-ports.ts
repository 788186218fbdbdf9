import type { IntentEvidence, IntentNote, IntentState, IntentView } from '#shared/schemas/intent.ts';
import type { IntentRequest } from '#shared/schemas/intent-request.ts';
import type { Role } from '#shared/schemas/auth.ts';
import type { UpstreamResult } from './ports.ts';
import type { Lease } from './lease-policy.ts';

/** Ended intents that the ledger in the document shows; all of them stay in SQLite and over HTTP. */
export const LEDGER_ENDED = 100;

/** An intent as stored: what the ledger shows, and the request itself where its shape was right. */
export interface StoredIntent {
  /** Order of receipt. */
  readonly seq: number;
  readonly view: IntentView;
  /** Null for one that was refused for its shape: it is over. */
  readonly request: IntentRequest | null;
}

/** An intent whose request can be acted on. */
export interface ReadableIntent extends StoredIntent {
  readonly request: IntentRequest;
}

/** Why, for a machine and for a person. */
export interface IntentWords {
  readonly code: string | null;
  readonly reason: string | null;
  readonly evidence: IntentEvidence | null;
}

/** A change of state. It happens only from `from`: a state has one writer, and a late one must not win. */
export interface IntentChange extends IntentWords {
  readonly from: IntentState;
  readonly to: IntentState;
  readonly at: number;
  readonly by: string;
}

/** A wish to cancel, kept also when its intent is not here yet. */
export interface StoredCancel {
  readonly intentId: string;
  readonly identityId: string;
  readonly label: string;
  readonly at: number;
}

/** Intents, their transitions, cancels and leases. Calls run inside the caller's transaction. */
export interface IntentStore {
  get(id: string): StoredIntent | null;
  /** Open ones in order of receipt, of one host or of all. */
  open(hostId?: string): readonly ReadableIntent[];
  /** Keeps an intent with its first transition; its id must be new. */
  insert(view: IntentView, request: IntentRequest | null): void;
  /** False when the intent is not in the state it should change from. */
  change(id: string, change: IntentChange): boolean;
  /** Other words for a state that stays. */
  describe(id: string, words: IntentWords): void;
  /** Keeps what a person found out about it; the last note counts. */
  setNote(id: string, note: IntentNote): void;
  /** Ids the ledger shows: all that are open, and the last `ended` that ended. */
  ledgerIds(ended: number): readonly string[];
  /** Intents of a host that ended since, newest first. */
  endedSince(hostId: string, at: number): readonly StoredIntent[];
  /** What is open now, what of it waits past its deadline, and what ended `unknown` in the 24 h before. */
  counts(now: number): {
    readonly open: number;
    readonly running: number;
    readonly overdue: number;
    readonly unknown: number;
  };
  /** Keeps the first cancel of an intent. */
  putCancel(cancel: StoredCancel): void;
  cancelOf(intentId: string): StoredCancel | null;
  lease(hostId: string): Lease | null;
  /** Leases that somebody holds. */
  heldLeases(): readonly Lease[];
  putLease(lease: Lease): void;
}

/** The role an identity has now; null when it was revoked or is gone. */
export interface RoleSource {
  roleOf(identity: { readonly kind: 'device' | 'key'; readonly id: string }): Role | null;
}

/** What a host answered to an order: any status is an answer, the state decides. */
export interface ControlReply {
  readonly status: number;
  /** The host's own words for a refusal, redacted; null for none. */
  readonly detail: string | null;
}

/**
 * Orders to one llama-swap over connections of its own, so that a load that blocks for minutes holds up nothing else.
 * No order is ever sent twice.
 */
export interface LlamaSwapControl {
  /** Blocks until the model has started, or could not. */
  load(modelId: string, signal: AbortSignal): Promise<UpstreamResult<ControlReply>>;
  /** Null: every model. Blocks until the processes are gone. */
  unload(modelId: string | null, signal: AbortSignal): Promise<UpstreamResult<ControlReply>>;
  cancelRequest(requestId: string, signal: AbortSignal): Promise<UpstreamResult<ControlReply>>;
  /** Null: no profile. */
  setProfile(name: string | null, signal: AbortSignal): Promise<UpstreamResult<ControlReply>>;
  activeProfile(signal: AbortSignal): Promise<UpstreamResult<string | null>>;
  /** Models that hold memory now. */
  running(signal: AbortSignal): Promise<UpstreamResult<readonly { modelId: string; state: string }[]>>;
  /** Cuts every connection. */
  close(): Promise<void>;
}
