import { expect, onTestFinished, test, vi } from 'vitest';
import * as Y from 'yjs';
import { intentRecord } from '#shared/schemas/intent-request.ts';
import { encodeClock } from '#sync/live-frame.ts';
import { putCancel, putIntent, removeRecords } from '#sync/outbox-doc.ts';
import { encodeStep2 } from '#sync/sync-frame.ts';
import { EmulatedHost } from '../emulator/emulated-host.ts';
import { outboxRecord, outboxWorld } from '../testing/outbox-world.ts';

function until(check: () => void): Promise<void> {
  return vi.waitFor(check, { timeout: 15_000, interval: 5 });
}

test('[O11] what a device writes is received at once, and is in the ledger once however often it comes', async () => {
  const world = await outboxWorld();
  const phone = world.owner('phone');
  const page = world.device(phone);
  const other = world.device(phone);
  const first = outboxRecord();
  putIntent(page.doc, first);
  await until(() => expect(world.rig.intents.service.view(first.id)).not.toBeNull());
  expect(world.rig.intents.service.view(first.id)).toMatchObject({
    author: { kind: 'key', id: phone.id, label: 'phone' },
    state: 'rejected',
  });
  await until(() => expect(other.doc.getMap('intents').has(first.id)).toBe(true));
  putIntent(other.doc, first);
  const second = outboxRecord();
  putIntent(other.doc, second);
  await until(() => expect(page.doc.getMap('intents').has(second.id)).toBe(true));
  removeRecords(page.doc, [first.id, second.id]);
  await until(() => expect(other.doc.getMap('intents').size).toBe(0));
  const fresh = world.device(phone);
  await until(() => expect(fresh.provider.synced).toBe(true));
  expect(fresh.doc.getMap('intents').size).toBe(0);
  expect(page.closes).toEqual([]);
});

test('[O5] a page that writes before its answer to our step 1 left loses nothing', async () => {
  const world = await outboxWorld();
  const phone = world.owner('phone');
  const doc = new Y.Doc();
  const records = Array.from({ length: 5 }, () => outboxRecord());
  for (const record of records.slice(0, 3)) putIntent(doc, record);
  const page = world.device(phone, { doc });
  page.provider.on('status', ({ status }) => {
    if (status === 'connected') for (const record of records.slice(3)) putIntent(doc, record);
  });
  for (const { id } of records) {
    await until(() => expect(world.rig.intents.service.view(id)).not.toBeNull());
  }
  expect(page.closes).toEqual([]);
});

test('[S16] only its owner opens an outbox, and only one who may act, in its present epoch', async () => {
  const world = await outboxWorld();
  const phone = world.owner('phone');
  const laptop = world.owner('laptop', 'admin');
  const viewer = world.owner('wall', 'viewer');
  const closeOf = async (who: typeof phone, name: string): Promise<unknown> =>
    (await world.raw(who, name).closed).code;
  expect(await closeOf(laptop, world.nameOf(phone))).toBe(4403);
  expect(await closeOf(viewer, world.nameOf(phone))).toBe(4403);
  expect(await closeOf(viewer, `outbox:${viewer.id}@e1`)).toBe(4403);
  expect(await closeOf(phone, `outbox:${phone.id}@e2`)).toBe(4404);
  expect(await closeOf({ ...phone, key: 'drv_wrong' }, world.nameOf(phone))).toBe(4401);
  expect(world.outboxes.nameOf(viewer)).toBeNull();
});

test('[S17] the life of a record is counted on the collector’s clock, whatever the device’s says', async () => {
  const world = await outboxWorld();
  for (const skewMs of [600_000, -600_000]) {
    const phone = world.owner(`phone ${skewMs}`);
    const client = world.raw(phone);
    await client.opened;
    const deviceNow = (): number => Date.now() + skewMs;
    const doc = new Y.Doc();
    const fresh = outboxRecord({ createdAt: deviceNow() - 1000 });
    const old = outboxRecord({ createdAt: deviceNow() - 400_000 });
    putIntent(doc, fresh);
    putIntent(doc, old);
    client.socket.send(encodeClock(deviceNow()));
    client.socket.send(encodeStep2(Y.encodeStateAsUpdate(doc)));
    await until(() => expect(world.rig.intents.service.view(old.id)).not.toBeNull());
    // There is no such host, and only what is alive is asked about it.
    expect(world.rig.intents.service.view(fresh.id)).toMatchObject({ state: 'rejected' });
    expect(world.rig.intents.service.view(fresh.id)?.code).not.toBe('clock');
    expect(world.rig.intents.service.view(old.id)).toMatchObject({ state: 'expired' });
  }
});

test('[O11] a cancel that comes with its intent wins', async () => {
  const world = await outboxWorld();
  const phone = world.owner('phone');
  const doc = new Y.Doc();
  const record = outboxRecord();
  doc.transact(() => {
    putIntent(doc, record);
    putCancel(doc, record.id, { v: 1, createdAt: record.createdAt });
  });
  world.device(phone, { doc });
  await until(() => expect(world.rig.intents.service.view(record.id)).toMatchObject({ state: 'cancelled' }));
});

test('[S14] revoked: its sockets close, what waits is refused, and its outbox is gone', async () => {
  vi.spyOn(console, 'warn').mockReturnValue();
  onTestFinished(() => void vi.restoreAllMocks());
  const world = await outboxWorld();
  const host = new EmulatedHost({ era: 'v250', config: { models: [{ id: 'coder' }] } });
  await host.start();
  onTestFinished(() => host.stop());
  await world.rig.add('box', host);
  await host.stop();
  await until(() => expect(world.rig.watch.facts('box')?.liveness).not.toBe('connected'));
  const phone = world.owner('phone');
  const page = world.device(phone);
  const record = intentRecord.parse({
    ...outboxRecord(),
    kind: 'model.load',
    target: { hostId: 'box', modelId: 'coder' },
    whenDown: 'wait',
  });
  putIntent(page.doc, record);
  const { outboxes } = world.rig.truth.store;
  await until(() => expect(outboxes.get(phone.id).records).toBe(1));
  expect(world.rig.intents.service.view(record.id)).toMatchObject({ state: 'waiting' });
  world.auth.revokeKey(phone.id, { kind: 'cli', id: '', label: 'cli' });
  await until(() => expect(page.closes).toEqual([{ code: 4401, reason: 'revoked' }]));
  expect(outboxes.get(phone.id)).toMatchObject({ since: null, state: null, records: 0 });
  await until(() =>
    expect(world.rig.intents.service.view(record.id)).toMatchObject({ state: 'rejected', code: 'revoked' }),
  );
}, 30_000);
