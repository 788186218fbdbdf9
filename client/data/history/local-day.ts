const DAY_MS = 86_400_000;

/** The day of the device's zone that `at` falls on, as `YYYY-MM-DD`. */
export function localDay(at: number): string {
  const date = new Date(at);
  const month = String(date.getMonth() + 1).padStart(2, '0');
  return `${String(date.getFullYear()).padStart(4, '0')}-${month}-${String(date.getDate()).padStart(2, '0')}`;
}

/** First millisecond of a day and of the next one; null for anything that is not a day. Days may have 23 or 25 hours. */
export function dayBounds(day: string): { readonly from: number; readonly to: number } | null {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(day);
  if (!match) return null;
  const [year, month, date] = [Number(match[1]), Number(match[2]), Number(match[3])];
  const from = new Date(year, month - 1, date).getTime();
  return localDay(from) === day ? { from, to: new Date(year, month - 1, date + 1).getTime() } : null;
}

/** Days of the device's zone that `from`…`to` (inclusive) touches, newest first, at most `limit`. */
export function daysBetween(from: number, to: number, limit: number): string[] {
  const days: string[] = [];
  for (let at = to; at >= from && days.length < limit;) {
    const day = localDay(at);
    days.push(day);
    at = (dayBounds(day)?.from ?? at - DAY_MS) - 1;
  }
  return days;
}
