import { openStore } from '../adapters/sqlite/open-store.ts';

const DAY_MS = 86_400_000;

/** Hashes of the segments that a device without a copy fetches at once: those that reach into the last 24 h. */
export function eagerSegments(databasePath: string): readonly string[] {
  const now = Date.now();
  const store = openStore(databasePath, { now });
  try {
    return store.segments.list().flatMap(({ entry }) => (entry.to >= now - DAY_MS ? [entry.hash] : []));
  } finally {
    store.close();
  }
}
