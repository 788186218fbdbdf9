import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { must } from '#shared/lib/assert.ts';
import { decodeSegment } from '#sync/segment-codec.ts';
import { hourOf } from '../domain/segment-policy.ts';
import { expectConsistent } from '../testing/check-history.ts';
import type { HistoryRig } from '../testing/history-rig.ts';
import { PerformanceWorld, storedRollups, storedSamples } from '../testing/performance-world.ts';
import { temporaryDirectory } from '../testing/temporary-store.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const newWorld = () => new PerformanceWorld(join(temporaryDirectory(), 'drover.db'));

describe('samples of emulated hosts', () => {
  it('of an hour, two eras and four cards equal the source to the sample, over a restart of the server', async () => {
    const world = newWorld();
    const old = await world.addHost('old', { era: 'v217', gpus: 2 });
    const recent = await world.addHost('recent', { era: 'v262', gpus: 2, utcOffsetMinutes: 330 });
    const first = world.start();
    old.startTraffic({ ratePerSecond: 0.2, failureShare: 0, hangUpShare: 0, firstModelId: null });
    await world.pass(20 * MINUTE_MS);
    await first.stop();
    // Two minutes without a collector: the hosts keep them.
    await world.pass(2 * MINUTE_MS);
    old.stopTraffic();
    const { rig, collector } = world.start();
    await world.pass(38 * MINUTE_MS);
    rig.performance.flush();

    for (const id of ['old', 'recent']) {
      const truth = world.truth(id);
      expect(truth.system.length).toBeGreaterThan(715);
      expect(truth.gpus.map(({ readings }) => readings.length > 715)).toEqual([true, true]);
      expect(storedSamples(rig, id)).toEqual(truth);
    }
    await expectChartsAreTheSource(world, rig, ['old', 'recent']);
    expect(recent.records.requests.filter(({ path }) => path === '/api/performance')).toHaveLength(1);

    // The hour is over once newer samples came and it was quiet; its rollup made again is the same.
    await world.pass(3 * MINUTE_MS);
    await rig.upkeep.settled();
    await world.pass(MINUTE_MS);
    await rig.sealer.settled();
    const rollups = storedRollups(rig);
    expect(rollups.filter(({ hostId, gpu }) => hostId === 'old' && gpu === null)).toHaveLength(12);
    expect(rollups).toHaveLength(2 * 3 * 12);
    const sealed = rig.store.segments.list('perf-5m');
    for (const hostId of ['old', 'recent']) {
      rig.upkeep.rollUp({ hostId, hour: hourOf(world.clock.now() - HOUR_MS) });
    }
    expect(storedRollups(rig)).toEqual(rollups);
    expect(rig.store.segments.list('perf-5m')).toEqual(sealed);
    expect(rig.store.segments.openRanges('perf-5m', 'waiting')).toEqual([]);

    // Devices can fetch it: the manifest lists what the store has.
    const rows = sealed.flatMap(({ entry }) => {
      const segment = decodeSegment(rig.store.segments.blob(entry.hash) ?? new Uint8Array());
      return segment.kind === 'perf-5m' ? segment.rows : [];
    });
    expect(new Set(rows.map((row) => JSON.stringify(row)))).toEqual(
      new Set(rollups.map((row) => JSON.stringify(row))),
    );
    expectConsistent(rig.docHost, rig.store);

    // Retention takes what is old, once.
    collector.stop();
    world.clock.jump(49 * HOUR_MS);
    while (rig.upkeep.step());
    const left = storedSamples(rig, 'old');
    expect(left).toEqual({ system: [], gpus: [] });
    expect(storedRollups(rig).length).toBeGreaterThanOrEqual(rollups.length);
    const seal = async () => {
      rig.sealer.start();
      await rig.sealer.settled();
    };
    await seal();
    const counts = () => rowCounts(rig);
    const before = [storedRollups(rig), counts()];
    expect(rig.upkeep.step()).toBe(false);
    await seal();
    expect([storedRollups(rig), counts()]).toEqual(before);
  }, 60_000);

  it('go stale for a card whose tool died, and are there again when it lives', async () => {
    const world = newWorld();
    const host = await world.addHost('box', { era: 'v250', gpus: 1 });
    const { rig } = world.start();
    const live = () => rig.live.performance.at(-1);
    await world.pass(MINUTE_MS);
    expect(live()?.gpus.map(({ sample }) => sample.stale)).toEqual([false]);
    host.stallGpus(true);
    await world.pass(30_000);
    expect(live()?.gpus.map(({ sample }) => sample.stale)).toEqual([true]);
    expect(live()?.system?.at).toBeGreaterThan(live()?.gpus[0]?.sample.at ?? 0);
    host.stallGpus(false);
    await world.pass(10_000);
    expect(live()?.gpus.map(({ sample }) => sample.stale)).toEqual([false]);
  });

  it('of a dead tool are stale at once after a restart of the server, not fresh', async () => {
    const world = newWorld();
    const host = await world.addHost('box', { era: 'v250', gpus: 1 });
    const first = world.start();
    await world.pass(MINUTE_MS);
    host.stallGpus(true);
    await world.pass(30_000);
    await first.stop();
    const { rig } = world.start();
    const shown = rig.live.performance.at(-1);
    expect(shown?.gpus.map(({ sample }) => sample.stale)).toEqual([true]);
    expect(shown?.observedAt).toBeLessThanOrEqual(world.clock.now());
  });

  it('are asked for from the begin where nothing is held, and only what is new after a long absence', async () => {
    const world = newWorld();
    const host = await world.addHost('box', { era: 'v235', gpus: 2 });
    await world.pass(10 * MINUTE_MS);
    const first = world.start();
    await world.pass(10_000);
    first.rig.performance.flush();
    expect(storedSamples(first.rig, 'box')).toEqual(world.truth('box'));
    await first.stop();
    await world.pass(20 * MINUTE_MS);
    const asked = host.records.requests.length;
    const { rig } = world.start();
    await world.pass(10_000);
    rig.performance.flush();
    expect(storedSamples(rig, 'box')).toEqual(world.truth('box'));
    const polls = host.records.requests
      .slice(asked)
      .filter(({ path }) => path.startsWith('/api/performance'));
    expect(polls.every(({ path }) => path.includes('after='))).toBe(true);
  });

  it('stand beside what the machine is made of, which outlives the connection and the server', async () => {
    const world = newWorld();
    const host = await world.addHost('box', { era: 'v262', gpus: 2 });
    const first = world.start();
    await world.pass(MINUTE_MS);
    const shown = first.rig.cache.host('box')?.hardware;
    expect(shown?.accelerators.map(({ model, memoryMb }) => [model, memoryMb])).toEqual([
      ['NVIDIA GeForce RTX 3090', 24_576],
      ['NVIDIA GB10', null],
    ]);
    await first.stop();
    await host.stop();
    const { rig } = world.start();
    await world.pass(MINUTE_MS);
    expect(rig.cache.host('box')?.liveness).not.toBe('connected');
    expect(rig.cache.host('box')?.hardware).toEqual(shown);
  });

  it('are not asked of a host that sleeps', async () => {
    const world = newWorld();
    const host = await world.addHost('box', { era: 'v250', gpus: 1 });
    host.setFrontDoor({ kind: 'wol-proxy', asleep: true, wakeAfterMs: null });
    const { rig } = world.start();
    await world.pass(2 * MINUTE_MS);
    host.setFrontDoor({ kind: 'wol-proxy', asleep: false, wakeAfterMs: null });
    await world.pass(2 * MINUTE_MS);
    rig.performance.flush();
    expect(host.records.requests.filter(({ path }) => path.startsWith('/api/performance'))).toEqual([]);
    expect(storedSamples(rig, 'box').system).toEqual([]);
  });
});

/** What a chart is given is what the host sampled: each sample, its rates, and minutes that are made of them. */
async function expectChartsAreTheSource(
  world: PerformanceWorld,
  rig: HistoryRig,
  ids: readonly string[],
): Promise<void> {
  const charts = world.charts();
  for (const hostId of ids) {
    const truth = world.truth(hostId);
    const span = { from: (truth.gpus[0]?.readings[0]?.at ?? 0) - 1, to: world.clock.now() + 1 };
    const every = must(await charts.answer({ hostId, ...span, step: 0 }), 'an answer');
    expect(
      every.system.map(({ netInBytesPerSec, netOutBytesPerSec }) => [netInBytesPerSec, netOutBytesPerSec]),
    ).toEqual(world.truthRates(hostId));
    expect({
      system: every.system.map((sample) => ({ ...sample, netInBytesPerSec: null, netOutBytesPerSec: null })),
      gpus: every.gpus.map(({ samples, ...gpu }) => ({
        gpu,
        readings: samples.map(({ stale: _stale, ...reading }) => reading),
      })),
    }).toEqual(truth);
    expect(every.gpus.flatMap(({ samples }) => samples).filter(({ stale }) => stale)).toEqual([]);

    const minutes = must(await charts.answer({ hostId, ...span, step: MINUTE_MS }), 'an answer');
    const [card] = truth.gpus;
    const byMinute = Map.groupBy(card?.readings ?? [], ({ at }) => Math.floor(at / MINUTE_MS) * MINUTE_MS);
    expect(
      minutes.gpus[0]?.samples.map(({ at, samples, memUsedMbMax }) => [at, samples, memUsedMbMax]),
    ).toEqual(
      [...byMinute].map(([at, of]) => [
        at,
        of.length,
        Math.max(...of.map(({ memUsedMb }) => memUsedMb ?? 0)),
      ]),
    );
  }
}

/** Rows of every table: nothing that is done twice changes one of them. */
function rowCounts({ store }: HistoryRig): Readonly<Record<string, number>> {
  const { connection } = store;
  const tables = connection
    .statement<{ name: string }>(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'",
    )
    .all();
  return Object.fromEntries(
    tables.map(({ name }) => [
      name,
      connection.statement<{ count: number }>(`SELECT count(*) AS count FROM "${name}"`).all()[0]?.count ?? 0,
    ]),
  );
}
