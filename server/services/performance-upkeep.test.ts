import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { readFleet } from '#sync/fleet-doc.ts';
import { parseFleet } from '#sync/fleet-record.ts';
import { realisticSamples } from '#sync/testing/realistic-performance.ts';
import { SqlitePerformanceQueries } from '../adapters/sqlite/performance-queries.ts';
import { hourOf } from '../domain/segment-policy.ts';
import { expectConsistent } from '../testing/check-history.ts';
import { FaultyConnection, InjectedCrash } from '../testing/faulty-connection.ts';
import { historyRig, type HistoryRig, type HistoryRigOptions } from '../testing/history-rig.ts';
import { hostConfig } from '../testing/host-config.ts';
import { ManualClock } from '../testing/manual-clock.ts';
import { storedOf } from '../testing/performance-rows.ts';
import { storedRollups } from '../testing/performance-world.ts';
import { temporaryDirectory } from '../testing/temporary-store.ts';

const HOUR_MS = 3_600_000;
const NOON = Date.UTC(2026, 10, 30, 12);

function rigWithHosts(options: HistoryRigOptions = {}): HistoryRig {
  const rig = historyRig(options);
  for (const id of ['box', 'den']) {
    if (!rig.registry.host(id)) rig.registry.insertHost(hostConfig(id), rig.clock.now());
  }
  return rig;
}

/** `ticks` samples of a host with one card from a moment of its own clock on, committed now. */
function sample(
  rig: HistoryRig,
  from: number,
  options: { ticks?: number; hostId?: string; seed?: number } = {},
): void {
  const { ticks = 720, hostId = 'box', seed = 1 } = options;
  const rows = realisticSamples({ gpus: 1, ticks, hostId, seed, startAt: from + 100 });
  const newestAt = from + ticks * 5_000;
  rig.performance.take(hostId, { ...storedOf(rows), cursor: { newestAt, counters: null } });
  rig.performance.flush();
}

/** Does everything that is due, on both sides. */
async function settle(rig: HistoryRig): Promise<void> {
  while (rig.upkeep.step());
  rig.sealer.start();
  await rig.sealer.settled();
  await rig.sealer.stop();
}

function manifest({ docHost }: HistoryRig) {
  const document = docHost.open(docHost.names().fleet);
  if (!document) throw new Error('no fleet document');
  return [...parseFleet(readFleet(document.doc)).segments.values()];
}

describe('rollups', () => {
  test('wait until an hour is over and quiet, by our clock', () => {
    const rig = rigWithHosts();
    sample(rig, NOON);
    expect(rig.upkeep.step()).toBe(false);
    rig.clock.jump(30 * 60_000);
    expect(rig.upkeep.step()).toBe(false);
    rig.clock.jump(31 * 60_000 + 1);
    expect(rig.upkeep.step()).toBe(true);
    expect(storedRollups(rig)).toHaveLength(24);
    expect(rig.upkeep.step()).toBe(false);
  });

  test('of samples that come later are made again; segments that held what changed are built anew', async () => {
    const rig = rigWithHosts();
    sample(rig, NOON, { ticks: 90 });
    sample(rig, NOON, { hostId: 'den' });
    rig.clock.jump(2 * HOUR_MS);
    await settle(rig);
    const before = storedRollups(rig);
    expect(before.map(({ hostId }) => hostId).filter((id) => id === 'box')).toHaveLength(4);
    const [listed] = manifest(rig);
    sample(rig, NOON + 90 * 5_000, { ticks: 600 });
    rig.clock.jump(HOUR_MS + 61_000);
    await settle(rig);
    expect(storedRollups(rig).filter(({ hostId }) => hostId === 'box')).toHaveLength(24);
    expect(storedRollups(rig).filter(({ hostId }) => hostId === 'den')).toEqual(
      before.filter(({ hostId }) => hostId === 'den'),
    );
    expect(manifest(rig).some(({ hash }) => hash === listed?.hash)).toBe(false);
    expectConsistent(rig.docHost, rig.store);
  });

  test('made from more samples stay when a host’s clock goes over their time once more', async () => {
    const rig = rigWithHosts();
    sample(rig, NOON);
    rig.clock.jump(50 * HOUR_MS);
    await settle(rig);
    const before = storedRollups(rig);
    expect(rig.store.performance.read('box', 0, Number.MAX_SAFE_INTEGER).system).toEqual([]);
    sample(rig, NOON + 1_300, { ticks: 100, seed: 2 });
    rig.clock.jump(2 * HOUR_MS);
    await settle(rig);
    expect(storedRollups(rig)).toEqual(before);
  });
});

test('a chart is given the rollups of what came later before they are made, each five minutes once', async () => {
  const path = join(temporaryDirectory(), 'drover.db');
  const rig = rigWithHosts({ path });
  sample(rig, NOON - HOUR_MS);
  sample(rig, NOON, { ticks: 90 });
  rig.clock.jump(2 * HOUR_MS);
  await settle(rig);
  sample(rig, NOON + 90 * 5_000, { ticks: 600 });
  const queries = new SqlitePerformanceQueries(path, { clock: rig.clock, rawHours: 48 });
  onTestFinished(() => queries.stop());
  const query = { hostId: 'box', from: NOON - HOUR_MS, to: NOON + HOUR_MS, step: 300_000 };
  const answer = await queries.answer(query);
  const counts = (samples: readonly { readonly at: number; readonly samples?: number | undefined }[] = []) =>
    samples.map(({ at, samples: count }) => [(at - NOON) / 300_000, count]);
  // 720 samples of the hour before, 690 of this one.
  const whole = Array.from({ length: 24 }, (_, index) => [index - 12, index === 23 ? 30 : 60]);
  expect(counts(answer?.system)).toEqual(whole);
  expect(counts(answer?.gpus[0]?.samples)).toEqual(whole);
  rig.clock.jump(2 * HOUR_MS);
  await settle(rig);
  expect(await queries.answer(query)).toEqual(answer);
});

describe('retention', () => {
  test('drops samples and rollups past their age, once', async () => {
    const rig = rigWithHosts({ days: { activity: 5, 'model-events': 5, 'perf-5m': 4 }, perfRawHours: 3 });
    sample(rig, NOON);
    rig.clock.jump(2 * HOUR_MS);
    await settle(rig);
    expect(rig.store.performance.read('box', 0, Number.MAX_SAFE_INTEGER).system).toHaveLength(720);
    rig.clock.jump(2 * HOUR_MS);
    await settle(rig);
    expect(rig.store.performance.read('box', 0, Number.MAX_SAFE_INTEGER)).toEqual({ system: [], gpus: [] });
    expect(storedRollups(rig)).toHaveLength(24);
    sample(rig, rig.clock.now() - HOUR_MS);
    rig.clock.jump(80 * HOUR_MS);
    await settle(rig);
    expect(storedRollups(rig)).toHaveLength(48);
    rig.clock.jump(22 * HOUR_MS);
    await settle(rig);
    const left = storedRollups(rig);
    expect(left).toHaveLength(24);
    const ranges = () => rig.store.connection.statement('SELECT * FROM seq_range').all();
    const before = ranges();
    await settle(rig);
    expect(storedRollups(rig)).toEqual(left);
    expect(ranges()).toEqual(before);
    expectConsistent(rig.docHost, rig.store);
  });

  test.each([
    ['years ahead', Date.UTC(2099, 0)],
    ['in 1970', 5 * HOUR_MS],
  ])('counts from when samples came, for a host whose clock is %s', async (_what, from) => {
    const rig = rigWithHosts();
    sample(rig, from);
    rig.clock.jump(47 * HOUR_MS);
    await settle(rig);
    expect(rig.store.performance.read('box', 0, Number.MAX_SAFE_INTEGER).system).toHaveLength(720);
    expect(storedRollups(rig)).toHaveLength(24);
    rig.clock.jump(2 * HOUR_MS);
    await settle(rig);
    expect(rig.store.performance.read('box', 0, Number.MAX_SAFE_INTEGER).system).toEqual([]);
    expectConsistent(rig.docHost, rig.store);
  });

  test('takes everything of a demo host that is purged', async () => {
    const rig = rigWithHosts();
    sample(rig, NOON);
    sample(rig, NOON, { hostId: 'den' });
    rig.clock.jump(2 * HOUR_MS);
    await settle(rig);
    rig.registry.purgeHost('den', rig.clock.now());
    await settle(rig);
    expect(storedRollups(rig).every(({ hostId }) => hostId === 'box')).toBe(true);
    expect(rig.store.performance.latest('den')).toEqual({ system: [], gpus: [] });
    expect(manifest(rig).map(({ rows }) => rows)).toEqual([24]);
    expectConsistent(rig.docHost, rig.store);
  });
});

test('a host that invents a card at every sample fills neither the store nor the live frames', () => {
  const rig = rigWithHosts();
  const [row] = realisticSamples({ gpus: 1, ticks: 1, startAt: NOON }).filter(({ gpu }) => gpu !== null);
  for (let invented = 0; invented < 400; invented += 1) {
    const at = NOON + invented * 5_000;
    const gpu = { key: `GPU-${invented}`, id: 0, name: 'GPU', uuid: `GPU-${invented}` };
    const readings = row?.gpu ? [{ ...row.sample, at }] : [];
    rig.performance.take('box', {
      system: [],
      gpus: [{ gpu, readings }],
      cursor: { newestAt: at, counters: null },
    });
  }
  rig.performance.flush();
  expect(rig.store.performance.read('box', 0, Number.MAX_SAFE_INTEGER).gpus).toHaveLength(256);
  const shown = rig.live.performance.at(-1)?.gpus ?? [];
  expect(shown).toHaveLength(64);
  expect(shown.some(({ key }) => key === 'GPU-399')).toBe(true);
});

test('a crash at any statement of upkeep leaves nothing half done, and the next run ends what it began', async () => {
  const directory = temporaryDirectory();
  const template = join(directory, 'template.db');
  const prepared = rigWithHosts({ path: template, perfRawHours: 3 });
  sample(prepared, NOON, { ticks: 130 });
  sample(prepared, NOON + 2 * HOUR_MS, { ticks: 10 });
  const now = prepared.clock.now() + 4 * HOUR_MS;
  prepared.store.connection.pragma('wal_checkpoint(TRUNCATE)');
  const open = (name: string) => {
    copyFileSync(template, join(directory, name));
    const connection = new FaultyConnection(join(directory, name));
    return { connection, rig: rigWithHosts({ connection, clock: new ManualClock(now), perfRawHours: 3 }) };
  };
  const whole = open('whole.db');
  whole.connection.arm(null);
  while (whole.rig.upkeep.step());
  const statements = whole.connection.ran;
  const rollups = storedRollups(whole.rig);
  expect(rollups.length).toBeGreaterThan(6);
  expect(hourOf(now)).toBeGreaterThan(0);
  for (let atStatement = 1; atStatement < statements; atStatement += Math.ceil(statements / 25)) {
    const name = `${atStatement}.db`;
    const { connection, rig } = open(name);
    connection.arm({ atStatement, when: 'before' });
    expect(() => {
      while (rig.upkeep.step());
    }).toThrow(InjectedCrash);
    connection.close();
    const again = new FaultyConnection(join(directory, name));
    const after = rigWithHosts({ connection: again, clock: new ManualClock(now), perfRawHours: 3 });
    while (after.upkeep.step());
    expect(storedRollups(after)).toEqual(rollups);
    expect(after.store.performance.read('box', 0, Number.MAX_SAFE_INTEGER)).toEqual({ system: [], gpus: [] });
    expectConsistent(after.docHost, after.store);
    again.close();
  }
});
