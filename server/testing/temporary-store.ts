import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { openStore } from '../adapters/sqlite/open-store.ts';
import type { SqliteStore } from '../adapters/sqlite/open-store.ts';

/** A directory that is gone when the test ends. */
export function temporaryDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'drover-store-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

/** A real, empty store on disk, closed and removed when the test ends. */
export function temporaryStore(path = join(temporaryDirectory(), 'drover.db')): SqliteStore {
  const store = openStore(path, { now: Date.UTC(2026, 10, 30, 12) });
  onTestFinished(() => store.close());
  return store;
}
