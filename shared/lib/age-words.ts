const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/**
 * How long something lasts, as prose: `40 s`, `19 min`, `2 h 14 min`, `3 d`. Under a minute it moves in steps of 5 s,
 * so that a page of ages does not flicker; the first of them is `under 5 s`, because `0 s` is no time at all.
 */
export function ageWords(durationMs: number): string {
  const age = Math.max(0, durationMs);
  if (age < 5 * SECOND_MS) return 'under 5 s';
  if (age < MINUTE_MS) return `${Math.floor(age / (5 * SECOND_MS)) * 5} s`;
  if (age < HOUR_MS) return `${Math.floor(age / MINUTE_MS)} min`;
  if (age >= DAY_MS) return `${Math.floor(age / DAY_MS)} d`;
  const minutes = Math.floor((age % HOUR_MS) / MINUTE_MS);
  const hours = Math.floor(age / HOUR_MS);
  return minutes === 0 ? `${hours} h` : `${hours} h ${String(minutes).padStart(2, '0')} min`;
}

/** How long ago something was: `just now`, `40 s ago`, `2 h 14 min ago`. */
export function agoWords(ageMs: number): string {
  return ageMs < 5 * SECOND_MS ? 'just now' : `${ageWords(ageMs)} ago`;
}
