import { hostId } from '#shared/schemas/ids.ts';
import { CorruptBytesError } from './bytes.ts';
import type { ByteReader, ByteWriter } from './bytes.ts';

/** Longest error text (UTF-16 units) in the tail; SQLite and segments hold it whole. */
export const TAIL_TEXT_LIMIT = 120;

/** Turns strings into dictionary references while writing; null means "not in the dictionary, write it inline". */
export type InternString = (text: string) => number | null;

const MAX_TIME = 8.64e15;

/** 0: inline text follows; n: dictionary entry n − 1. */
export function writeText(out: ByteWriter, text: string, intern: InternString): void {
  const index = intern(text);
  out.uint(index === null ? 0 : index + 1);
  if (index === null) out.string(text);
}

/** Reads what {@link writeText} wrote. */
export function readText(input: ByteReader, dictionary: readonly string[]): string {
  return resolveText(input, input.uint(), dictionary);
}

/** 0: null; otherwise one more than {@link writeText} writes. */
export function writeNullableText(out: ByteWriter, text: string | null, intern: InternString): void {
  if (text === null) {
    out.uint(0);
    return;
  }
  const index = intern(text);
  out.uint(index === null ? 1 : index + 2);
  if (index === null) out.string(text);
}

/** Reads what {@link writeNullableText} wrote. */
export function readNullableText(input: ByteReader, dictionary: readonly string[]): string | null {
  const reference = input.uint();
  return reference === 0 ? null : resolveText(input, reference - 1, dictionary);
}

function resolveText(input: ByteReader, reference: number, dictionary: readonly string[]): string {
  if (reference === 0) return input.string();
  const text = dictionary[reference - 1];
  if (text === undefined) throw new CorruptBytesError('a reference past the end of the dictionary');
  return text;
}

/** A text that must be a host id. */
export function readHost(input: ByteReader, dictionary: readonly string[]): string {
  const text = readText(input, dictionary);
  if (!hostId.safeParse(text).success) throw new CorruptBytesError('not a host id');
  return text;
}

/** `value` as a time, or damage. */
export function time(value: number): number {
  if (Math.abs(value) <= MAX_TIME) return value;
  throw new CorruptBytesError('a time is out of range');
}

/** The first {@link TAIL_TEXT_LIMIT} units of `text`, not cut inside a surrogate pair; the last one is `…` when it is longer. */
export function capText(text: string): string {
  if (text.length <= TAIL_TEXT_LIMIT) return text;
  const cut = text.slice(0, TAIL_TEXT_LIMIT - 1);
  return `${/[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut}…`;
}
