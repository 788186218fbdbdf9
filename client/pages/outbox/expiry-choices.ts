import { formatClock, formatDay } from '../../ui/format.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** The collector takes no longer life than this from the record's creation. */
export const MAX_LIFE_MS = 7 * DAY_MS;

/** A moment until which an action may count. */
export interface ExpiryChoice {
  readonly label: string;
  readonly untilMs: number;
}

/** Moments that people mean, soonest first: in an hour, this evening, tomorrow morning. All are ahead of `now`. */
export function expiryChoices(now: number): readonly ExpiryChoice[] {
  const inAnHour = now + HOUR_MS;
  const evening = atHour(now, 22);
  const tomorrow = atHour(now + DAY_MS, 9);
  return [
    { label: `For 1 h more, until ${formatClock(inAnHour)}`, untilMs: inAnHour },
    ...(evening > now + 5 * 60_000 ? [{ label: 'Until 22:00', untilMs: evening }] : []),
    { label: `Until tomorrow, ${formatDay(tomorrow, now)}, 09:00`, untilMs: tomorrow },
  ].sort((one, other) => one.untilMs - other.untilMs);
}

/** Reads what a `datetime-local` field holds; `problem` says in words why it cannot be used. */
export function customExpiry(
  text: string,
  { now, createdAt }: { readonly now: number; readonly createdAt: number },
):
  | { readonly untilMs: number; readonly problem: null }
  | { readonly untilMs: null; readonly problem: string } {
  const untilMs = text === '' ? Number.NaN : new Date(text).getTime();
  if (Number.isNaN(untilMs)) return { untilMs: null, problem: 'Choose a day and a time.' };
  if (untilMs <= now) return { untilMs: null, problem: 'This time has passed.' };
  if (untilMs > createdAt + MAX_LIFE_MS)
    return { untilMs: null, problem: 'An action counts for 7 days at most.' };
  return { untilMs, problem: null };
}

function atHour(at: number, hour: number): number {
  const date = new Date(at);
  date.setHours(hour, 0, 0, 0);
  return date.getTime();
}
