import type { HostHistory } from '../../../data/use-fleet-history.ts';
import { dayBounds, localDay } from '../../../data/history/local-day.ts';

/** What the scrubber reaches over: a day of this device's zone, today only until now. */
export interface PastDay {
  readonly day: string;
  readonly from: number;
  readonly to: number;
  readonly isToday: boolean;
}

/** The day around a moment. A moment that is still to come is now. */
export function pastDay(at: number, now: number): PastDay {
  const day = localDay(Math.min(at, now));
  const { from, to } = dayBounds(day) ?? { from: at, to: at };
  return { day, from, to: Math.min(to - 1, now), isToday: to > now };
}

/** The same time of the clock so many days later; days have 23 or 25 hours twice a year. */
export function otherDay(at: number, days: number): number {
  const date = new Date(at);
  return date.setDate(date.getDate() + days);
}

/** Requests of all hosts by bucket of the day, for the ground of the scrubber. */
export interface PastTraffic {
  readonly bucketMs: number;
  readonly from: number;
  readonly requests: readonly number[];
  readonly failed: readonly number[];
}

/** Adds up what hosts served; null: nothing was read. */
export function pastTraffic(histories: Iterable<HostHistory>): PastTraffic | null {
  let sum: { bucketMs: number; from: number; requests: number[]; failed: number[] } | null = null;
  for (const { timeline } of histories) {
    const { bucketMs, from, requests, failed } = timeline;
    sum ??= { bucketMs, from, requests: [], failed: [] };
    for (const [place, count] of requests.entries()) {
      sum.requests[place] = (sum.requests[place] ?? 0) + count;
      sum.failed[place] = (sum.failed[place] ?? 0) + (failed[place] ?? 0);
    }
  }
  return sum;
}

/** Nearest moments before and after `at` at which a model of any host changed its state; null: none is known. */
export function nextChanges(
  histories: Iterable<HostHistory>,
  at: number,
): { readonly before: number | null; readonly after: number | null } {
  let before: number | null = null;
  let after: number | null = null;
  for (const { events } of histories) {
    for (const event of events.events) {
      if (event.at < at) before = Math.max(before ?? 0, event.at);
      else if (event.at > at) after = Math.min(after ?? event.at, event.at);
    }
  }
  return { before, after };
}

/** Earliest moment of which this device holds anything; null: it holds nothing. */
export function heldFrom(histories: Iterable<HostHistory>): number | null {
  let first: number | null = null;
  for (const { events, timeline } of histories) {
    for (const from of [events.from, timeline.heldFrom])
      if (from !== null) first = Math.min(first ?? from, from);
  }
  return first;
}
