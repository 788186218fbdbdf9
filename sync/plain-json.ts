import { utf8Length } from './bytes.ts';

/** Records are a few levels deep; the bound keeps a forged one from exhausting the stack. */
const MAX_DEPTH = 24;

/**
 * A value as JSON has it, with its bytes in UTF-8; null when JSON cannot hold it: bytes, big integers, numbers that are
 * none, and objects with a prototype of their own making. Properties that are undefined are left out, as JSON does.
 */
export function plainJson(value: unknown): { readonly value: unknown; readonly bytes: number } | null {
  if (!isPlain(value, MAX_DEPTH)) return null;
  const text = JSON.stringify(value);
  return { value: JSON.parse(text), bytes: utf8Length(text) };
}

function isPlain(value: unknown, depth: number): boolean {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return true;
    case 'number':
      return Number.isFinite(value);
    case 'object':
      break;
    default:
      return false;
  }
  if (value === null) return true;
  if (depth === 0) return false;
  if (Array.isArray(value)) return value.every((item) => isPlain(item, depth - 1));
  return (
    Object.getPrototypeOf(value) === Object.prototype &&
    Object.values(value).every((item) => item === undefined || isPlain(item, depth - 1))
  );
}
