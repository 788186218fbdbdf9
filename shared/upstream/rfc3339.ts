const RFC3339 =
  /^(\d{4})-(\d\d)-(\d\d)[Tt ](\d\d):(\d\d):(\d\d)(?:[.,](\d{1,12}))?(?:[Zz]|([+-])(\d\d):?(\d\d))$/;
const MINUTE_MS = 60_000;

/**
 * Epoch milliseconds of a Go timestamp (whole seconds to nanoseconds, any offset), or null when it cannot be read.
 * Times before 1970 are Go's zero time, which means "not set".
 */
export function parseRfc3339(text: string): number | null {
  const match = RFC3339.exec(text);
  if (!match) return null;
  const [, year, month, day, hour, minute, second, fraction, sign, offsetHours, offsetMinutes] = match;
  const utc = Date.UTC(
    Number(year),
    Number(month) - 1,
    Number(day),
    Number(hour),
    Number(minute),
    Number(second),
    Number((fraction ?? '').slice(0, 3).padEnd(3, '0')),
  );
  if (Number(month) < 1 || Number(month) > 12 || Number(day) < 1 || Number(day) > 31) return null;
  if (Number(hour) > 24 || Number(minute) > 59 || Number(second) > 60 || Number(year) < 1970) return null;
  const offset = sign ? (Number(offsetHours) * 60 + Number(offsetMinutes)) * MINUTE_MS : 0;
  const time = sign === '-' ? utc + offset : utc - offset;
  return time >= 0 ? time : null;
}
