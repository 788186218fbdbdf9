import { describe, expect, test } from 'vitest';
import { ManualClock } from '../testing/manual-clock.ts';
import type { EmulatedHost } from './emulated-host.ts';
import { startHost } from './testing/host-fixture.ts';

async function pass(clock: ManualClock, durationMs: number): Promise<void> {
  for (let passed = 0; passed < durationMs; passed += 10) {
    clock.advance(10);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

async function busyHost(ratePerSecond: number): Promise<{ host: EmulatedHost; clock: ManualClock }> {
  const clock = new ManualClock();
  const host = await startHost({ clock });
  host.startTraffic({ ratePerSecond, firstModelId: 'alpha' });
  await pass(clock, 100);
  return { host, clock };
}

describe('generated traffic', () => {
  test.each([2, 20, 100])('finishes %i requests a second', async (rate) => {
    const { host, clock } = await busyHost(rate);
    await pass(clock, 4000);
    const before = host.llamaSwap.activity.nextId;
    await pass(clock, 5000);
    const finished = host.llamaSwap.activity.nextId - before;
    expect(Math.abs(finished - rate * 5)).toBeLessThanOrEqual(Math.max(3, rate * 0.5));
  });

  test('stops with what it runs, and uses only what is loaded', async () => {
    const { host, clock } = await busyHost(20);
    await pass(clock, 1000);
    const unloading = host.unload('alpha');
    await pass(clock, 100);
    await unloading;
    const before = host.llamaSwap.activity.nextId;
    await pass(clock, 2000);
    expect(host.llamaSwap.activity.nextId).toBe(before);
    expect([...host.llamaSwap.processes.values()].every(({ state }) => state === 'stopped')).toBe(true);
    host.stopTraffic();
    await pass(clock, 100);
    expect(host.llamaSwap.inFlight.size).toBe(0);
  });

  test('is no request of a client', async () => {
    const { host, clock } = await busyHost(20);
    await pass(clock, 1000);
    expect(host.records.requests).toEqual([]);
    expect(host.records.effectsAfter(0).some(({ kind, by }) => kind === 'served' && by === 'traffic')).toBe(
      true,
    );
  });
});
