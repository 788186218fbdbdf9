import type { ByteReader, ByteWriter } from './bytes.ts';
import { CorruptBytesError } from './bytes.ts';
import { columnsReader, numberAt, writeIntColumn } from './segment-column.ts';

/** What is measured, with how many steps make one: 10 keeps tenths. */
export type Measure<Sample> = readonly [key: keyof Sample & string, perUnit: number];

/** Decoded measurements by column, NaN where null; `value` is null there, as where there is no such column. */
export interface Measures<Sample> {
  readonly at: Float64Array;
  readonly columns: ReadonlyMap<keyof Sample & string, Float64Array>;
  readonly value: (key: keyof Sample & string, index: number) => number | null;
}

/**
 * Writes samples of several series after each other, a column each: times first, never shortened, so that their length
 * bounds the count; then what is measured, as steps from the value before in its series, which are mostly 0.
 */
export function writeMeasures<Sample extends { readonly at: number }>(
  out: ByteWriter,
  series: readonly (readonly Sample[])[],
  options: { readonly unitMs: number; readonly measures: readonly Measure<Sample>[] },
): void {
  const times = series.flatMap((samples) => samples.map(({ at }) => at / options.unitMs));
  writeIntColumn(out, times, 'deltas');
  for (const [key, perUnit] of options.measures) {
    const steps = series.flatMap((samples) => {
      let last = 0;
      return samples.map((sample) => {
        const value = inSteps(sample[key], perUnit);
        if (value === null) return null;
        const step = value - last;
        last = value;
        return step;
      });
    });
    writeIntColumn(out, steps, 'values');
  }
}

/** Reads what {@link writeMeasures} wrote; `starts` are the rows at which a series begins. */
export function readMeasures<Sample>(
  input: ByteReader,
  rowCount: number,
  options: {
    readonly unitMs: number;
    readonly measures: readonly Measure<Sample>[];
    readonly starts: ReadonlySet<number>;
  },
): Measures<Sample> {
  // Each row has at least one byte in its time: a count past that is a lie, found before any allocation.
  if (rowCount > input.remaining) throw new CorruptBytesError('more samples than bytes');
  const reader = columnsReader(input, rowCount);
  const at = reader.requiredInts().map((time) => time * options.unitMs);
  if (at.some((time) => !Number.isSafeInteger(time))) throw new CorruptBytesError('a time is out of range');
  const columns = new Map<keyof Sample & string, Float64Array>();
  for (const [key, perUnit] of options.measures) {
    const values = reader.ints();
    let last = 0;
    for (let row = 0; row < rowCount; row += 1) {
      if (options.starts.has(row)) last = 0;
      const step = values[row] ?? Number.NaN;
      if (Number.isNaN(step)) continue;
      last += step;
      if (!Number.isSafeInteger(last)) throw new CorruptBytesError('a value is out of range');
      values[row] = last / perUnit;
    }
    columns.set(key, values);
  }
  return {
    at,
    columns,
    value(key, index) {
      const column = columns.get(key);
      return column === undefined ? null : numberAt(column, index);
    },
  };
}

function inSteps(value: unknown, perUnit: number): number | null {
  if (typeof value === 'boolean') return value ? 1 : 0;
  return typeof value === 'number' && Number.isFinite(value) ? Math.round(value * perUnit) : null;
}
