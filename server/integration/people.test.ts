import { expect, test } from 'vitest';
import { routes } from '#shared/http/routes.ts';
import type { Role } from '#shared/schemas/auth.ts';
import { runCli } from '../cli/run-cli.ts';
import { BrowserDevice } from './browser-device.ts';
import { until } from './convergence.ts';
import { DroverProcess } from './drover-process.ts';

/** Lets a device in by the command line, at once. */
async function pairByCli(drover: DroverProcess, role: Role, label: string): Promise<BrowserDevice> {
  const argv = ['pair', '--role', role, '--json', '--data-dir', drover.dataDir];
  const { out } = await runCli({ argv, env: {}, cwd: drover.dataDir });
  const { code } = JSON.parse(out);
  const device = new BrowserDevice(drover.url);
  await device.ask(routes.pair.replies[200], 'POST', '/api/pair', { code, label });
  return device;
}

/** Types a code that `maker` made; the maker's page hears of it and lets the device in. */
async function pairByConsent(drover: DroverProcess, maker: BrowserDevice): Promise<BrowserDevice> {
  const { code } = await maker.ask(routes.createPairingCode.replies[200], 'POST', '/api/pairing-codes', {
    role: 'operator',
  });
  const device = new BrowserDevice(drover.url);
  const wait = await device.ask(routes.pair.replies[202], 'POST', '/api/pair', { code, label: 'ana-phone' });
  await until(() => expect(maker.events).toContainEqual({ type: 'news', news: 'pairing-requests' }));
  const list = routes.listPairingRequests.replies[200];
  const { requests } = await maker.ask(list, 'GET', '/api/pairing-requests');
  expect(requests).toMatchObject([{ label: 'ana-phone', address: '127.0.0.1', role: 'operator' }]);
  const poll = () => device.call('POST', '/api/pair/poll', { requestId: wait.requestId });
  expect((await poll()).status).toBe(202);
  const decision = { decision: 'allow' };
  expect((await maker.call('POST', `/api/pairing-requests/${requests[0]?.id}`, decision)).status).toBe(204);
  expect(await poll()).toMatchObject({ status: 200, body: { device: { role: 'operator' } } });
  return device;
}

test('a device is let in by another, seen, demoted and revoked, and every page knows at once', async () => {
  const drover = await DroverProcess.start();
  await drover.addHost('box', 'http://127.0.0.1:9');
  const { documents } = await drover.info();
  const laptop = await pairByCli(drover, 'admin', 'laptop');
  await laptop.open(documents.fleet);

  const phone = await pairByConsent(drover, laptop);
  await until(() => expect(laptop.events).toContainEqual({ type: 'news', news: 'devices' }));
  await phone.open(documents.fleet);
  const me = routes.info.replies[200];
  const { device } = await phone.ask(me, 'GET', '/api/info');
  const id = device?.id ?? '';

  const preparing = { kind: 'model.unload', modelId: 'coder' };
  phone.look({ hostId: 'box', preparing });
  const people = [{ deviceId: id, label: 'ana-phone', preparing }];
  await until(() => expect(laptop.live.presence.get('box')?.people).toMatchObject(people));
  await until(() => expect(phone.live.presence.get('box')?.people).toMatchObject(people));

  expect((await laptop.call('PATCH', `/api/devices/${id}`, { role: 'viewer' })).status).toBe(200);
  await until(() => expect(phone.events).toContainEqual({ type: 'news', news: 'session' }));
  expect(await phone.ask(me, 'GET', '/api/info')).toMatchObject({ role: 'viewer' });
  expect((await phone.call('POST', '/api/pairing-codes', { role: 'operator' })).status).toBe(403);

  const closed = phone.closed();
  expect((await laptop.call('DELETE', `/api/devices/${id}`)).status).toBe(204);
  expect(await closed).toBe('4401 revoked');
  expect((await phone.call('GET', '/api/hosts')).status).toBe(401);
  await until(() => expect(laptop.live.presence.has('box')).toBe(false));

  const argv = ['audit', 'verify', '--json', '--data-dir', drover.dataDir];
  const { out } = await runCli({ argv, env: {}, cwd: drover.dataDir });
  // Two devices by code, one code and request with its answer and device, a role, a revocation.
  const verdict: unknown = JSON.parse(out);
  expect(verdict).toMatchObject({ ok: true, records: expect.any(Number) });
  expect(Reflect.get(Object(verdict), 'records')).toBeGreaterThanOrEqual(9);
}, 60_000);
