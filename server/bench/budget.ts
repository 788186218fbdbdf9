import type { Scratch } from './scratch.ts';

/** A limit the product keeps, as `npm run bench` prints it. */
export interface Budget {
  /** What is measured, in words. */
  readonly name: string;
  readonly unit: string;
  readonly limit: number;
  /** `at-least` for rates, `none` for what has no limit and is shown beside those that have; else a most. */
  readonly bound: 'at-most' | 'at-least' | 'none';
}

/** One budget with what was measured in this run; `note` says how, or beside what. */
export interface Reading extends Budget {
  readonly measured: number;
  readonly note?: string;
}

/** A part of the benchmark: measures some budgets, one after the other, and cleans up after itself. */
export interface BenchPart {
  /** `npm run bench -- word` runs the parts whose name holds the word. */
  readonly name: string;
  run(scratch: Scratch): Promise<readonly Reading[]>;
}

/** How much of the budget is used: 1 is exactly the limit, above it is over; null where there is no limit. */
export function usedShare(reading: Reading): number | null {
  switch (reading.bound) {
    case 'at-most':
      return reading.measured / reading.limit;
    case 'at-least':
      return reading.limit / reading.measured;
    case 'none':
      return null;
  }
}

/** A reading of a budget that must not be exceeded. */
export function atMost(name: string, limit: number, unit: string, measured: number, note?: string): Reading {
  return { name, unit, limit, bound: 'at-most', measured, ...(note === undefined ? {} : { note }) };
}

/** A reading of a rate that must be reached. */
export function atLeast(name: string, limit: number, unit: string, measured: number, note?: string): Reading {
  return { name, unit, limit, bound: 'at-least', measured, ...(note === undefined ? {} : { note }) };
}

/** A number without a limit, that helps to read the others. */
export function shown(name: string, unit: string, measured: number, note?: string): Reading {
  return { name, unit, limit: 0, bound: 'none', measured, ...(note === undefined ? {} : { note }) };
}
