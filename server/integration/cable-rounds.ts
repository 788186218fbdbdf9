import { expect, onTestFinished } from 'vitest';
import type { ActivityGap } from '#shared/schemas/activity.ts';
import type { Era } from '../emulator/era.ts';
import { seededRandom, type Random } from '../testing/seeded-random.ts';
import { startTcpProxy, type TcpProxy } from '../testing/tcp-proxy.ts';
import { connectReplicas, expectConverged, pause, until, untilCaughtUp } from './convergence.ts';
import { DroverProcess } from './drover-process.ts';
import { EmulatorProcess } from './emulator-process.ts';
import { expectAccounted, RowLedger } from './row-ledger.ts';

const ROWS_PER_SECOND = 100;
/** A connection that held this long is a story of its own: the backoff of the last one is forgotten. */
export const STABLE_MS = 10_500;

/** A cable that is removed with the test. */
export async function cable(port: number): Promise<TcpProxy> {
  const proxy = await startTcpProxy(port);
  onTestFinished(() => proxy.close());
  return proxy;
}

/** Cuts the cable of two devices again and again while rows come; they end with what the server has. Returns the gaps. */
export async function cutDevices(rounds: number): Promise<readonly ActivityGap[]> {
  const random = seededRandom(3);
  const emulator = await EmulatorProcess.start('v250', { config: { metricsMaxInMemory: 50_000 } });
  const ledger = new RowLedger(emulator, 'marlin');
  const drover = await DroverProcess.start();
  await drover.addHost('marlin', emulator.url);
  const link = await cable(drover.port);
  const replicas = await connectReplicas(drover, 2, `http://127.0.0.1:${link.port}`);
  ledger.start(ROWS_PER_SECOND);
  for (let round = 0; round < rounds; round += 1) {
    const before = replicas.map((replica) => replica.seen.size);
    await until(() =>
      replicas.forEach((replica, at) => expect(replica.seen.size).toBeGreaterThan(before[at] ?? 0)),
    );
    await pause(random() * 100);
    await cutFor(link, random, 300);
  }
  await ledger.stop();
  await untilCaughtUp(drover, [ledger]);
  return expectAccounted(ledger, await expectConverged(drover, replicas));
}

/**
 * Cuts the cables between the server and a host of each era that reads its rows in another way. `patient`: each
 * connection is left long enough to be a stable one, as over hours; otherwise the backoff grows from cut to cut. Returns the gaps.
 */
export async function cutHosts(
  rounds: number,
  { eras, patient }: { readonly eras: readonly Era[]; readonly patient: boolean },
): Promise<readonly ActivityGap[]> {
  const drover = await DroverProcess.start();
  const hosts = await Promise.all(
    eras.map(async (era, at) => {
      const emulator = await EmulatorProcess.start(era, { config: { metricsMaxInMemory: 50_000 } });
      const link = await cable(emulator.port);
      const id = `host-${era}`;
      await drover.addHost(id, `http://127.0.0.1:${link.port}`);
      return { id, link, ledger: new RowLedger(emulator, id), random: seededRandom(at + 1) };
    }),
  );
  const replicas = await connectReplicas(drover, 1);
  for (const { ledger } of hosts) ledger.start(ROWS_PER_SECOND);
  await Promise.all(
    hosts.map(async ({ id, link, random }) => {
      for (let round = 0; round < Math.ceil(rounds / hosts.length); round += 1) {
        await until(async () => expect((await drover.host(id)).liveness).toBe('connected'), 60_000);
        await pause(patient ? STABLE_MS : random() * 400);
        await cutFor(link, random, 400);
      }
    }),
  );
  const ledgers = hosts.map(({ ledger }) => ledger);
  await Promise.all(ledgers.map((ledger) => ledger.stop()));
  await untilCaughtUp(drover, ledgers, 90_000);
  const rows = await expectConverged(drover, replicas);
  return ledgers.flatMap((ledger) => expectAccounted(ledger, rows));
}

/** Pulls a cable for a random while of at most `maxMs`. */
export async function cutFor(link: TcpProxy, random: Random, maxMs: number): Promise<void> {
  link.cut();
  await pause(random() * maxMs);
  link.restore();
}
