/** What becomes of a string: its field's name (null: it stands in a list) and the object it stands in. */
type MapString = (text: string, name: string | null, siblings: object) => string;

/** JSON with each string mapped. Throws a `RangeError` on what is nested thousands deep. */
export function mapStrings(value: unknown, map: MapString): unknown {
  const walk = (item: unknown, name: string | null, siblings: object): unknown => {
    if (typeof item === 'string') return map(item, name, siblings);
    if (Array.isArray(item)) return item.map((entry: unknown) => walk(entry, null, siblings));
    if (typeof item !== 'object' || item === null) return item;
    return Object.fromEntries(Object.entries(item).map(([key, entry]) => [key, walk(entry, key, item)]));
  };
  return walk(value, null, {});
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
export function fitJson(value: unknown, maxChars: number, clean: MapString): FittedJson | null {
  const lengths: number[] = [];
  mapStrings(value, (text) => {
    lengths.push(text.length);
    return text;
  });
  const frame = JSON.stringify(mapStrings(value, () => '')).length;
  const longest = cutLength(lengths, maxChars - frame);
  if (longest === null) return null;
  let omittedChars = 0;
  const fitted = mapStrings(value, (text, name, siblings) => {
    if (text.length <= longest) return clean(text, name, siblings);
    const kept = Math.max(0, longest - 40);
    const head = Math.ceil(kept * HEAD_SHARE);
    const tail = kept - head;
    omittedChars += text.length - head - tail;
    const start = clean(text.slice(0, head + MARGIN_CHARS), name, siblings).slice(0, head);
    const end = clean(text.slice(text.length - tail - MARGIN_CHARS), name, siblings);
    return `${start} …[${text.length - head - tail} characters left out]… ${tail === 0 ? '' : end.slice(-tail)}`.toWellFormed();
  });
  return { value: fitted, omittedChars };
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
