import type { IntentEntry } from '../../data/intents/types.ts';
import { matchingHosts } from '../fleet/fleet-filter.ts';
import { parseFleetSearch } from '../fleet/fleet-search.ts';
import type { HostFacts } from '../host-parts/host-view.ts';
import { contradictionWords, outcomeSentence } from '../intents/intent-outcome.ts';
import { intentLook, intentPlace, isBadEnd, isFailedStart } from '../intents/intent-state.ts';
import { intentTitleOn } from '../intents/intent-words.ts';

/** What became of an action, to be said in passing. */
export interface OutcomeNotice {
  readonly id: string;
  readonly hostId: string | null;
  readonly title: string;
  readonly detail: string;
  /** It stays until it is closed. */
  readonly isFailure: boolean;
  /** The row of its model says it too, with the reason. */
  readonly isOnRow: boolean;
}

interface OutcomeFacts {
  readonly now: number;
  readonly hostLabel: (hostId: string) => string | null;
}

/** An end that was not seen to come is news this long. */
const NEWS_MS = 60_000;

/** What is worth saying of a change: how actions of this device ended, and what others did against them. */
export function outcomeNotices(
  before: ReadonlyMap<string, IntentEntry>,
  entries: readonly IntentEntry[],
  { now, hostLabel }: OutcomeFacts,
): readonly OutcomeNotice[] {
  const byId = new Map(entries.map((entry) => [entry.id, entry]));
  return entries.flatMap((entry): readonly OutcomeNotice[] => {
    if (intentPlace(entry.state) !== 'ended') return [];
    const known = before.get(entry.id);
    if (known !== undefined && intentPlace(known.state) === 'ended') return [];
    const other = byId.get(entry.evidence?.byIntentId ?? '') ?? null;
    const { hostId } = entry.target;
    const title = intentTitleOn(entry, hostId === null ? null : (hostLabel(hostId) ?? hostId));
    const common = { id: entry.id, hostId, isOnRow: isFailedStart(entry) };
    if (!entry.isMine) {
      const isNews = known !== undefined || now - (entry.endedAt ?? 0) < NEWS_MS;
      const words = other === null || !isNews ? null : contradictionWords(entry, other);
      return words === null ? [] : [{ ...common, title, detail: words, isFailure: false }];
    }
    if (known === undefined || isOwnDoing(entry, other)) return [];
    return [
      { ...common, title, detail: outcomeSentence(entry, { now, other }), isFailure: isBadEnd(entry.state) },
    ];
  });
}

/** Several at once in one notice: `3 actions ended`, `2 Done, 1 Failed`. */
export function summedNotice(
  notices: readonly OutcomeNotice[],
  entries: readonly IntentEntry[],
): Pick<OutcomeNotice, 'title' | 'detail' | 'isFailure'> {
  const words = new Map<string, number>();
  for (const { id } of notices) {
    const entry = entries.find((other) => other.id === id);
    if (entry === undefined) continue;
    const { word } = intentLook(entry.state);
    words.set(word, (words.get(word) ?? 0) + 1);
  }
  return {
    title: `${notices.length} actions ended`,
    detail: [...words].map(([word, count]) => `${count} ${word.toLowerCase()}`).join(', '),
    isFailure: notices.some(({ isFailure }) => isFailure),
  };
}

/** What this device did itself a moment ago is no news. */
function isOwnDoing(entry: IntentEntry, other: IntentEntry | null): boolean {
  if (entry.state === 'dropped') return true;
  if (entry.state === 'cancelled') return entry.cancelAsked || entry.steps.at(-1)?.by === entry.author.label;
  return entry.state === 'superseded' && entry.code === 'replaced' && other?.isMine === true;
}

/** Where the reader is. */
export interface Place {
  readonly path: string;
  readonly search: Readonly<Record<string, unknown>>;
  readonly fleet: readonly HostFacts[];
}

/**
 * No toast for what the page shows anyway. A host's page shows what was done, but not why something was not; only a failed
 * start stands with its reason in the row of its model, on the fleet as well, where
 * it shows the present and that host.
 */
export function isInView(
  { hostId, isFailure, isOnRow }: Pick<OutcomeNotice, 'hostId' | 'isFailure' | 'isOnRow'>,
  { path, search, fleet }: Place,
): boolean {
  if (path === '/outbox') return true;
  if (path === '/') {
    const wish = parseFleetSearch(search);
    return (
      isOnRow && wish.at === undefined && matchingHosts(fleet, wish).some(({ host }) => host.id === hostId)
    );
  }
  return hostId !== null && path === `/hosts/${hostId}` && (!isFailure || isOnRow);
}
