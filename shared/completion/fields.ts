/** The value under `names`, one after the other; undefined where something else stands. */
export function at(value: unknown, ...names: readonly (string | number)[]): unknown {
  let found = value;
  for (const name of names) {
    if (typeof found !== 'object' || found === null) return undefined;
    found = Object.hasOwn(found, name) ? Reflect.get(found, name) : undefined;
  }
  return found;
}

/** The text under `names`; null where there is none. */
export function textAt(value: unknown, ...names: readonly (string | number)[]): string | null {
  const found = at(value, ...names);
  return typeof found === 'string' ? found : null;
}

/** The list under `names`; empty where there is none. */
export function listAt(value: unknown, ...names: readonly (string | number)[]): readonly unknown[] {
  const found = at(value, ...names);
  return Array.isArray(found) ? found : [];
}

/** The finite number under `names`; null where there is none. */
export function numberAt(value: unknown, ...names: readonly (string | number)[]): number | null {
  const found = at(value, ...names);
  return typeof found === 'number' && Number.isFinite(found) ? found : null;
}

/** A count under `names`: a whole number from 0 on; null where there is none. */
export function countAt(value: unknown, ...names: readonly (string | number)[]): number | null {
  const found = numberAt(value, ...names);
  return found !== null && Number.isSafeInteger(found) && found >= 0 ? found : null;
}

/** JSON, or undefined where it cannot be read. */
export function readJson(text: string): unknown {
  try {
    const json: unknown = JSON.parse(text);
    return json;
  } catch {
    return undefined;
  }
}
