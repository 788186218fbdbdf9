import { expect, vi } from 'vitest';
import * as Y from 'yjs';
import { must } from '#shared/lib/assert.ts';
import { readFleet } from '#sync/fleet-doc.ts';
import { putIntent } from '#sync/outbox-doc.ts';
import { outboxRecord, type Device, type OutboxWorld, type Owner } from './outbox-world.ts';

/** Somebody with a record in an outbox who has nothing to do with what others send. */
export interface Bystander {
  readonly owner: Owner;
  readonly page: Device;
  /** Fails when anything of them, or of the collector's documents but for the ledger, is another than it was. */
  expectUntouched(): void;
  /** Writes one more record and waits until it is in the ledger; returns how long that took. */
  act(): Promise<number>;
}

/** Lets a bystander in, and remembers what is theirs and the collector's. */
export async function bystanderOf(world: OutboxWorld): Promise<Bystander> {
  const owner = world.owner('bystander');
  const page = world.device(owner);
  const { service } = world.rig.intents;
  const { store, docHost } = world.rig.truth;
  const seen: string[] = [];
  const act = async (): Promise<number> => {
    const record = outboxRecord();
    const began = performance.now();
    putIntent(page.doc, record);
    await vi.waitFor(() => expect(service.view(record.id)).not.toBeNull(), { timeout: 20_000, interval: 2 });
    seen.push(record.id);
    return performance.now() - began;
  };
  await vi.waitFor(() => expect(page.provider.synced).toBe(true), { timeout: 15_000, interval: 5 });
  await act();
  const fleetRows = (): unknown => {
    const fleet = must(docHost.open(docHost.names().fleet), 'the fleet document');
    return [...readFleet(fleet.doc)].filter(([key]) => !key.startsWith('ledger/'));
  };
  const tailBytes = (): unknown => Y.encodeStateAsUpdate(must(docHost.tail(), 'the tail'));
  const before = { fleet: fleetRows(), tail: tailBytes(), epoch: store.outboxes.epochOf(owner.id) };
  return {
    owner,
    page,
    act,
    expectUntouched() {
      expect({
        fleet: fleetRows(),
        tail: tailBytes(),
        epoch: store.outboxes.epochOf(owner.id),
      }).toEqual(before);
      expect(page.closes).toEqual([]);
      expect([...page.doc.getMap('intents').keys()].sort()).toEqual([...seen].sort());
      expect(store.outboxes.get(owner.id).records).toBe(seen.length);
      for (const id of seen) expect(service.view(id)).toMatchObject({ author: { id: owner.id } });
    },
  };
}
