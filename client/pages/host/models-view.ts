import type { Model } from '#shared/schemas/model.ts';
import { currentFailure } from '../host-parts/model-view.ts';

/** `demo-2` before `demo-10`. */
const byName = new Intl.Collator(undefined, { numeric: true });

/** What is in use stands first, then what failed, then the rest; models of peers are only names here. */
function rankOf(model: Model): number {
  const { state, peerId } = model;
  if (peerId !== null) return 4;
  if (['ready', 'starting', 'stopping'].includes(state)) return 0;
  if (currentFailure(model) !== null) return 1;
  return state === 'stopped' || state === 'shutdown' ? 3 : 2;
}

/** Model ids in the order a fresh look would give them. */
export function sortedModelIds(models: readonly Model[]): readonly string[] {
  return [...models]
    .sort((a, b) => rankOf(a) - rankOf(b) || byName.compare(a.modelId, b.modelId))
    .map(({ modelId }) => modelId);
}

/** The order on screen after the models changed: what is there keeps its place, nothing moves under the finger. */
export function keptModelOrder(shown: readonly string[], models: readonly Model[]): readonly string[] {
  const present = new Set(models.map(({ modelId }) => modelId));
  const kept = shown.filter((modelId) => present.has(modelId));
  const known = new Set(kept);
  const added = sortedModelIds(models).filter((modelId) => !known.has(modelId));
  return added.length === 0 && kept.length === shown.length ? shown : [...kept, ...added];
}

/** Rows that stand beside the charts although their models are at rest. */
const BRIEF = 8;

/** Of ids in their order those worth a row beside the charts: every model in use or failed, others up to eight rows. */
export function briefModelIds(ids: readonly string[], models: readonly Model[]): readonly string[] {
  if (ids.length <= BRIEF) return ids;
  const busy = new Set(models.filter((model) => rankOf(model) < 2).map(({ modelId }) => modelId));
  let room = Math.max(0, BRIEF - busy.size);
  return ids.filter((id) => {
    if (busy.has(id)) return true;
    room -= 1;
    return room >= 0;
  });
}

/** `3 ready of 14`; in the past tense where nobody can say that they still are. */
export function readyWords(models: readonly Model[], total: number, isPast: boolean): string {
  if (total === 0) return '';
  const ready = models.filter(({ state }) => state === 'ready').length;
  return isPast ? `${ready} of ${total} were ready` : `${ready} ready of ${total}`;
}

/** Host ids before and after one, in the order of their names; null at the ends. */
export function neighbours(
  hosts: readonly { readonly id: string; readonly label: string }[],
  hostId: string,
): { readonly previous: string | null; readonly next: string | null } {
  const ids = hosts.map(({ id }) => id);
  const at = ids.indexOf(hostId);
  if (at < 0) return { previous: null, next: null };
  return { previous: ids[at - 1] ?? null, next: ids[at + 1] ?? null };
}
