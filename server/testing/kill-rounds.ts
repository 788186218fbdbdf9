import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, onTestFinished } from 'vitest';
import { openStore } from '../adapters/sqlite/open-store.ts';
import { systemClock } from '../adapters/system-clock.ts';
import { DocHost } from '../services/doc-host.ts';
import { expectConsistent, storedIdentities } from './check-history.ts';
import { silentLog } from './silent-log.ts';
import { seededRandom } from './seeded-random.ts';
import { temporaryDirectory } from './temporary-store.ts';

/**
 * Kills a recording process again and again, after a few commits each time, and looks at what it left: every row it
 * had said was committed, none twice, and documents that hold exactly the rows, without having been built again.
 */
export async function killRounds(
  rounds: number,
): Promise<{ readonly rows: number; readonly segments: number }> {
  const path = join(temporaryDirectory(), 'drover.db');
  const random = seededRandom(7);
  const left = { rows: 0, segments: 0 };
  for (let round = 0; round < rounds; round += 1) {
    const acknowledged = await recordAndKill(path, {
      until: round % 3 === 2 ? 'sealed' : 2 + Math.floor(random() * 8),
      waitMs: random() * 60,
    });
    const store = openStore(path, { now: Date.now() });
    try {
      const rows = storedIdentities(store);
      expect(rows.length).toBeGreaterThanOrEqual(acknowledged);
      const { lastId } = store.activity.cursor('box');
      // Ids are given without holes, so as many rows as the highest id are all of them, once.
      expect(rows).toHaveLength(lastId ?? 0);
      const docHost = new DocHost({ store, clock: systemClock, log: silentLog() });
      docHost.start();
      expect(docHost.names()).toEqual({ fleet: 'fleet@g1', tail: 'tail@g1' });
      expectConsistent(docHost, store);
      docHost.stop();
      left.rows = rows.length;
      left.segments = store.segments.list().length;
    } finally {
      store.close();
    }
  }
  return left;
}

/** Starts the process, waits for some commits or a seal and a moment, kills it; returns the highest id it acknowledged. */
async function recordAndKill(
  path: string,
  { until, waitMs }: { readonly until: number | 'sealed'; readonly waitMs: number },
): Promise<number> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'recording-child.ts'), path], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const exited = once(child, 'exit');
  let acknowledged = 0;
  let seen = 0;
  const enough = Promise.withResolvers<void>();
  createInterface({ input: child.stdout }).on('line', (line) => {
    if (line !== 'sealed') {
      acknowledged = Number(line);
      seen += 1;
    }
    // Somewhere inside the next commit, not always at the same place of it.
    if (line === until || seen === until) systemClock.after(waitMs, () => enough.resolve());
  });
  await Promise.race([enough.promise, exited]);
  child.kill('SIGKILL');
  await exited;
  expect(seen).toBeGreaterThan(0);
  return acknowledged;
}
