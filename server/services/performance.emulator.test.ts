import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { decodeSegment } from '#sync/segment-codec.ts';
import { hourOf } from '../domain/segment-policy.ts';
import { presetGpus } from '../emulator/performance.ts';
import { expectConsistent } from '../testing/check-history.ts';
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
    expect(
      rig.store.performance
        .read('old', 0, Number.MAX_SAFE_INTEGER)
        .system.filter((sample) => sample.netInBytesPerSec === null),
    ).toHaveLength(1);
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
    const before = storedRollups(rig);
    expect(rig.upkeep.step()).toBe(false);
    expect(storedRollups(rig)).toEqual(before);
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

  it('of cards that come and go are kept with their own times', async () => {
    const world = newWorld();
    const host = await world.addHost('box', { era: 'v250', gpus: 1 });
    const { rig } = world.start();
    await world.pass(MINUTE_MS);
    host.setGpus(presetGpus(3));
    await world.pass(MINUTE_MS);
    host.setGpus(presetGpus(3).slice(2));
    await world.pass(MINUTE_MS);
    rig.performance.flush();
    const stored = storedSamples(rig, 'box');
    expect(stored.gpus.map(({ readings }) => readings.length)).toEqual([13 + 12, 24, 12]);
    expect(stored.gpus.map(({ gpu }) => [gpu.id, gpu.name])).toEqual([
      [0, 'NVIDIA GeForce RTX 3090'],
      [0, 'NVIDIA GeForce RTX 4090'],
      [1, 'NVIDIA GB10'],
    ]);
    expect(rig.live.performance.at(-1)?.gpus.map(({ sample }) => sample.stale)).toEqual([true, false, true]);
  });

  it.each([
    ['back an hour', -HOUR_MS - 250],
    ['back half a minute', -30_250],
    ['back two seconds', -2_000],
    ['ahead a day', 24 * HOUR_MS],
  ])('are all kept when the host’s clock is set %s', async (_what, stepMs) => {
    const world = newWorld();
    const host = await world.addHost('box', { era: 'v250', gpus: 2 });
    const { rig } = world.start();
    await world.pass(3 * MINUTE_MS);
    host.time.skewMs = stepMs;
    await world.pass(3 * MINUTE_MS);
    rig.performance.flush();
    const truth = world.truth('box');
    expect(truth.system).toHaveLength(72);
    expect(storedSamples(rig, 'box')).toEqual(truth);
    const shown = rig.live.performance.at(-1);
    expect(Math.abs((shown?.system?.at ?? 0) - host.time.now())).toBeLessThan(10_000);
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
