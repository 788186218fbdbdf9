import { formatClock, formatDate, formatTime, isSameDay } from '../../../ui/format.ts';

/** Words under the axis: dates at the begin of a day, hours within it, seconds where several marks share a minute. */
export function timeLabels(_plot: unknown, splits: readonly number[]): string[] {
  const [first = 0, second = first + 60_000] = splits;
  const isFine = second - first < 60_000;
  return splits.map((at) => {
    if (!isSameDay(at - 1, at)) return formatDate(at, at);
    return isFine ? formatTime(at) : formatClock(at);
  });
}
