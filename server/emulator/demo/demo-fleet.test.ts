import { afterEach, describe, expect, test } from 'vitest';
import { activityRequest } from '#shared/schemas/activity.ts';
import { upstreamActivityRow } from '#shared/upstream/activity-row.ts';
import { must } from '#shared/lib/assert.ts';
import { mapActivityRow } from '../../domain/map-activity.ts';
import { mapPerformance } from '../../domain/map-performance.ts';
import { ManualClock } from '../../testing/manual-clock.ts';
import { DemoFleet } from './demo-fleet.ts';
import { demoHistory } from './demo-history.ts';
import { DEMO_HOSTS } from './demo-hosts.ts';

const NOW = Date.UTC(2026, 10, 30, 10);
let fleet: DemoFleet | null = null;

afterEach(() => fleet?.stop());

/** Lets host time pass in small steps, and what waits for it happen in between. */
async function pass(clock: ManualClock, durationMs: number): Promise<void> {
  for (let passed = 0; passed < durationMs; passed += 50) {
    clock.advance(50);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

describe('the made-up day', () => {
  test('is the same for the same moment, and valid', () => {
    const rows = demoHistory({ now: NOW });
    expect(rows).toEqual(demoHistory({ now: NOW }));
    expect(rows.length).toBeGreaterThan(1500);
    for (const row of rows) expect(activityRequest.safeParse(row).success).toBe(true);
    expect(demoHistory({ now: NOW, seed: 8 })).not.toEqual(rows);
  });

  test('covers a day that ends before now, with rising ids, failures and every kind of request', () => {
    for (const host of DEMO_HOSTS) {
      const rows = demoHistory({ now: NOW }).filter(({ hostId }) => hostId === host.id);
      const [first, last] = [must(rows[0], 'first row'), must(rows.at(-1), 'last row')];
      expect(last.endedAt).toBeLessThan(NOW);
      expect(first.endedAt).toBeGreaterThanOrEqual(NOW - 86_402_000);
      expect(rows.map(({ id }) => id)).toEqual(rows.map((_, index) => first.id + index));
      expect(rows.some(({ status }) => (status ?? 0) >= 400)).toBe(true);
      expect(rows.every((row, index) => row.endedAt >= (rows[index - 1]?.endedAt ?? 0))).toBe(true);
    }
  });

  test('has samples of every minute, busy when requests ran, with what each host can tell', async () => {
    const clock = new ManualClock(NOW);
    fleet = new DemoFleet({ clock });
    await fleet.start();
    for (const [index, host] of fleet.hosts.entries()) {
      const spec = must(DEMO_HOSTS[index], 'a host');
      const listed = mapPerformance(JSON.parse(JSON.stringify(host.llamaSwap.performance.body(null))));
      const { system, gpus, unreadable } = must(listed, 'samples');
      expect(unreadable).toBe(0);
      expect(system).toHaveLength(1440);
      expect(gpus.map(({ readings }) => readings.length)).toEqual(spec.gpus.map(() => 1440));
      const use = must(gpus[0], 'a card').readings.map(({ utilPct }) => utilPct ?? -1);
      expect(Math.max(...use)).toBeGreaterThan(40);
      expect(use.filter((pct) => pct === 0).length).toBeGreaterThan(100);
      for (const [id, { readings }] of gpus.entries()) {
        const total = spec.gpus[id]?.memTotalMb ?? 0;
        expect(
          readings.every(({ memUsedMb, memTotalMb }) =>
            total === 0 ? memTotalMb === null : (memUsedMb ?? 0) <= total,
          ),
        ).toBe(true);
      }
    }
  });

  test('is what the hosts themselves list, row for row', async () => {
    const clock = new ManualClock(NOW);
    fleet = new DemoFleet({ clock });
    await fleet.start();
    for (const [index, host] of fleet.hosts.entries()) {
      const hostId = DEMO_HOSTS[index]?.id;
      const { activity } = host.llamaSwap;
      const listed = activity.rows.map((row) =>
        mapActivityRow(upstreamActivityRow.parse(activity.wire(row))),
      );
      const expected = demoHistory({ now: NOW }).filter((row) => row.hostId === hostId);
      expect(listed).toEqual(
        expected.map(({ type: _type, hostId: _hostId, idEpoch: _idEpoch, ...observed }) => observed),
      );
    }
  });
});

describe('the demo fleet', () => {
  test('loads, serves, swaps and fails by itself', async () => {
    const clock = new ManualClock(NOW);
    fleet = new DemoFleet({ clock });
    const hosts = await fleet.start({ history: false });
    expect(hosts.map(({ id }) => id)).toEqual(['demo-bluefin', 'demo-heron', 'demo-marlin']);
    expect(new Set(hosts.map(({ url }) => url)).size).toBe(3);
    await pass(clock, 200_000);
    for (const host of fleet.hosts) {
      const effects = host.records.effectsAfter(0);
      expect(effects.some(({ kind }) => kind === 'loaded')).toBe(true);
      expect(effects.filter(({ kind }) => kind === 'served').length).toBeGreaterThan(5);
    }
    const kinds = fleet.hosts.flatMap((host) => host.records.effectsAfter(0));
    expect(kinds.some(({ kind, by }) => kind === 'unloaded' && by === 'swap')).toBe(true);
    expect(kinds.some(({ kind, modelId }) => kind === 'load_failed' && modelId === 'glm-4.5-air')).toBe(true);
  });

  test('leaves nothing behind when it stops, and starts again', async () => {
    const clock = new ManualClock(NOW);
    const once = new DemoFleet({ clock });
    fleet = once;
    const [host] = await once.start();
    await expect(once.start()).rejects.toThrow('runs already');
    await once.stop();
    expect(once.hosts).toEqual([]);
    await expect(fetch(must(host, 'host').url)).rejects.toThrow('fetch failed');
    expect(await once.start()).toHaveLength(3);
  });
});
