import { expect, onTestFinished, test, vi } from 'vitest';
import { intentRequest } from '#shared/schemas/intent-request.ts';

import { EmulatedHost } from '../emulator/emulated-host.ts';
import { outboxWorld } from '../testing/outbox-world.ts';
import { hashSecret } from './credentials.ts';

test('what waits of somebody who became a viewer is refused at once, not when its turn comes', async () => {
  const world = await outboxWorld();
  const host = new EmulatedHost({ era: 'v250', config: { models: [{ id: 'coder' }] } });
  await host.start();
  onTestFinished(() => host.stop());
  await world.rig.add('box', host);
  await host.stop();
  await vi.waitFor(() => expect(world.rig.watch.facts('box')?.liveness).not.toBe('connected'), {
    timeout: 10_000,
  });
  const { access } = world.rig.truth.store;
  const now = Date.now();
  const device = { id: 'dev-tablet', label: 'tablet', role: 'operator' } as const;
  const sessionHash = hashSecret('secret');
  access.insertDevice({ ...device, sessionHash, createdAt: now, lastSeenAt: now, revokedAt: null });
  world.auth.announce();
  const load = intentRequest.parse({
    id: '0192a5b4-7c1d-7e2f-8a3b-4c5d6e7f8091',
    kind: 'model.load',
    target: { hostId: 'box', modelId: 'coder' },
    whenDown: 'wait',
  });
  const { service } = world.rig.intents;
  service.submit(load, { ...device, kind: 'device' });
  expect(service.view(load.id)).toMatchObject({ state: 'waiting' });
  access.updateDevice(device.id, { label: device.label, role: 'viewer' });
  world.auth.announce();
  await vi.waitFor(() => expect(service.view(load.id)).toMatchObject({ state: 'rejected', code: 'role' }));
}, 30_000);
