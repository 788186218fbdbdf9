import * as z from 'zod/mini';
import { role } from '#shared/schemas/auth.ts';
import { isSecure } from '../environment.ts';
import { outboxNameCell } from '../intents/intent-cells.ts';
import { serverOffsetMs } from '../server-clock.ts';
import { sessionCell } from '../session-state.ts';
import type { DocumentNames } from './copy-databases.ts';

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

const REMEMBERED_KEY = 'drover.replica';

/** What the last run left; null on a first run, after a sign-out, or where storage is blocked. */
export function readRemembered(): Remembered | null {
  try {
    const parsed = remembered.safeParse(JSON.parse(localStorage.getItem(REMEMBERED_KEY) ?? 'null'));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}

/** Replaces it; null forgets. Blocked storage is no error here: the database says "not saved". */
export function writeRemembered(value: Remembered | null): void {
  try {
    if (value === null) localStorage.removeItem(REMEMBERED_KEY);
    else localStorage.setItem(REMEMBERED_KEY, JSON.stringify(value));
  } catch {
    // Nothing is kept on this device; the persistence of the documents reports it.
  }
}

/** Writes down whose copy this is and how old; not where nothing is kept, nor for who is signed out. */
export function rememberSession(
  documents: DocumentNames,
  age: Pick<Remembered, 'dataAsOf' | 'lastSyncAt'>,
): void {
  const { role: ownRole, device } = sessionCell.get();
  const outbox = outboxNameCell.get();
  if (!isSecure || ownRole === null) return;
  writeRemembered({
    ...age,
    device,
    role: ownRole,
    documents: { ...documents, ...(outbox === null ? {} : { outbox }) },
    serverOffsetMs: serverOffsetMs(),
  });
}
