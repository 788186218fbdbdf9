import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROLLUP_MS } from '#shared/schemas/performance.ts';
import { presetGpus } from '../emulator/performance.ts';
import {
  PerformanceWorld,
  storedRollups,
  storedSamples,
  type RunningCollector,
} from '../testing/performance-world.ts';
import { temporaryDirectory } from '../testing/temporary-store.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const newWorld = () => new PerformanceWorld(join(temporaryDirectory(), 'drover.db'));

/** Lets the hour end, so that everything is rolled up; the hosts sample on meanwhile. */
async function rolledUp(world: PerformanceWorld, { rig, collector }: RunningCollector) {
  rig.performance.flush();
  collector.stop();
  world.clock.jump(HOUR_MS + 2 * MINUTE_MS);
  while (rig.upkeep.step());
  return storedRollups(rig);
}

describe('samples of a host', () => {
  it.each(['v217', 'v250'] as const)(
    'that lists null for rows and has no card are a machine without cards (%s)',
    async (era) => {
      const world = newWorld();
      const host = await world.addHost('box', { era, gpus: 0 });
      const empty = await (await fetch(`${host.url}/api/performance`)).json();
      expect(empty).toMatchObject({ sys_stats: null, gpu_stats: null });
      const { rig } = world.start();
      // A sample and the poll that fetches it may fall due together.
      await world.pass(2 * MINUTE_MS + 2_500);
      rig.performance.flush();
      expect(storedSamples(rig, 'box')).toEqual(world.truth('box'));
      expect(storedSamples(rig, 'box').system).toHaveLength(24);
      expect(rig.live.performance.at(-1)).toMatchObject({ hostId: 'box', gpus: [] });
    },
  );

  it('whose cards come and go are kept with their own times, and rolled up in those only', async () => {
    const world = newWorld();
    const host = await world.addHost('box', { era: 'v250', gpus: 1 });
    const running = world.start();
    const { rig } = running;
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
    const rollups = await rolledUp(world, running);
    for (const { gpu, readings } of stored.gpus) {
      const own = rollups.filter((row) => row.gpu?.key === gpu.key);
      const stretches = Map.groupBy(readings, ({ at }) => Math.floor(at / ROLLUP_MS) * ROLLUP_MS);
      expect(own.map(({ sample }) => [sample.at, sample.samples])).toEqual(
        [...stretches].map(([at, of]) => [at, of.length]),
      );
    }
  });

  it.each([
    ['back an hour', -HOUR_MS - 250],
    ['back half a minute', -30_250],
    ['back two seconds', -2_000],
    ['ahead a day', 24 * HOUR_MS],
  ])('are all kept when its clock is set %s, and rolled up once', async (_what, stepMs) => {
    const world = newWorld();
    const host = await world.addHost('box', { era: 'v250', gpus: 2 });
    const running = world.start();
    const { rig } = running;
    await world.pass(3 * MINUTE_MS);
    host.time.skewMs = stepMs;
    await world.pass(3 * MINUTE_MS);
    rig.performance.flush();
    const truth = world.truth('box');
    expect(truth.system).toHaveLength(72);
    expect(storedSamples(rig, 'box')).toEqual(truth);
    const shown = rig.live.performance.at(-1);
    expect(Math.abs((shown?.system?.at ?? 0) - host.time.now())).toBeLessThan(10_000);
    // Each is in one rollup, whichever way time went.
    const rollups = await rolledUp(world, running);
    const counted = (gpu: string | null) =>
      rollups
        .filter((row) => (row.gpu?.key ?? null) === gpu)
        .reduce((sum, { sample }) => sum + (sample.samples ?? 0), 0);
    expect(counted(null)).toBe(72);
    for (const { gpu, readings } of truth.gpus) expect(counted(gpu.key)).toBe(readings.length);
  });

  it('whose zone changes to summer time and back go on at their pace, none asked for twice', async () => {
    const world = newWorld();
    const host = await world.addHost('box', { era: 'v250', gpus: 2, utcOffsetMinutes: -480 });
    const { rig } = world.start();
    await world.pass(30_000);
    const askedForAll = () => host.records.requests.filter(({ path }) => path === '/api/performance').length;
    const before = askedForAll();
    for (const offsetMinutes of [-420, -480]) {
      await world.pass(2 * MINUTE_MS);
      host.time.offsetMinutes = offsetMinutes;
    }
    await world.pass(2 * MINUTE_MS);
    rig.performance.flush();
    expect(storedSamples(rig, 'box')).toEqual(world.truth('box'));
    const times = storedSamples(rig, 'box').system.map(({ at }) => at);
    const steps = times.slice(1).map((at, index) => at - (times[index] ?? 0));
    expect([times.length, Math.min(...steps), Math.max(...steps)]).toEqual([78, 5_000, 5_000]);
    expect(rig.live.performance.at(-1)?.gpus.map(({ sample }) => sample.stale)).toEqual([false, false]);
    expect(askedForAll()).toBe(before);
  });

  it('whose counters wrap have no rate there, and none that is made up in what they are rolled up to', async () => {
    const world = newWorld();
    const host = await world.addHost('box', { era: 'v250', gpus: 0 });
    const { performance } = host.llamaSwap;
    performance.netBytes = 2 ** 32 - 500_000;
    const running = world.start();
    await world.pass(MINUTE_MS);
    performance.netBytes -= 2 ** 32;
    await world.pass(MINUTE_MS);
    running.rig.performance.flush();
    const truth = world.truthRates('box');
    const { system } = running.rig.store.performance.read('box', 0, Number.MAX_SAFE_INTEGER);
    const rates = system.map(({ netInBytesPerSec, netOutBytesPerSec }) => [
      netInBytesPerSec,
      netOutBytesPerSec,
    ]);
    expect(truth.filter(([received]) => (received ?? 0) < 0)).toHaveLength(1);
    expect(rates).toEqual(truth.map((pair) => pair.map((rate) => ((rate ?? 0) < 0 ? null : rate))));
    const known = rates.flatMap(([received]) => received ?? []);
    const [rollup] = await rolledUp(world, running);
    expect(rollup?.sample).toMatchObject({
      netInBytesPerSec: Math.round(known.reduce((sum, rate) => sum + rate, 0) / known.length),
      netInBytesPerSecMax: Math.max(...known),
    });
  });
});
