import { z } from 'zod';

/**
 * A field that may be missing, null or of another type in some version: anything unexpected reads as null or
 * undefined, so that one odd field never costs its row.
 */
export function lenient<T extends z.ZodType>(schema: T): z.ZodCatch<z.ZodOptional<z.ZodNullable<T>>> {
  return schema.nullish().catch(null);
}

/** What a list gave: the rows that could be read, and how many could not. */
export interface ReadRows<T> {
  readonly rows: readonly T[];
  readonly unreadable: number;
}

/**
 * Reads a list row by row, so that a bad row loses only itself. Go sends `null` for an empty list; null comes back
 * when the value is no list at all.
 */
export function readRows<T>(schema: z.ZodType<T>, value: unknown): ReadRows<T> | null {
  if (value === null || value === undefined) return { rows: [], unreadable: 0 };
  if (!Array.isArray(value)) return null;
  const rows: T[] = [];
  for (const item of value) {
    const row = schema.safeParse(item);
    if (row.success) rows.push(row.data);
  }
  return { rows, unreadable: value.length - rows.length };
}

/** A count as JSON has it, or null: negative numbers are llama-swap's "unknown". */
export function readCount(value: number | null | undefined): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null;
}
