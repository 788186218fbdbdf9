import { ageWords } from '#shared/lib/age-words.ts';

/** Shown for every value that is not known; never 0. */
export const UNKNOWN = '–';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const DAY = 24 * 60 * MINUTE;
const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'] as const;
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const;
const two = (value: number): string => String(value).padStart(2, '0');
const grouped = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });

/** `14:02:10`, 24 h, in the device's zone. */
export function formatTime(at: number): string {
  const date = new Date(at);
  return `${formatClock(at)}:${two(date.getSeconds())}`;
}

/** `14:02`, 24 h, in the device's zone. */
export function formatClock(at: number): string {
  const date = new Date(at);
  return `${two(date.getHours())}:${two(date.getMinutes())}`;
}

/** `30 Nov`; with the year when it is not `now`'s. */
export function formatDate(at: number, now: number): string {
  const date = new Date(at);
  const year = date.getFullYear();
  const suffix = year === new Date(now).getFullYear() ? '' : ` ${year}`;
  return `${date.getDate()} ${MONTHS[date.getMonth()]}${suffix}`;
}

/** `Mon 30 Nov`; with the year when it is not `now`'s. */
export function formatDay(at: number, now: number): string {
  return `${WEEKDAYS[new Date(at).getDay()]} ${formatDate(at, now)}`;
}

/** True when both moments fall on the same calendar day of the device. */
export function isSameDay(one: number, other: number): boolean {
  const a = new Date(one);
  const b = new Date(other);
  return a.getFullYear() === b.getFullYear() && a.getMonth() === b.getMonth() && a.getDate() === b.getDate();
}

/** A moment as people say it: `14:02` today, `Sat 28 Nov, 22:14` before. */
export function formatMoment(at: number, now: number): string {
  return isSameDay(at, now) ? formatClock(at) : `${formatDay(at, now)}, ${formatClock(at)}`;
}

/** How old a state is, as prose: `just now`, `40 s`, `19 min`, `2 h 14 min`, `3 d`; `0 s` would be no time at all. */
export function formatAge(durationMs: number): string {
  return durationMs < 5 * SECOND ? 'just now' : ageWords(durationMs);
}

/** `just now`, `40 s ago`, `19 min ago`, `2 h 14 min ago`, then the date. */
export function formatAgo(at: number, now: number): string {
  const age = now - at;
  if (age < 5 * SECOND) return 'just now';
  if (age >= DAY) return formatMoment(at, now);
  return `${formatAge(age)} ago`;
}

/** The stamp of a value that is not live: `14:02:10, 40 s ago`, `13:52, 19 min ago`, `Sat 28 Nov, 22:14`. */
export function formatStamp(at: number, now: number): string {
  const age = now - at;
  if (age >= DAY) return formatMoment(at, now);
  const moment = age < MINUTE ? formatTime(at) : formatMoment(at, now);
  return `${moment}, ${formatAgo(at, now)}`;
}

/** Elapsed time that runs: `0:07`, `1:58`, `1:02:03`. */
export function formatElapsed(durationMs: number): string {
  const seconds = Math.floor(Math.max(0, durationMs) / SECOND);
  const minutes = Math.floor(seconds / 60);
  const rest = two(seconds % 60);
  return minutes < 60 ? `${minutes}:${rest}` : `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${rest}`;
}

/** A measured duration: `9 ms`, `2.2 s`, `58.9 s`, `3 min 12 s`, `1 h 04 min`; null is unknown. */
export function formatDuration(durationMs: number | null): string {
  if (durationMs === null) return UNKNOWN;
  if (durationMs < SECOND) return `${Math.round(durationMs)} ms`;
  if (durationMs < MINUTE - 50) return `${(durationMs / SECOND).toFixed(1)} s`;
  const seconds = Math.round(durationMs / SECOND);
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${two(seconds % 60)} s`;
  return `${Math.floor(seconds / 3600)} h ${two(Math.floor((seconds % 3600) / 60))} min`;
}

/** A count with separators: `3,880`; null is unknown. */
export function formatCount(value: number | null): string {
  return value === null ? UNKNOWN : grouped.format(value);
}

/** Tokens per second without the unit: `52.1`, `1,912`; null is unknown. */
export function formatRate(value: number | null): string {
  if (value === null || !Number.isFinite(value)) return UNKNOWN;
  return value < 100 ? value.toFixed(1) : grouped.format(value);
}

/** A size on this device in decimal megabytes, as browsers count their quota: `18.4 MB`, `0.3 MB`, `12 kB`, `10.7 GB`. */
export function formatBytes(bytes: number | null): string {
  if (bytes === null) return UNKNOWN;
  if (bytes < 1000) return `${bytes} B`;
  if (bytes < 100_000) return `${Math.round(bytes / 1000)} kB`;
  if (bytes < 1_000_000_000) return `${(bytes / 1_000_000).toFixed(1)} MB`;
  return `${(bytes / 1_000_000_000).toFixed(1)} GB`;
}

/** An amount of traffic in binary units: `640 B`, `18 KiB`, `2.4 MiB`. */
export function formatKibibytes(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  if (bytes < 1024 * 1024) return `${Math.round(bytes / 1024)} KiB`;
  return `${(bytes / 1024 / 1024).toFixed(1)} MiB`;
}

/** `1 host`, `7 hosts`, `5 requests`. */
export function plural(count: number, noun: string): string {
  return `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`;
}
