import { needsYou } from '../../data/intents/needs-you.ts';
import type { IntentEntry } from '../../data/intents/types.ts';
import { formatStamp, isSameDay } from '../../ui/format.ts';
import { intentPlace } from '../intents/intent-state.ts';
import type { OutboxSearch } from './outbox-search.ts';

/** A group of actions under one heading. */
export interface OutboxSection {
  readonly id: 'needs-you' | 'device' | 'expired' | 'collector' | 'today' | 'earlier';
  readonly title: string;
  /** Beside the title: how many, and what that means. */
  readonly note: string;
  readonly entries: readonly IntentEntry[];
  /** What it shows is only known to have been. */
  readonly isPast: boolean;
}

/** What the sections depend on besides the actions. */
export interface SectionContext {
  readonly now: number;
  /** Collector time of what is shown while the collector is away; null while it is not. */
  readonly asOf: number | null;
  /** Actions that a person has to review before they are sent. */
  readonly heldIds?: readonly string[];
}

/** The actions by what they ask of a person: failures and questions first, what is over last. Empty groups are left out. */
export function outboxSections(
  entries: readonly IntentEntry[],
  { now, asOf, heldIds = [] }: SectionContext,
): readonly OutboxSection[] {
  const isAway = asOf !== null;
  // What waits or expired on this device has a place of its own.
  const open = entries.filter((entry) => intentPlace(entry.state) === 'ended' && needsYou(entry));
  const expired = open.filter(({ state }) => state === 'expired-here');
  const asking = open.filter(({ state }) => state !== 'expired-here');
  const rest = entries.filter((entry) => !open.includes(entry));
  const at = (place: string): readonly IntentEntry[] =>
    rest.filter(({ state }) => intentPlace(state) === place);
  // By the time that stands beside them: what waited long and ended now is new.
  const ended = at('ended').toSorted((a, b) => endOf(b) - endOf(a));
  const isToday = (entry: IntentEntry): boolean => isSameDay(endOf(entry), now);
  const count = (list: readonly IntentEntry[]): string => String(list.length);
  const today = ended.filter(isToday);
  const earlier = ended.filter((entry) => !isToday(entry));
  const device = at('device');
  const collector = at('collector');
  const sections: readonly OutboxSection[] = [
    { id: 'needs-you', title: 'Needs you', note: count(asking), entries: asking, isPast: false },
    {
      id: 'device',
      title: 'On this device',
      note: `${device.length}, ${deviceWords(device, isAway, heldIds)}`,
      entries: device,
      isPast: false,
    },
    {
      id: 'expired',
      title: 'Expired here',
      note: `${expired.length}, never sent`,
      entries: expired,
      isPast: false,
    },
    {
      id: 'collector',
      title: isAway ? 'At the collector' : 'Under way',
      note: asOf === null ? count(collector) : `as of ${formatStamp(asOf, now)}`,
      entries: collector,
      isPast: isAway,
    },
    { id: 'today', title: 'Ended today', note: known(today, isAway), entries: today, isPast: false },
    { id: 'earlier', title: 'Ended before', note: known(earlier, isAway), entries: earlier, isPast: false },
  ];
  return sections.filter((section) => section.entries.length > 0);
}

/** The actions that an address asks for, newest first as they came. */
export function matchingEntries(
  entries: readonly IntentEntry[],
  { who, host, device }: OutboxSearch,
): readonly IntentEntry[] {
  const replaced = new Set(entries.map(({ supersedes }) => supersedes));
  return entries.filter(
    (entry) =>
      // What never left and was replaced here, as by another expiry, was never more than a draft of what stands now.
      (entry.state !== 'dropped' || !replaced.has(entry.id)) &&
      (who !== 'mine' || entry.isMine) &&
      (host === undefined || (entry.target.hostId !== null && host.includes(entry.target.hostId))) &&
      (device === undefined || device.includes(entry.author.id)),
  );
}

/** `1 needs you · 3 under way`, for the head of the page. */
export function outboxSummary(sections: readonly OutboxSection[]): string {
  const size = (id: OutboxSection['id']): number =>
    sections.find((section) => section.id === id)?.entries.length ?? 0;
  const parts = [
    size('needs-you') === 0 ? null : `${size('needs-you')} ${size('needs-you') === 1 ? 'needs' : 'need'} you`,
    size('device') === 0 ? null : `${size('device')} on this device`,
    size('collector') === 0
      ? null
      : `${size('collector')} ${sections.some(({ isPast }) => isPast) ? 'were under way' : 'under way'}`,
  ].filter((part) => part !== null);
  return parts.length === 0 ? 'nothing waits' : parts.join(' · ');
}

function endOf({ endedAt, createdAt }: IntentEntry): number {
  return endedAt ?? createdAt;
}

function deviceWords(device: readonly IntentEntry[], isAway: boolean, heldIds: readonly string[]): string {
  const held = device.filter(({ id }) => heldIds.includes(id)).length;
  if (held === 0) return isAway ? 'sent when you are back' : 'on their way';
  return held === device.length ? 'not sent before you decide' : `${held} not sent before you decide`;
}

function known(entries: readonly IntentEntry[], isAway: boolean): string {
  return isAway ? `known here: ${entries.length}` : String(entries.length);
}
