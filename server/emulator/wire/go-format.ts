/** JSON as Go's encoding/json writes it: `<`, `>`, `&`, U+2028 and U+2029 escaped. */
export function goJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[<>&\u2028\u2029]/g,
    (char) => `\\u${(char.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`,
  );
}

/** The same with map keys in order, as Go writes a `map[string]any`. */
export function goMapJson(value: Readonly<Record<string, unknown>>): string {
  return goJson(Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))));
}

/** A Go `time.Duration` in words: `9.714µs`, `271.014558ms`, `1.2s`. */
export function goDuration(durationMs: number): string {
  const ns = Math.max(1, Math.round(durationMs * 1e6));
  if (ns < 1e6) return `${trimmed(ns / 1e3, 3)}µs`;
  if (ns < 1e9) return `${trimmed(ns / 1e6, 6)}ms`;
  return `${trimmed(ns / 1e9, 9)}s`;
}

/** RFC 3339 with the host's offset; `subMillisecondNs` (0–999,999) makes it as fine as Go's, null gives whole seconds. */
export function rfc3339(at: number, offsetMinutes: number, subMillisecondNs: number | null): string {
  const local = new Date(at + offsetMinutes * 60_000).toISOString();
  const seconds = local.slice(0, -5);
  const sign = offsetMinutes < 0 ? '-' : '+';
  const minutes = Math.abs(offsetMinutes);
  const zone =
    offsetMinutes === 0 ? 'Z' : `${sign}${pad(Math.floor(minutes / 60), 2)}:${pad(minutes % 60, 2)}`;
  if (subMillisecondNs === null) return `${seconds}${zone}`;
  const fraction = `${local.slice(-4, -1)}${pad(subMillisecondNs, 6)}`.replace(/0+$/, '');
  return fraction === '' ? `${seconds}${zone}` : `${seconds}.${fraction}${zone}`;
}

/** `content-type` → `Content-Type`. */
export function canonicalHeader(name: string): string {
  return name
    .split('-')
    .map((part) => part.slice(0, 1).toUpperCase() + part.slice(1).toLowerCase())
    .join('-');
}

/** Parses RFC 3339 as Go does (offset required); null when it is not. */
export function parseRfc3339(text: string): number | null {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(text)) return null;
  const at = Date.parse(text.replace(/(\.\d{3})\d+/, '$1'));
  return Number.isNaN(at) ? null : at;
}

function trimmed(value: number, digits: number): string {
  return String(Number(value.toFixed(digits)));
}

function pad(value: number, width: number): string {
  return String(value).padStart(width, '0');
}
