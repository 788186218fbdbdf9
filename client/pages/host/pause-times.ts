/** How long monitoring may be paused. */
export const PAUSES = [
  { key: 'open', label: 'Until it is resumed' },
  { key: 'hour', label: 'For 1 h' },
  { key: 'morning', label: 'Until 08:00' },
] as const;

const HOUR_MS = 3_600_000;

/** When a pause that begins at `now` ends by itself; null: it does not. 08:00 is the next one in the device's zone. */
export function pauseUntil(key: (typeof PAUSES)[number]['key'], now: number): number | null {
  switch (key) {
    case 'open':
      return null;
    case 'hour':
      return now + HOUR_MS;
    case 'morning': {
      const morning = new Date(now);
      morning.setHours(8, 0, 0, 0);
      if (morning.getTime() <= now) morning.setDate(morning.getDate() + 1);
      return morning.getTime();
    }
  }
}
