const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
/** Lengths that people count in, each a multiple of three so that a line can be drawn finer than bars. */
const BUCKETS_MS = [
  15 * SECOND,
  30 * SECOND,
  MINUTE,
  2 * MINUTE,
  3 * MINUTE,
  6 * MINUTE,
  12 * MINUTE,
  30 * MINUTE,
  HOUR,
  3 * HOUR,
  6 * HOUR,
  12 * HOUR,
  24 * HOUR,
];
/** So many bars at most are told apart in the time that is shown. */
const MAX_BARS = 60;

/** How long a bucket of a chart over `spanMs` is. */
export function bucketMsOf(spanMs: number): number {
  return BUCKETS_MS.find((length) => spanMs / length <= MAX_BARS) ?? 24 * HOUR;
}

/** Begin of the bucket in which `at` lies; buckets are counted from midnight of the device's day. */
export function bucketStart(at: number, bucketMs: number): number {
  const midnight = new Date(at).setHours(0, 0, 0, 0);
  return midnight + Math.floor((at - midnight) / bucketMs) * bucketMs;
}
