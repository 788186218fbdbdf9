/** A limit the product keeps, as `npm run bench` prints it. */
export interface Budget {
  /** What is measured, in words. */
  readonly name: string;
  readonly unit: string;
  readonly limit: number;
  /** `at-least` for rates; everything else is a most. */
  readonly bound: 'at-most' | 'at-least';
}

/** One budget with what was measured in this run; `note` says how, or beside what. */
export interface Reading extends Budget {
  readonly measured: number;
  readonly note?: string;
}

/** A part of the benchmark: measures some budgets, one after the other, and cleans up after itself. */
export interface BenchPart {
  readonly name: string;
  run(): Promise<readonly Reading[]>;
}

/** How much of the budget is used: 1 is exactly the limit, above it is over. */
export function usedShare(reading: Reading): number {
  return reading.bound === 'at-most' ? reading.measured / reading.limit : reading.limit / reading.measured;
}

/** A reading of a budget that must not be exceeded. */
export function atMost(name: string, limit: number, unit: string, measured: number, note?: string): Reading {
  return { name, unit, limit, bound: 'at-most', measured, ...(note === undefined ? {} : { note }) };
}

/** A reading of a rate that must be reached. */
export function atLeast(name: string, limit: number, unit: string, measured: number, note?: string): Reading {
  return { name, unit, limit, bound: 'at-least', measured, ...(note === undefined ? {} : { note }) };
}
