import * as z from 'zod/mini';
import { health } from '#shared/schemas/info.ts';
import type { Health } from '#shared/schemas/info.ts';
import { createCell, useReadable } from './cell.ts';
import { isSecure } from './environment.ts';

const KEY = 'drover.health';
const keptReport = z.object({ health, at: z.number() });

/** What the collector last said of itself, and when, on its own clock. */
export interface KeptReport {
  readonly health: Health;
  readonly at: number;
}

const cell = createCell<KeptReport | null>(read());

/** The last report this device was given, also of an earlier visit; null: none. */
export function useKeptReport(): KeptReport | null {
  return useReadable(cell);
}

/** Keeps a report, to be read while the collector is away. One without checks, as strangers get it, is not kept. */
export function keepReport(report: KeptReport): void {
  if (report.health.checks === undefined) return;
  cell.set(report);
  if (!isSecure) return;
  try {
    localStorage.setItem(KEY, JSON.stringify(report));
  } catch {
    // A browser that stores nothing shows it until the page is left.
  }
}

/** Forgets it: the device left the fleet. */
export function forgetReport(): void {
  cell.set(null);
  try {
    localStorage.removeItem(KEY);
  } catch {
    // Then there is nothing to forget.
  }
}

function read(): KeptReport | null {
  try {
    const parsed = keptReport.safeParse(JSON.parse(localStorage.getItem(KEY) ?? 'null'));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}
