import type { IntentEntry } from '../../data/intents/types.ts';
import type { ActDraft } from './act-drafts.ts';
import { modelOf, unloadDraft } from './act-drafts.ts';
import { intentPlace } from './intent-state.ts';
import { authorWords, intentTitle } from './intent-words.ts';

/** What an open intent may be about: a model, a request, or the host itself (both null). */
export interface ActTarget {
  readonly modelId: string | null;
  readonly requestId: string | null;
}

/** How an open intent can still be stopped. */
export type Stop =
  | { readonly how: 'cancel'; readonly label: 'Cancel'; readonly id: string }
  | { readonly how: 'abort'; readonly label: 'Abort'; readonly draft: ActDraft };

/**
 * The intent that is under way for a target, of those of its host, newest first; own ones before those of others. Null
 * when there is none.
 */
export function openIntentOn(entries: readonly IntentEntry[], target: ActTarget): IntentEntry | null {
  const open = entries.filter((entry) => intentPlace(entry.state) !== 'ended' && isAbout(entry, target));
  return open.find((entry) => entry.isMine) ?? open[0] ?? null;
}

/** How an intent can be stopped by whoever looks at it; null when it cannot, or when that was asked for already. */
export function stopOf(entry: IntentEntry): Stop | null {
  const { hostId, modelId } = entry.target;
  const isBegun = entry.state === 'claimed' || entry.state === 'running';
  if (isBegun) {
    if (entry.kind !== 'model.load' || hostId === null || modelId === undefined) return null;
    return { how: 'abort', label: 'Abort', draft: unloadDraft(hostId, modelId, entry.id) };
  }
  if (!entry.isMine || entry.cancelAsked || intentPlace(entry.state) === 'ended') return null;
  return { how: 'cancel', label: 'Cancel', id: entry.id };
}

/** Actions of a host's queue that wait at the collector for their turn; it takes {@link QUEUE_DEPTH}. */
export function queueLength(entries: readonly IntentEntry[]): number {
  return entries.filter(
    ({ kind, state }) => QUEUED_KINDS.includes(kind) && (state === 'received' || state === 'waiting'),
  ).length;
}

/** Actions of one host that may wait at the collector. */
export const QUEUE_DEPTH = 4;
/** The others pass the queue. */
const QUEUED_KINDS = ['model.load', 'model.unload', 'profile.activate'];

function isAbout(entry: IntentEntry, { modelId, requestId }: ActTarget): boolean {
  if (requestId !== null) {
    return entry.kind === 'request.cancel' && entry.params['requestId'] === requestId;
  }
  if (modelId !== null) return entry.kind !== 'request.cancel' && entry.target.modelId === modelId;
  return entry.kind !== 'request.cancel' && entry.target.modelId === undefined;
}

/**
 * The load that an unload of all models stops as well, because it waits for some of them: `Load coder (ben), which waits
 * for them, is stopped too.`; null when there is none.
 */
export function stoppedLoad(entries: readonly IntentEntry[], draft: ActDraft): string | null {
  if (draft.kind !== 'model.unload' || modelOf(draft) !== null) return null;
  const load = entries.find(({ state, code }) => state === 'running' && code === 'waiting_behind');
  if (load === undefined) return null;
  return `${intentTitle(load)} (${authorWords(load)}), which waits for them, is stopped too.`;
}
