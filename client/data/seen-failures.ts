import * as z from 'zod/mini';
import { createCell, useReadable } from './cell.ts';

const KEY = 'drover.seen-failures';
/** Older ones are over, or were seen so long ago that nobody minds to see them again. */
const MAX_SEEN = 200;
const stored = z.array(z.string());

const cell = createCell<ReadonlySet<string>>(read());

/** One failed start of a model: the next one of the same model is another. */
export function failureKey(hostId: string, modelId: string, at: number): string {
  return JSON.stringify([hostId, modelId, at]);
}

/** Failed starts that were read on this device, by {@link failureKey}. */
export function useSeenFailures(): ReadonlySet<string> {
  return useReadable(cell);
}

/** Notes that a failed start was read here: it asks nobody on this device any more. Never sent. */
export function markFailureSeen(key: string): void {
  // What another tab noted meanwhile counts too.
  write([...[...read()].filter((other) => other !== key), key].slice(-MAX_SEEN));
}

/** Forgets all: the device left the fleet. */
export function forgetSeenFailures(): void {
  write([]);
}

function write(keys: readonly string[]): void {
  cell.set(new Set(keys));
  try {
    if (keys.length === 0) localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, JSON.stringify(keys));
  } catch {
    // A browser that stores nothing still leaves it out until the page is left.
  }
}

function read(): ReadonlySet<string> {
  try {
    const parsed = stored.safeParse(JSON.parse(localStorage.getItem(KEY) ?? '[]'));
    return new Set(parsed.success ? parsed.data : []);
  } catch {
    return new Set();
  }
}
