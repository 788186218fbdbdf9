import { expect, test } from 'vitest';
import { cable } from './cable-rounds.ts';
import { until } from './convergence.ts';
import { DroverProcess } from './drover-process.ts';
import { EmulatorProcess } from './emulator-process.ts';
import { suspendFor } from './suspend-check.ts';

test('a server that wakes from a suspend closes its streams, opens them anew and catches up', async () => {
  expect(await suspendFor(7_000)).toEqual([]);
}, 120_000);

test('a host whose link is half-open is found within 15 s, and read again when it is back', async () => {
  const emulator = await EmulatorProcess.start('v250');
  const link = await cable(emulator.port);
  const drover = await DroverProcess.start();
  await drover.addHost('marlin', `http://127.0.0.1:${link.port}`);
  await until(async () => expect((await drover.host('marlin')).liveness).toBe('connected'));
  link.freeze();
  const frozenAt = performance.now();
  await until(async () => expect((await drover.host('marlin')).liveness).toBe('reconnecting'), 20_000);
  // A second for timers of a busy machine.
  expect(performance.now() - frozenAt).toBeLessThan(16_000);
  expect((await drover.host('marlin')).reason).toMatch(/^No answer/);
  link.cut();
  await emulator.addRows(3);
  link.restore();
  await until(async () => expect(await drover.newestRows()).toHaveLength(3));
  expect((await drover.host('marlin')).liveness).toBe('connected');
}, 120_000);
