import { expect, test } from 'vitest';
import { startServer } from '../testing/processes.ts';
import { connectReplicas, expectConverged, rowsOnDisk, until, untilCaughtUp } from './convergence.ts';
import { DroverProcess } from './drover-process.ts';
import { EmulatorProcess } from './emulator-process.ts';
import { expectAccounted, RowLedger } from './row-ledger.ts';

test('a server stopped under load ends cleanly with everything it was told, and lets nobody else in before', async () => {
  const emulator = await EmulatorProcess.start('v250', { config: { metricsMaxInMemory: 50_000 } });
  const ledger = new RowLedger(emulator, 'marlin');
  const drover = await DroverProcess.start();
  await drover.addHost('marlin', emulator.url);
  const replicas = await connectReplicas(drover, 4);
  ledger.start(500);
  await until(() => replicas.forEach((replica) => expect(replica.seen.size).toBeGreaterThan(200)));

  await expect(startServer({ dataDir: drover.dataDir })).rejects.toThrow(
    new RegExp(`exited with 3[^]*in use by Drover process ${drover.pid}`),
  );
  // The first end of each socket; what follows is the client trying to come back.
  const ends = replicas
    .flatMap(({ fleet, tail }) => [fleet, tail])
    .map(
      (provider) =>
        new Promise((resolve) => {
          provider.once('connection-close', (event) => resolve(event?.code));
        }),
    );
  const asked = Array.from({ length: 5 }, () => drover.newestRows(500).catch(() => null));
  const stoppedAt = performance.now();
  expect(await drover.kill('SIGTERM')).toBe(0);
  expect(performance.now() - stoppedAt).toBeLessThan(9_000);
  await Promise.all(asked);
  expect(await Promise.all(ends)).toEqual(Array.from({ length: 8 }, () => 4503));
  const kept = rowsOnDisk(drover);
  const shown = replicas.flatMap((replica) => [...replica.seen.keys()]);
  expect(shown.filter((identity) => !kept.has(identity))).toEqual([]);

  await drover.startAgain();
  await ledger.stop();
  await untilCaughtUp(drover, [ledger]);
  expect(expectAccounted(ledger, await expectConverged(drover, replicas))).toEqual([]);
}, 120_000);
