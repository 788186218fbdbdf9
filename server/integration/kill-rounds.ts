import { expect } from 'vitest';
import { identityOf } from '../testing/check-history.ts';
import { seededRandom } from '../testing/seeded-random.ts';
import { connectReplicas, expectConverged, pause, rowsOnDisk, until, untilCaughtUp } from './convergence.ts';
import { DroverProcess } from './drover-process.ts';
import { EmulatorProcess } from './emulator-process.ts';
import { expectAccounted, RowLedger } from './row-ledger.ts';

const ROWS_PER_SECOND = 500;
const RING_ROWS = 1_000;
/** A backfill takes ten thousand. */
const MAX_MISSED_ROWS = 6_000;

/**
 * Kills the server again and again while a host makes 500 rows a second and devices and a script look on. Whatever one
 * of them was given must be on the dead server's disk; afterwards every row of the host is there once, and one gap
 * where the host itself had dropped rows while nobody listened.
 */
export async function killRounds(
  rounds: number,
): Promise<{ readonly rows: number; readonly segments: number }> {
  const random = seededRandom(11);
  // A host that keeps more than it makes during a restart: here no gap is right.
  const emulator = await EmulatorProcess.start('v250', { config: { metricsMaxInMemory: 50_000 } });
  const ledger = new RowLedger(emulator, 'marlin');
  const drover = await DroverProcess.start();
  await drover.addHost('marlin', emulator.url);
  const replicas = await connectReplicas(drover, 2);
  const [reader] = replicas;
  ledger.start(ROWS_PER_SECOND);

  for (let round = 0; round < rounds; round += 1) {
    const before = replicas.map((replica) => replica.seen.size);
    const enough = 50 + Math.floor(random() * 250);
    await until(() =>
      replicas.forEach((replica, at) =>
        expect(replica.seen.size).toBeGreaterThan((before[at] ?? 0) + enough),
      ),
    );
    await reader?.fetchSegments();
    const answered = (await drover.newestRows()).map(identityOf);
    await pause(random() * 120);
    const lastId = ledger.lastId;
    ledger.maxId = lastId + MAX_MISSED_ROWS;
    await drover.kill('SIGKILL');
    const acknowledged = [...replicas.flatMap((replica) => [...replica.seen.keys()]), ...answered];
    const kept = rowsOnDisk(drover);
    expect(acknowledged.filter((identity) => !kept.has(identity))).toEqual([]);
    await drover.startAgain();
    await until(async () => {
      const [newest] = await drover.newestRows(1);
      expect(newest?.type === 'request' ? newest.id : 0).toBeGreaterThan(lastId);
    }, 60_000);
    ledger.maxId = Number.POSITIVE_INFINITY;
  }

  await ledger.stop();
  await untilCaughtUp(drover, [ledger]);
  const rows = await expectConverged(drover, replicas);
  expect(expectAccounted(ledger, rows)).toEqual([]);

  // Another host drops rows while the server is away: one gap, exactly there.
  const bream = await addForgetfulHost(drover);
  await drover.kill('SIGKILL');
  await bream.ledger.add(RING_ROWS + 300);
  await drover.startAgain();
  await untilCaughtUp(drover, [bream.ledger]);
  const gaps = expectAccounted(bream.ledger, await expectConverged(drover, replicas));
  expect(gaps).toMatchObject([
    { fromId: bream.heldId + 1, toId: bream.ledger.lastId - RING_ROWS, reason: 'ring_wrapped' },
  ]);
  return { rows: ledger.size, segments: reader?.records().segments.size ?? 0 };
}

/** A host with llama-swap's own ring of a thousand rows, a few of which are held. */
async function addForgetfulHost(drover: DroverProcess): Promise<{ ledger: RowLedger; heldId: number }> {
  const emulator = await EmulatorProcess.start('v262');
  const ledger = new RowLedger(emulator, 'bream');
  await ledger.add(10);
  await drover.addHost('bream', emulator.url);
  await untilCaughtUp(drover, [ledger]);
  return { ledger, heldId: ledger.lastId };
}
