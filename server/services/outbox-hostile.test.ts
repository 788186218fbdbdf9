import { describe, expect, it, vi } from 'vitest';
import * as Y from 'yjs';
import { OUTBOX_LIMITS, putIntent, removeRecords } from '#sync/outbox-doc.ts';
import { encodeStep1, encodeStep2, encodeUpdate } from '#sync/sync-frame.ts';
import { conflictBomb, FOREIGN_WRITES, forge, struct } from '#sync/testing/hostile-updates.ts';
import { turnsDuring } from '../testing/loop-turns.ts';
import { bystanderOf, type Bystander } from '../testing/outbox-bystander.ts';
import { outboxRecord, outboxWorld, type OutboxWorld, type Owner } from '../testing/outbox-world.ts';
import type { RawClient } from '../testing/sync-world.ts';

const EMPTY_VECTOR = Uint8Array.from([0]);

interface Scene {
  readonly world: OutboxWorld;
  readonly bystander: Bystander;
  readonly attacker: Owner;
}

async function scene(deadlineMs?: number): Promise<Scene> {
  const world = await outboxWorld(deadlineMs === undefined ? {} : { deadlineMs });
  return { world, bystander: await bystanderOf(world), attacker: world.owner('attacker') };
}

function until(check: () => void): Promise<void> {
  return vi.waitFor(check, { timeout: 15_000, interval: 5 });
}

async function sends({ world, attacker }: Scene, ...frames: (Uint8Array | string)[]): Promise<RawClient> {
  const client = world.raw(attacker);
  await client.opened;
  for (const frame of frames) client.socket.send(frame);
  return client;
}

/** Waits until all that was sent before was handled, and the socket is still there. */
async function expectStillOpen(client: RawClient): Promise<void> {
  const isStep2 = (frame: Uint8Array): boolean => frame[0] === 0 && frame[1] === 1;
  const before = client.frames.filter(isStep2).length;
  client.socket.send(encodeStep1(EMPTY_VECTOR));
  await until(() => expect(client.frames.filter(isStep2).length).toBeGreaterThan(before));
}

async function expectQuarantined(
  from: Scene,
  client: RawClient,
  code: number,
  reason: string,
): Promise<void> {
  const { world, attacker, bystander } = from;
  expect(await client.closed).toEqual({ code, reason: `quarantined: ${reason}` });
  const { outboxes, audit } = world.rig.truth.store;
  expect(outboxes.get(attacker.id)).toMatchObject({ epoch: 2, floor: 1, state: null, records: 0 });
  expect(
    audit.read({ afterId: 0, limit: 1000 }).filter(({ action }) => action === 'outbox.quarantine'),
  ).toMatchObject([{ actor: { id: attacker.id }, target: attacker.id, detail: { reason, epoch: 2 } }]);
  expect(world.outboxes.health()).toMatchObject([{ state: 'warn', detail: expect.stringContaining(reason) }]);
  bystander.expectUntouched();
  await bystander.act();
}

describe('outboxes with hostile owners', () => {
  it.each(FOREIGN_WRITES)(
    '[O6] $name ends the epoch of its sender, and nothing else',
    async ({ write, reason }) => {
      const from = await scene();
      const doc = new Y.Doc();
      write(doc, outboxRecord().id);
      expect(doc.store.clients.size).toBe(1);
      await expectQuarantined(from, await sends(from, encodeStep2(Y.encodeStateAsUpdate(doc))), 4403, reason);
    },
  );

  it.each([
    [
      'a forged run on a known writer',
      (client: number) => forge([{ client, clock: 1, structs: [struct.gc(2 ** 31)] }]),
    ],
    [
      'a run of no bytes and a tebi of clocks',
      () => forge([{ client: 9, clock: 0, structs: [struct.gc(2 ** 40)] }]),
    ],
    [
      'a gap that is said to be none',
      (client: number) => forge([{ client, clock: 1, structs: [struct.skip(5)] }]),
    ],
  ])('[O6] %s ends its epoch; what was received before stands', async (_name, forged) => {
    const from = await scene();
    const doc = new Y.Doc();
    const record = outboxRecord();
    putIntent(doc, record);
    const client = await sends(
      from,
      encodeStep2(Y.encodeStateAsUpdate(doc)),
      encodeUpdate(forged(doc.clientID)),
    );
    await expectQuarantined(from, client, 4403, 'forged');
    expect(from.world.rig.intents.service.view(record.id)).toMatchObject({ state: 'rejected' });
  });

  it('[S16] who writes in the name of another page of theirs, or of somebody else’s, writes in their own', async () => {
    const from = await scene();
    const record = outboxRecord();
    const spoofed = new Y.Doc();
    spoofed.clientID = from.bystander.page.doc.clientID;
    putIntent(spoofed, record);
    await sends(from, encodeStep2(Y.encodeStateAsUpdate(spoofed)));
    const { service } = from.world.rig.intents;
    await until(() => expect(service.view(record.id)).toMatchObject({ author: { id: from.attacker.id } }));
    from.bystander.expectUntouched();
    await from.bystander.act();
    from.bystander.expectUntouched();
  });

  it('[S16] an id that is somebody else’s stays theirs', async () => {
    const from = await scene();
    const [id = ''] = from.bystander.page.doc.getMap('intents').keys();
    const doc = new Y.Doc();
    putIntent(doc, outboxRecord({ id }));
    const client = await sends(from, encodeStep2(Y.encodeStateAsUpdate(doc)));
    await expectStillOpen(client);
    expect(from.world.rig.intents.service.view(id)).toMatchObject({
      author: { id: from.bystander.owner.id },
    });
    from.bystander.expectUntouched();
  });

  it('[O5] deletions alone take out what is the sender’s, and nothing that is not there', async () => {
    const from = await scene();
    const doc = new Y.Doc();
    const record = outboxRecord();
    putIntent(doc, record);
    const client = await sends(from, encodeStep2(Y.encodeStateAsUpdate(doc)));
    const victim = from.bystander.page.doc.clientID;
    client.socket.send(encodeUpdate(forge([], [{ client: victim, ranges: [[0, 1]] }])));
    removeRecords(doc, [record.id]);
    client.socket.send(encodeUpdate(Y.encodeStateAsUpdate(doc, Y.encodeStateVector(doc))));
    await expectStillOpen(client);
    expect(from.world.rig.truth.store.outboxes.get(from.attacker.id).records).toBe(0);
    expect(from.world.rig.intents.service.view(record.id)).toMatchObject({ state: 'rejected' });
    from.bystander.expectUntouched();
  });

  it('[O5] two hundred updates behind one that is withheld leave nothing behind', async () => {
    const from = await scene();
    const doc = new Y.Doc();
    putIntent(doc, outboxRecord());
    const frames: Uint8Array[] = [];
    doc.on('update', (update: Uint8Array) => frames.push(encodeUpdate(update)));
    for (let index = 0; index < 190; index += 1) putIntent(doc, outboxRecord());
    expect(frames).toHaveLength(190);
    await expectQuarantined(from, await sends(from, ...frames), 4403, 'forged');
  });

  it('[O7] a frame, a document or a number of records over its limit: 4413', async () => {
    const large = new Uint8Array(OUTBOX_LIMITS.documentBytes + 65);
    const oversizeFrame = await scene();
    await expectQuarantined(oversizeFrame, await sends(oversizeFrame, large), 4413, 'too_large');

    const oversizeDocument = await scene();
    const doc = new Y.Doc();
    const frames = Array.from({ length: 2 }, () => {
      const vector = Y.encodeStateVector(doc);
      doc.getMap('intents').set(outboxRecord().id, { text: 'x'.repeat(200_000) });
      return encodeUpdate(Y.encodeStateAsUpdate(doc, vector));
    });
    await expectQuarantined(oversizeDocument, await sends(oversizeDocument, ...frames), 4413, 'too_large');

    const tooMany = await scene();
    const crowded = new Y.Doc();
    crowded.transact(() => {
      for (let index = 0; index <= OUTBOX_LIMITS.records; index += 1) putIntent(crowded, outboxRecord());
    });
    const client = await sends(tooMany, encodeStep2(Y.encodeStateAsUpdate(crowded)));
    await expectQuarantined(tooMany, client, 4413, 'too_many');
    expect(tooMany.world.rig.truth.store.intents.counts(0)).toMatchObject({ open: 0 });
  });

  it('[O7] a frame that is too long to be read at all ends the epoch too, and is in the audit log', async () => {
    const from = await scene();
    const client = await sends(from, new Uint8Array(1024 * 1024 + 1));
    expect((await client.closed).code).toBe(1009);
    const { outboxes, audit } = from.world.rig.truth.store;
    expect(outboxes.epochOf(from.attacker.id)).toBe(2);
    expect(audit.read({ afterId: 0, limit: 1000 }).at(-1)).toMatchObject({
      action: 'outbox.quarantine',
      actor: { id: from.attacker.id },
      detail: { reason: 'too_large', detail: 'a frame that is too long to be read' },
    });
    from.bystander.expectUntouched();
    await from.bystander.act();
    // Whoever does it again is held back as for anything hostile.
    expect((await (await sends(from, new Uint8Array(1024 * 1024 + 1))).closed).code).toBe(1009);
    expect(await from.world.raw(from.attacker).closed).toEqual({ code: 1013, reason: 'held back for 2 s' });
  });

  it('[O7] a record that is too large, or is none, ends in the ledger and blocks nothing behind it', async () => {
    const from = await scene();
    const doc = new Y.Doc();
    const [large, none, good] = [outboxRecord(), outboxRecord(), outboxRecord()];
    doc.getMap('intents').set(large.id, { ...large, params: { text: 'x'.repeat(9_000) } });
    doc.getMap('intents').set(none.id, 'not a record');
    putIntent(doc, good);
    const client = await sends(from, encodeStep2(Y.encodeStateAsUpdate(doc)));
    const { service } = from.world.rig.intents;
    await until(() => expect(service.view(good.id)).toMatchObject({ kind: 'host.resume' }));
    expect(service.view(large.id)).toMatchObject({ state: 'rejected', code: 'too_large' });
    expect(service.view(none.id)).toMatchObject({ state: 'rejected', code: 'malformed' });
    await expectStillOpen(client);
  });

  it('[S10] text, malformed frames and floods close the socket, and harm no document', async () => {
    const from = await scene();
    expect((await (await sends(from, 'hello')).closed).code).toBe(4400);
    expect((await (await sends(from, Uint8Array.from([0, 2, 200]))).closed).code).toBe(4400);
    const flood = Array.from({ length: 300 }, () => Uint8Array.from([3]));
    expect((await (await sends(from, ...flood)).closed).code).toBe(4413);
    expect(from.world.rig.truth.store.outboxes.epochOf(from.attacker.id)).toBe(1);
    from.bystander.expectUntouched();
  });

  it('[O8] a bomb burns in the thread: the main loop is free, others are answered, its sender begins anew', async () => {
    const from = await scene(100);
    await expectStillOpen(await sends(from));
    const bomber = await sends(from, encodeStep2(conflictBomb(outboxRecord().id)));
    const acting = from.bystander.act();
    expect(await turnsDuring(bomber.closed)).toBeGreaterThan(10);
    expect(await acting).toBeLessThan(10_000);
    await expectQuarantined(from, bomber, 4413, 'deadline');
  });

  it('who is quarantined again and again waits longer each time', async () => {
    const from = await scene();
    const doc = new Y.Doc();
    doc.getMap('hosts').set('x', 1);
    const hostile = encodeStep2(Y.encodeStateAsUpdate(doc));
    for (let round = 0; round < 2; round += 1) {
      expect((await (await sends(from, hostile)).closed).code).toBe(4403);
    }
    expect(await from.world.raw(from.attacker).closed).toEqual({ code: 1013, reason: 'held back for 2 s' });
    // Another collector over the same data knows it too.
    const again = await outboxWorld({ rig: from.world.rig });
    expect(await again.raw(from.attacker).closed).toEqual({ code: 1013, reason: 'held back for 2 s' });
    expect(from.world.rig.truth.store.outboxes.epochOf(from.attacker.id)).toBe(3);
    from.bystander.expectUntouched();
  });
});
