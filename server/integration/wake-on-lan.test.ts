import { expect, test } from 'vitest';
import { connectReplicas, pause, until } from './convergence.ts';
import { DroverProcess } from './drover-process.ts';
import { EmulatorProcess } from './emulator-process.ts';

/** Longer than the period of the pings that every other host gets. */
const PING_PERIOD_MS = 6_000;

test('a host behind a wake-on-LAN proxy is never asked for anything that would wake it', async () => {
  const emulator = await EmulatorProcess.start('v262');
  const door = (asleep: boolean) => emulator.command('front-door', { kind: 'wol-proxy', asleep });
  await door(true);
  const drover = await DroverProcess.start();
  const [replica] = await connectReplicas(drover, 1);
  const tested = await drover.request('/api/hosts/test', { method: 'POST', body: { url: emulator.url } });
  expect(await tested.json()).toMatchObject({ verdict: 'asleep' });
  await drover.addHost('marlin', emulator.url);
  const liveness = () => replica?.records().hosts.get('host/marlin')?.liveness;
  await until(() => expect(liveness()).toBe('asleep'));
  await drover.request('/api/models?hostId=marlin');

  // It wakes by somebody else's hand; a person who resumes the host stands for the next look at it.
  await door(false);
  await drover.patchHost('marlin', { paused: true });
  await drover.patchHost('marlin', { paused: false });
  await until(() => expect(liveness()).toBe('connected'));
  await emulator.command('load', { modelId: 'demo-1' });
  await emulator.addRows(5);
  await until(() =>
    expect(replica?.records().models.get('model/marlin/demo-1')).toMatchObject({ state: 'ready' }),
  );
  await pause(PING_PERIOD_MS);
  expect(liveness()).toBe('connected');

  await door(true);
  await until(() => expect(liveness()).toBe('asleep'));
  const paths = await emulator.requestedPaths();
  expect(new Set(paths)).toEqual(new Set(['/api/events', '/status']));
  expect(paths.filter((path) => path === '/status')).toHaveLength(1);
  expect((await emulator.effects()).filter(({ kind }) => kind === 'woken')).toEqual([]);
}, 120_000);
