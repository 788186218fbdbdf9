import { isSecretName } from '#shared/lib/redact.ts';

/** What becomes of a string: its field's name, that of the list it stands in or of a flag before it, and the object. */
type MapString = (text: string, name: string | null, siblings: object) => string;

/** What becomes of what stands in JSON; what is left out stays as it is. */
export interface JsonMap {
  readonly text: MapString;
  readonly number?: (value: number, name: string | null, siblings: object) => number | string;
  readonly key?: (key: string) => string;
}

/** JSON with each string, number and key mapped. Throws a `RangeError` on what is nested thousands deep. */
export function mapJson(value: unknown, map: JsonMap): unknown {
  const walk = (item: unknown, name: string | null, siblings: object): unknown => {
    if (typeof item === 'string') return map.text(item, name, siblings);
    if (typeof item === 'number') return map.number?.(item, name, siblings) ?? item;
    if (Array.isArray(item))
      return item.map((entry: unknown, at) => walk(entry, flagName(item[at - 1]) ?? name, siblings));
    if (typeof item !== 'object' || item === null) return item;
    const taken = new Set<string>();
    return Object.fromEntries(
      Object.entries(item).map(([key, entry]) => [
        freeName(map.key?.(key) ?? key, taken),
        walk(entry, key, item),
      ]),
    );
  };
  return walk(value, null, {});
}

/** `--api-key` in a list of arguments names what follows it; other flags name nothing here. */
function flagName(before: unknown): string | null {
  const flag = typeof before === 'string' ? /^--?([\w.-]{1,64})$/.exec(before)?.[1] : undefined;
  return flag !== undefined && isSecretName(flag) ? flag : null;
}

/** Two keys that are the same once mapped both stay. */
function freeName(wanted: string, taken: Set<string>): string {
  let name = wanted;
  for (let number = taken.size + 1; taken.has(name); number += 1) name = `${wanted} (${number})`;
  taken.add(name);
  return name;
}

/** Whether `text`, read as `json`, gives a key twice in an object: of these only the last is in `json`. */
export function hasTwinKeys(text: string, json: unknown): boolean {
  let written = 0;
  for (const [, colon] of text.matchAll(/"(?:[^"\\]|\\.)*"(\s*:)?/g)) if (colon !== undefined) written += 1;
  let read = 0;
  const key = (name: string): string => {
    read += 1;
    return name;
  };
  mapJson(json, { text: (string) => string, key });
  return written !== read;
}

/** JSON that fits, and how many characters of its strings were left out. */
export interface FittedJson {
  readonly value: unknown;
  readonly omittedChars: number;
}

/** A secret that begins before a cut is recognised when so much of it is seen. */
const MARGIN_CHARS = 512;
/** Below this a text says nothing any more. */
const LEAST_CHARS = 48;
/** Of what is kept of a long text: its beginning. */
const HEAD_SHARE = 0.6;

/**
 * JSON whose longest strings are cut in their middle until all of it takes `maxChars` at most, so that it is JSON still:
 * every turn of a long conversation stays, and where something is left out its text says so. `clean` takes secrets out
 * and sees no more of a string than stays, with a margin. Null when there is too much besides strings.
 */
export function fitJson(value: unknown, maxChars: number, clean: JsonMap): FittedJson | null {
  const lengths: number[] = [];
  const measure = (text: string): string => {
    lengths.push(text.length);
    return '';
  };
  const frame = JSON.stringify(mapJson(value, { text: measure })).length;
  const longest = cutLength(lengths, maxChars - frame);
  if (longest === null) return null;
  let omittedChars = 0;
  const cut: MapString = (text, name, siblings) => {
    if (text.length <= longest) return clean.text(text, name, siblings);
    const kept = Math.max(0, longest - 40);
    const head = Math.ceil(kept * HEAD_SHARE);
    const tail = kept - head;
    omittedChars += text.length - head - tail;
    const start = clean.text(text.slice(0, head + MARGIN_CHARS), name, siblings).slice(0, head);
    const end = clean.text(text.slice(text.length - tail - MARGIN_CHARS), name, siblings);
    return `${start} …[${text.length - head - tail} characters left out]… ${tail === 0 ? '' : end.slice(-tail)}`.toWellFormed();
  };
  return { value: mapJson(value, { ...clean, text: cut }), omittedChars };
}

/** The length above which strings are cut so that together they take `maxChars`; null when none is long enough. */
function cutLength(lengths: readonly number[], maxChars: number): number | null {
  const ascending = [...lengths].sort((a, b) => a - b);
  let left = maxChars;
  for (const [index, length] of ascending.entries()) {
    const each = Math.floor(left / (ascending.length - index));
    if (length > each) return each >= LEAST_CHARS ? each : null;
    left -= length;
  }
  return left >= 0 ? Number.POSITIVE_INFINITY : null;
}
