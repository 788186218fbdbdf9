import { ByteReader, ByteWriter, CorruptBytesError } from './bytes.ts';

/** First byte of a numeric column. */
const ENCODING = { unsigned: 0, signed: 1, deltas: 2 } as const;

/**
 * A column of integers or nulls. Layout: encoding, where the nulls are (lengths of alternating runs, present first),
 * then the numbers that are there. `signed` and `unsigned` shorten runs of zero to one zero and a count; `deltas` do
 * not, so that their byte length bounds the row count a reader believes.
 */
export function writeIntColumn(
  out: ByteWriter,
  values: readonly (number | null)[],
  prefer: 'values' | 'deltas',
): void {
  const column = new ByteWriter();
  const present = values.filter((value) => value !== null);
  const encoding = chooseEncoding(present, prefer);
  column.uint(encoding);
  column.block(encodeNullRuns(values));
  if (encoding === ENCODING.deltas) {
    let last = 0;
    for (const value of present) {
      column.int(value - last);
      last = value;
    }
  } else {
    writeWithZeroRuns(column, present, encoding === ENCODING.signed);
  }
  out.block(column.toBytes());
}

/** Reads what {@link writeIntColumn} wrote: NaN is null. `rowCount` must be believable already. */
function readIntColumn(input: ByteReader, rowCount: number): Float64Array {
  const column = new ByteReader(input.block());
  const values = new Float64Array(rowCount);
  const encoding = column.uint();
  const presence = new NullRuns(column.block(), rowCount);
  const numbers = new NumberStream(column, encoding);
  for (let row = 0; row < rowCount; row += 1) values[row] = presence.next() ? numbers.next() : Number.NaN;
  numbers.end();
  return values;
}

/** As {@link readIntColumn} for a column that has no nulls; one is a sign of damage. */
function readRequiredInts(input: ByteReader, rowCount: number): Float64Array {
  const values = readIntColumn(input, rowCount);
  if (values.some(Number.isNaN)) throw new CorruptBytesError('a value is missing');
  return values;
}

/** A column of strings or nulls: its own dictionary in order of first use, then references (0 is null). */
function writeTextColumn(out: ByteWriter, values: readonly (string | null)[]): void {
  const column = new ByteWriter();
  const references = new Map<string, number>();
  const encoded = values.map((value) => {
    if (value === null) return 0;
    const text = value.toWellFormed();
    const known = references.get(text) ?? references.size + 1;
    references.set(text, known);
    return known;
  });
  column.uint(references.size);
  for (const text of references.keys()) column.string(text);
  writeWithZeroRuns(column, encoded, false);
  out.block(column.toBytes());
}

/** Writes columns of the same rows, one after the other, each made by what it picks of a row. */
export interface ColumnsWriter<Row> {
  /** Integers that lie anywhere. */
  ints(pick: (row: Row) => number | null): void;
  /** Integers near the one before: times in order. */
  deltas(pick: (row: Row) => number | null): void;
  texts(pick: (row: Row) => string | null): void;
}

/** A writer of columns of `rows`. */
export function columnsWriter<Row>(out: ByteWriter, rows: readonly Row[]): ColumnsWriter<Row> {
  return {
    ints: (pick) => writeIntColumn(out, rows.map(pick), 'values'),
    deltas: (pick) => writeIntColumn(out, rows.map(pick), 'deltas'),
    texts: (pick) => writeTextColumn(out, rows.map(pick)),
  };
}

/** Reads columns of so many rows, in the order they were written. */
export interface ColumnsReader {
  ints(): Float64Array;
  /** A column that has no nulls; one is a sign of damage. */
  requiredInts(): Float64Array;
  texts(): TextColumn;
}

/** A reader of columns of `rowCount` rows, which must be believable already. */
export function columnsReader(input: ByteReader, rowCount: number): ColumnsReader {
  return {
    ints: () => readIntColumn(input, rowCount),
    requiredInts: () => readRequiredInts(input, rowCount),
    texts: () => readTextColumn(input, rowCount),
  };
}

/** A decoded text column: `texts[references[row] - 1]`, reference 0 is null. */
export interface TextColumn {
  readonly texts: readonly string[];
  readonly references: Uint32Array;
}

/** Reads what {@link writeTextColumn} wrote. */
function readTextColumn(input: ByteReader, rowCount: number): TextColumn {
  const column = new ByteReader(input.block());
  const count = column.uint();
  // Every string takes at least its length's byte.
  if (count > column.remaining) throw new CorruptBytesError('more strings than bytes');
  const texts: string[] = [];
  for (let index = 0; index < count; index += 1) texts.push(column.string());
  const references = new Uint32Array(rowCount);
  const numbers = new NumberStream(column, ENCODING.unsigned);
  for (let row = 0; row < rowCount; row += 1) {
    const reference = numbers.next();
    if (reference > count) throw new CorruptBytesError('a reference past the end of the dictionary');
    references[row] = reference;
  }
  numbers.end();
  return { texts, references };
}

/** Text of a row, or null. */
export function textAt(column: TextColumn, row: number): string | null {
  return column.texts[(column.references[row] ?? 0) - 1] ?? null;
}

/** Value of a row, or null. */
export function numberAt(column: Float64Array, index: number): number | null {
  const value = column[index];
  return value === undefined || Number.isNaN(value) ? null : value;
}

/** Throws when a column that has no nulls holds one. */
export function requireTexts(...columns: readonly TextColumn[]): void {
  if (columns.some((column) => column.references.includes(0))) {
    throw new CorruptBytesError('a row without a host or model');
  }
}

function chooseEncoding(values: readonly number[], prefer: 'values' | 'deltas'): number {
  if (prefer === 'deltas') {
    let last = 0;
    const safe = values.every((value) => {
      const delta = value - last;
      last = value;
      return Number.isSafeInteger(delta);
    });
    // Times at both ends of the calendar: a difference that is no safe integer.
    if (safe) return ENCODING.deltas;
  }
  return values.every((value) => value >= 0) ? ENCODING.unsigned : ENCODING.signed;
}

function writeWithZeroRuns(out: ByteWriter, values: readonly number[], signed: boolean): void {
  for (let index = 0; index < values.length; index += 1) {
    const value = values[index] ?? 0;
    if (signed) out.int(value);
    else out.uint(value);
    if (value !== 0) continue;
    let run = 1;
    while (values[index + run] === 0) run += 1;
    out.uint(run - 1);
    index += run - 1;
  }
}

function encodeNullRuns(values: readonly (number | null)[]): Uint8Array {
  const out = new ByteWriter();
  if (!values.includes(null)) return out.toBytes();
  let start = 0;
  let present = true;
  while (start < values.length) {
    let end = start;
    while (end < values.length && (values[end] !== null) === present) end += 1;
    out.uint(end - start);
    start = end;
    present = !present;
  }
  return out.toBytes();
}

/** Says row by row whether a value is there; no bytes at all mean every one is. */
class NullRuns {
  readonly #input: ByteReader;
  #left = 0;
  #present = false;

  constructor(bytes: Uint8Array, rowCount: number) {
    this.#input = new ByteReader(bytes);
    if (bytes.byteLength === 0) {
      this.#left = rowCount;
      this.#present = true;
    }
  }

  next(): boolean {
    while (this.#left === 0) {
      this.#left = this.#input.uint();
      this.#present = !this.#present;
    }
    this.#left -= 1;
    return this.#present;
  }
}

class NumberStream {
  readonly #input: ByteReader;
  readonly #encoding: number;
  #zeros = 0;
  #last = 0;

  constructor(input: ByteReader, encoding: number) {
    if (encoding > ENCODING.deltas) throw new CorruptBytesError('a column of an unknown encoding');
    this.#input = input;
    this.#encoding = encoding;
  }

  next(): number {
    if (this.#encoding === ENCODING.deltas) {
      this.#last += this.#input.int();
      return safe(this.#last);
    }
    if (this.#zeros > 0) {
      this.#zeros -= 1;
      return 0;
    }
    const value = this.#encoding === ENCODING.signed ? this.#input.int() : this.#input.uint();
    if (value === 0) this.#zeros = this.#input.uint();
    return value;
  }

  /** The column must be used up: a run or bytes that are left belong to rows that the header does not count. */
  end(): void {
    if (this.#zeros > 0) throw new CorruptBytesError('a run past the last row');
    this.#input.end();
  }
}

function safe(value: number): number {
  if (Number.isSafeInteger(value)) return value;
  throw new CorruptBytesError('a value is out of range');
}
