import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { lockDataDir } from './adapters/sqlite/lock.ts';
import { openStore } from './adapters/sqlite/open-store.ts';
import { asStoreError } from './adapters/sqlite/sqlite-failure.ts';
import { systemClock } from './adapters/system-clock.ts';
import { startServer, type RunningServer, type ServerOptions } from './composition.ts';
import { remedyFor, StoreError, type StoreFailure } from './domain/store-error.ts';
import { listen } from './http-server.ts';
import { buildStoreFailurePage } from './store-failure-page.ts';

const RETRY_MS = 2_000;

const FAILURE_OF_ERRNO: Readonly<Record<string, StoreFailure>> = {
  EACCES: 'readonly',
  EPERM: 'readonly',
  EROFS: 'readonly',
  ENOSPC: 'full',
  EDQUOT: 'full',
  EIO: 'io',
};

/**
 * Starts the server. While its data cannot be opened (disk full, read-only, damaged) a page at the same address says
 * why and what to do, and the start is tried again; any other failure is thrown.
 */
export async function startWhenPossible(options: ServerOptions): Promise<RunningServer> {
  try {
    return await startServer(options);
  } catch (error) {
    const failure = storeFailureOf(error);
    if (failure === null) throw error;
    return startAfter(failure, options);
  }
}

async function startAfter(failure: StoreFailure, options: ServerOptions): Promise<RunningServer> {
  const { config, log, tls } = options;
  const remedy = `${remedyFor(failure)} Data directory: ${config.dataDir}`;
  const page = await buildStoreFailurePage({ remedy, tls });
  const port = await listen(page, config);
  log.error({ reason: failure, port, dataDir: config.dataDir }, remedy);
  try {
    while (!canOpenData(config.dataDir)) await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  } finally {
    await page.close();
  }
  log.info({}, 'the data can be opened again');
  return startWhenPossible({ ...options, config: { ...config, port } });
}

/** Opens and closes everything once. Throws what is no failure of the store, such as another server that came first. */
function canOpenData(dataDir: string): boolean {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    const lock = lockDataDir(join(dataDir, 'drover.lock'), systemClock.now());
    try {
      openStore(join(dataDir, 'drover.db'), { now: systemClock.now() }).close();
    } finally {
      lock.release();
    }
    return true;
  } catch (error) {
    if (storeFailureOf(error) === null) throw error;
    return false;
  }
}

function storeFailureOf(error: unknown): StoreFailure | null {
  const known = asStoreError(error);
  if (known instanceof StoreError) return known.failure;
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return null;
  // A port that may not be bound is EACCES too, and no fault of the data.
  if ('syscall' in error && error.syscall === 'listen') return null;
  return FAILURE_OF_ERRNO[error.code] ?? null;
}
