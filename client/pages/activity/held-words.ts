import type { HistoryDay } from '../../data/types.ts';
import { formatDate, formatDay, plural } from '../../ui/format.ts';

/** Local noon of `YYYY-MM-DD`: a moment that is on that day in every zone and over every clock change. */
export function dayMoment(day: string): number {
  return new Date(`${day}T12:00:00`).getTime();
}

/** The day of a moment in the device's zone, `YYYY-MM-DD`. */
export function dayOf(at: number): string {
  const date = new Date(at);
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** `Sat 24 Oct` for `2026-10-24`. */
export function dayWords(day: string, now: number): string {
  return formatDay(dayMoment(day), now);
}

/** How far back this device sees: `This device holds 30 days, back to 31 Oct`. */
export function heldWords(days: readonly HistoryDay[], from: number | null, now: number): string {
  const unbroken = unbrokenDays(days);
  const oldest = unbroken.at(-1);
  if (oldest !== undefined) {
    return `This device holds ${plural(unbroken.length, 'day')}, back to ${formatDate(dayMoment(oldest.day), now)}`;
  }
  return from === null
    ? 'This device holds nothing yet'
    : `This device sees back to ${formatDate(from, now)}`;
}

/** Of a search over all that is here: `This device: 30 days, back to 31 Oct`. */
export function onDeviceWords(days: readonly HistoryDay[], from: number | null, now: number): string {
  const unbroken = unbrokenDays(days);
  const oldest = unbroken.at(-1);
  if (oldest !== undefined) {
    return `This device: ${plural(unbroken.length, 'day')}, back to ${formatDate(dayMoment(oldest.day), now)}`;
  }
  return from === null ? 'This device holds nothing yet' : `This device: back to ${formatDate(from, now)}`;
}

/** The same in three words, for a phone: `kept since 31 Oct`. */
export function keptWords(days: readonly HistoryDay[], from: number | null, now: number): string {
  const oldest = unbrokenDays(days).at(-1);
  const since = oldest === undefined ? from : dayMoment(oldest.day);
  return since === null ? 'nothing kept yet' : `kept since ${formatDate(since, now)}`;
}

/** Days from the newest to the first that is not wholly here. */
function unbrokenDays(days: readonly HistoryDay[]): readonly HistoryDay[] {
  const gapIndex = days.findIndex((day) => day.held !== 'all');
  return gapIndex === -1 ? days : days.slice(0, gapIndex);
}

/** The day before and after `current` (null: the live window) among those with history; null at the ends. */
export function neighbourDays(
  days: readonly HistoryDay[],
  current: string | null,
  today: string,
): { readonly older: string | null; readonly newer: string | null; readonly newerIsLive: boolean } {
  const at = current ?? today;
  const older = days.find((day) => day.day < at)?.day ?? null;
  if (current === null) return { older, newer: null, newerIsLive: false };
  const newer = days.findLast((day) => day.day > at && day.day < today)?.day ?? null;
  return { older, newer, newerIsLive: newer === null };
}
