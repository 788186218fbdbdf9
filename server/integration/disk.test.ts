import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { ActivityGap } from '#shared/schemas/activity.ts';
import { identityOf } from '../testing/check-history.ts';
import { startServer } from '../testing/processes.ts';
import { temporaryDirectory } from '../testing/temporary-store.ts';
import { connectReplicas, expectConverged, until, untilCaughtUp } from './convergence.ts';
import { DroverProcess } from './drover-process.ts';
import { EmulatorProcess } from './emulator-process.ts';
import type { Replica } from './replica.ts';
import { expectAccounted, RowLedger } from './row-ledger.ts';

/** The longest pause between two tries of a store that failed is 30 s. */
const RECOVERY_MS = 60_000;

function run(command: string, ...args: string[]): boolean {
  return spawnSync(command, args, { stdio: 'ignore' }).status === 0;
}

/** A file system of its own, gone with the test. */
function mountMemory(size: string): string {
  const directory = join(temporaryDirectory(), 'disk');
  mkdirSync(directory);
  if (!run('mount', '-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', directory)) throw new Error('mount failed');
  onTestFinished(() => void run('umount', '-l', directory));
  return directory;
}

/** Mounting needs rights that a container or a user may not have; then these tests are skipped. */
function canMount(): boolean {
  const directory = '/tmp/drover-mount-probe';
  mkdirSync(directory, { recursive: true });
  try {
    if (!run('mount', '-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', directory)) return false;
    return run('umount', directory);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

const MOUNTS = process.platform === 'linux' && canMount();
const LIMITS = process.platform === 'linux' && run('prlimit', '--version');

interface Scene {
  readonly drover: DroverProcess;
  readonly ledger: RowLedger;
  readonly replica: Replica;
}

async function startScene(dataDir: string): Promise<Scene> {
  const emulator = await EmulatorProcess.start('v250', { config: { metricsMaxInMemory: 100_000 } });
  const ledger = new RowLedger(emulator, 'marlin');
  const drover = await DroverProcess.start({ dataDir });
  await drover.addHost('marlin', emulator.url);
  const [replica] = await connectReplicas(drover, 1);
  if (!replica) throw new Error('one replica');
  await ledger.add(100);
  await until(() => expect(replica.seen.size).toBeGreaterThanOrEqual(100));
  return { drover, ledger, replica };
}

/** Rows come until nothing can be saved; what was shown before stays readable, and the remedy is named. */
async function expectReadable({ drover, ledger, replica }: Scene, remedy: RegExp): Promise<void> {
  await until(async () => {
    await ledger.add(500);
    expect(await drover.healthChecks()).toContainEqual(
      expect.objectContaining({ name: 'store', state: 'fail', remediation: expect.stringMatching(remedy) }),
    );
  }, 30_000);
  const open = await fetch(`${drover.url}/api/health`);
  expect(await open.json()).toEqual({ status: 'failed' });
  const served = new Set((await drover.allRows()).map(identityOf));
  const shown = [...replica.seen].filter(([, row]) => row.type === 'request').map(([identity]) => identity);
  expect(shown.filter((identity) => !served.has(identity))).toEqual([]);
  expect(await drover.hosts()).toHaveLength(1);
  const refused = await drover.request('/api/hosts', {
    method: 'POST',
    body: { label: 'another', url: 'http://127.0.0.1:1' },
  });
  expect(refused.status).toBe(503);
  expect(await refused.json()).toMatchObject({ error: { code: 'store_unavailable' } });
}

/** The same process works again, and has everything; returns the gaps. */
async function gapsAfterRecovery({ drover, ledger, replica }: Scene): Promise<readonly ActivityGap[]> {
  // On a file system this small it goes on warning that there is little room.
  await until(
    async () =>
      expect(await drover.healthChecks()).toContainEqual(
        expect.objectContaining({ name: 'store', state: expect.stringMatching(/^(ok|warn)$/) }),
      ),
    RECOVERY_MS,
  );
  await untilCaughtUp(drover, [ledger]);
  return expectAccounted(ledger, await expectConverged(drover, [replica]));
}

test.skipIf(!MOUNTS)(
  'a full disk: the page says so, nothing shown is lost, and space alone brings it back (needs the right to mount)',
  async () => {
    const dataDir = mountMemory('24m');
    const scene = await startScene(dataDir);
    const filler = join(dataDir, 'filler');
    fillDisk(filler);
    await expectReadable(scene, /Free some space/);
    rmSync(filler);
    expect(await gapsAfterRecovery(scene)).toEqual([]);
  },
  150_000,
);

test.skipIf(!LIMITS)(
  'a file that may not grow: the same, by a limit on the process (needs prlimit)',
  async () => {
    const scene = await startScene(temporaryDirectory());
    const limit = (bytes: string) => run('prlimit', '--pid', String(scene.drover.pid), `--fsize=${bytes}`);
    expect(limit('65536:unlimited')).toBe(true);
    await expectReadable(scene, /tries again/);
    expect(limit('unlimited')).toBe(true);
    expect(await gapsAfterRecovery(scene)).toEqual([]);
  },
  150_000,
);

test.skipIf(!MOUNTS)(
  'a data directory that cannot be written: a page says so, and the server starts by itself once it can be (needs the right to mount)',
  async () => {
    const dataDir = mountMemory('24m');
    expect(run('mount', '-o', 'remount,ro', dataDir)).toBe(true);
    const first = await DroverProcess.start();
    const { port } = first;
    await first.kill('SIGTERM');
    const starting = startServer({ dataDir, port });
    const url = `http://127.0.0.1:${port}`;
    await until(async () =>
      expect(await (await fetch(`${url}/api/health`)).json()).toEqual({ status: 'failed' }),
    );
    const page = await fetch(url, { headers: { accept: 'text/html' } });
    expect(await page.text()).toContain('cannot be written');
    expect(run('mount', '-o', 'remount,rw', dataDir)).toBe(true);
    const server = await starting;
    onTestFinished(() => server.kill('SIGKILL'));
    // It works, and says that 24 MB are little.
    expect(await (await fetch(`${url}/api/health`)).json()).toEqual({ status: 'degraded' });
  },
  60_000,
);

/** Writes until there is no room left. */
function fillDisk(path: string): void {
  const chunk = Buffer.alloc(64 * 1024, 1);
  for (;;) {
    try {
      writeFileSync(path, chunk, { flag: 'a' });
    } catch {
      return;
    }
  }
}
