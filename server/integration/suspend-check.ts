import { expect } from 'vitest';
import type { ActivityGap } from '#shared/schemas/activity.ts';
import { connectReplicas, expectConverged, pause, until, untilCaughtUp } from './convergence.ts';
import { DroverProcess } from './drover-process.ts';
import { EmulatorProcess } from './emulator-process.ts';
import { expectAccounted, RowLedger } from './row-ledger.ts';

/**
 * Suspends the server beside a busy v250 host, which writes its own disk full while a client does not read. On waking
 * the old stream is closed before anything else, and nothing is missing afterwards. Returns the gaps.
 */
export async function suspendFor(suspendMs: number): Promise<readonly ActivityGap[]> {
  const emulator = await EmulatorProcess.start('v250', { config: { metricsMaxInMemory: 50_000 } });
  const ledger = new RowLedger(emulator, 'marlin');
  const drover = await DroverProcess.start();
  await drover.addHost('marlin', emulator.url);
  const replicas = await connectReplicas(drover, 1);
  ledger.start(100);
  await until(async () => expect((await drover.host('marlin')).liveness).toBe('connected'));
  const streams = async () =>
    (await emulator.requestedPaths()).filter((path) => path === '/api/events').length;
  expect(await streams()).toBe(1);

  // Less than a backfill takes, however long it is.
  ledger.maxId = ledger.lastId + 8_000;
  drover.signal('SIGSTOP');
  try {
    for (let slept = 0; slept < suspendMs; slept += 500) {
      await emulator.command('flood-logs', { lines: 2_000, source: 'proxy' });
      await pause(500);
    }
    expect(await emulator.state()).toMatchObject({ eventClients: 1 });
  } finally {
    drover.signal('SIGCONT');
  }
  await until(() => expect(drover.lines.join('\n')).toContain('the process stood still'));
  // The host sees one client again, and it is another one: the old stream is closed.
  await until(async () => {
    expect(await streams()).toBe(2);
    expect(await emulator.state()).toMatchObject({ eventClients: 1 });
  });
  await until(async () => expect((await drover.host('marlin')).liveness).toBe('connected'));
  await ledger.stop();
  await untilCaughtUp(drover, [ledger]);
  return expectAccounted(ledger, await expectConverged(drover, replicas));
}
