import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { WebSocket } from 'ws';
import { WebsocketProvider } from 'y-websocket';
import * as Y from 'yjs';
import { putIntent } from '#sync/outbox-doc.ts';
import { encodeStep2 } from '#sync/sync-frame.ts';
import { StoreError } from '../domain/store-error.ts';
import { OutboxDevice } from '../testing/outbox-device.ts';
import { outboxRecord, outboxWorld, type OutboxWorld, type Owner } from '../testing/outbox-world.ts';
import { rawClient } from '../testing/sync-world.ts';
import { hashSecret } from './credentials.ts';

function until(check: () => void): Promise<void> {
  return vi.waitFor(check, { timeout: 20_000, interval: 5 });
}

function deviceOf(world: OutboxWorld, owner: Owner): OutboxDevice {
  const device = new OutboxDevice({
    url: world.url,
    key: owner.key,
    nameOf: () => Promise.resolve(world.nameOf(owner)),
  });
  onTestFinished(() => device.close());
  return device;
}

/** A stock client whose copy of the fleet holds what no history here has. */
function aheadOfUs(world: OutboxWorld, owner: Owner): WebsocketProvider {
  const doc = new Y.Doc();
  doc.getArray('entries').push([{ k: 'host/lost', v: 1 }]);
  const name = world.rig.truth.docHost.names().fleet;
  const provider = new WebsocketProvider(world.url, name, doc, {
    params: { key: owner.key },
    disableBc: true,
  });
  onTestFinished(() => provider.destroy());
  return provider;
}

describe('epochs of an outbox', () => {
  it('[O9] two thousand intents leave less than 64 KB, the epoch moves on, and none is lost or doubled', async () => {
    const world = await outboxWorld();
    const { store } = world.rig.truth;
    store.connection.pragma('synchronous = OFF');
    const phone = world.owner('phone');
    const device = deviceOf(world, phone);
    let largest = 0;
    for (let batch = 0; batch < 20; batch += 1) {
      const records = Array.from({ length: 100 }, () => outboxRecord());
      device.put(records);
      for (const { id } of records) {
        await until(() => expect(world.rig.intents.service.view(id)?.endedAt ?? null).not.toBeNull());
      }
      device.settle(records.map(({ id }) => id));
      await until(() => expect(store.outboxes.get(phone.id).records).toBe(0));
      largest = Math.max(largest, store.outboxes.get(phone.id).state?.byteLength ?? 0);
    }
    expect(largest).toBeLessThan(64 * 1024);
    expect(store.outboxes.epochOf(phone.id)).toBeGreaterThan(2);
    await until(() => expect(device.names.at(-1)).toBe(world.nameOf(phone)));
    const received = store.audit
      .read({ afterId: 0, limit: 100_000 })
      .filter(({ action }) => action === 'intent.received');
    expect(received).toHaveLength(2_000);
  }, 120_000);

  it('[O9] records that wait when the epoch moves on are in the ledger, and those under way come along', async () => {
    const world = await outboxWorld();
    const phone = world.owner('phone');
    const device = deviceOf(world, phone);
    const { outboxes } = world.rig.truth.store;
    const [early, late] = [outboxRecord(), outboxRecord()];
    device.put([early]);
    await until(() => expect(outboxes.get(phone.id).records).toBe(1));
    outboxes.begin(phone.id, { epoch: 2 }, Date.now());
    world.outboxes.stop();
    device.put([late]);
    expect(world.rig.intents.service.view(early.id)).not.toBeNull();
    expect(outboxes.get(phone.id)).toMatchObject({ epoch: 2, floor: 1, records: 0 });
    // The next process over the same data.
    const next = await outboxWorld({ rig: world.rig });
    const again = deviceOf(next, phone);
    again.put([early, late]);
    await until(() => expect(next.rig.intents.service.view(late.id)?.code).not.toBe('history_restored'));
    await until(() => expect(outboxes.get(phone.id).records).toBe(2));
  });

  it('[O9] what cannot be read any more is given up: its device goes on in the next epoch', async () => {
    const world = await outboxWorld();
    const phone = world.owner('phone');
    const { outboxes } = world.rig.truth.store;
    const damaged = { state: Uint8Array.from([9, 9, 9]), vector: Uint8Array.from([1, 5, 3]), records: 1 };
    outboxes.put(phone.id, damaged, Date.now());
    const client = world.raw(phone);
    await client.opened;
    const doc = new Y.Doc();
    putIntent(doc, outboxRecord());
    client.socket.send(encodeStep2(Y.encodeStateAsUpdate(doc)));
    expect((await client.closed).code).toBe(4404);
    expect(outboxes.get(phone.id)).toMatchObject({ epoch: 2, floor: 1, state: null });
    const record = outboxRecord();
    deviceOf(world, phone).put([record]);
    await until(() => expect(world.rig.intents.service.view(record.id)).not.toBeNull());
  });

  it('[O10] a device that is ahead of us has its own outbox begin anew, and its unknown records are not done', async () => {
    vi.spyOn(console, 'warn').mockReturnValue();
    onTestFinished(() => void vi.restoreAllMocks());
    const world = await outboxWorld();
    const { store } = world.rig.truth;
    const [phone, laptop, wall] = [
      world.owner('phone'),
      world.owner('laptop'),
      world.owner('wall', 'viewer'),
    ];
    const page = world.device(phone);
    await until(() => expect(page.provider.synced).toBe(true));
    aheadOfUs(world, wall);
    aheadOfUs(world, phone);
    await until(() => expect(page.closes).toEqual([{ code: 4404, reason: 'epoch gone' }]));
    const { epoch, floor } = store.outboxes.get(phone.id);
    expect(epoch).toBeGreaterThan(1_000_000);
    expect(floor).toBe(epoch);
    for (const other of [laptop, wall]) expect(store.outboxes.epochOf(other.id)).toBe(1);

    const device = deviceOf(world, phone);
    const [lost, fresh] = [outboxRecord({ epoch: 7 }), outboxRecord({ epoch })];
    device.put([lost, fresh]);
    await until(() => expect(world.rig.intents.service.view(fresh.id)).not.toBeNull());
    expect(world.rig.intents.service.view(lost.id)).toMatchObject({
      state: 'rejected',
      code: 'history_restored',
    });
    expect(world.rig.intents.service.view(fresh.id)?.code).not.toBe('history_restored');
    // Said again it changes nothing: this process never goes back.
    aheadOfUs(world, phone);
    const again = aheadOfUs(world, phone);
    await until(() => expect(again.synced).toBe(true));
    expect(store.outboxes.epochOf(phone.id)).toBe(epoch);
    expect(store.audit.read({ afterId: 0, limit: 1000 }).map(({ action }) => action)).toContain(
      'outbox.history-restored',
    );
  });
});

describe('an outbox whose store or owner changes', () => {
  it('[O11] what the ledger cannot take now is not kept: the socket closes 4503 and the device sends it again', async () => {
    let failures = 3;
    const world = await outboxWorld({
      intents: (real) => ({
        cancel: (...cancelled) => real.cancel(...cancelled),
        receive(...received) {
          failures -= 1;
          if (failures >= 0) throw new StoreError('busy');
          return real.receive(...received);
        },
      }),
    });
    const phone = world.owner('phone');
    const record = outboxRecord();
    const client = world.raw(phone);
    await client.opened;
    const page = world.device(phone);
    putIntent(page.doc, record);
    await until(() => expect(world.rig.intents.service.view(record.id)).not.toBeNull());
    await until(() => expect(world.rig.truth.store.outboxes.get(phone.id).records).toBe(1));
    expect(failures).toBeLessThan(0);
    expect(page.closes).toEqual([]);
    expect(world.sync.gauges().ends).toMatchObject({ 4503: 3 });
  });

  it('[S14] a device that may only look from now on is closed at once', async () => {
    const world = await outboxWorld();
    const { access } = world.rig.truth.store;
    const now = Date.now();
    access.insertDevice({
      id: 'dev-tablet',
      label: 'tablet',
      role: 'operator',
      sessionHash: hashSecret('secret'),
      createdAt: now,
      lastSeenAt: now,
      revokedAt: null,
    });
    const socket = new WebSocket(`${world.url}/outbox:dev-tablet@e1`, {
      headers: { cookie: 'drover_session=secret' },
    });
    const client = rawClient(socket);
    await client.opened;
    await until(() => expect(client.frames.length).toBeGreaterThan(0));
    access.updateDevice('dev-tablet', { label: 'tablet', role: 'viewer' });
    world.auth.announce();
    expect(await client.closed).toEqual({ code: 4403, reason: 'role' });
  });
});
