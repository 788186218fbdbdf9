import * as z from 'zod/mini';
import { role } from '#shared/schemas/auth.ts';

const remembered = z.object({
  device: z.nullable(z.object({ id: z.string(), label: z.string() })),
  role,
  documents: z.object({ fleet: z.string(), tail: z.string(), outbox: z.optional(z.string()) }),
  /** Collector time at which the stored copy was last known to be in step. */
  dataAsOf: z.nullable(z.number()),
  lastSyncAt: z.nullable(z.number()),
  serverOffsetMs: z.number(),
});

/** What a start without network needs before anything is asked: whose copy it is, its names and its age. No secret. */
export type Remembered = z.infer<typeof remembered>;

const KEY = 'drover.replica';

/** What the last run left; null on a first run, after a sign-out, or where storage is blocked. */
export function readRemembered(): Remembered | null {
  try {
    const parsed = remembered.safeParse(JSON.parse(localStorage.getItem(KEY) ?? 'null'));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}

/** Replaces it; null forgets. Blocked storage is no error here: the database says "not saved". */
export function writeRemembered(value: Remembered | null): void {
  try {
    if (value === null) localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, JSON.stringify(value));
  } catch {
    // Nothing is kept on this device; the persistence of the documents reports it.
  }
}
