import { expect, vi } from 'vitest';
import * as Y from 'yjs';
import { intentId } from '#shared/schemas/intent.ts';
import { OUTBOX_ROOTS, putCancel, putIntent, removeRecords } from '#sync/outbox-doc.ts';
import { encodeStep1, encodeStep2, encodeUpdate } from '#sync/sync-frame.ts';
import { forge, struct } from '#sync/testing/hostile-updates.ts';
import { systemClock } from '../adapters/system-clock.ts';
import { bystanderOf } from './outbox-bystander.ts';
import { outboxRecord, outboxWorld, type OutboxWorld, type Owner } from './outbox-world.ts';
import { seededRandom, type Random } from './seeded-random.ts';
import type { RawClient } from './sync-world.ts';

const EMPTY_VECTOR = Uint8Array.from([0]);
const HOUR_MS = 3_600_000;

/** What became of the inputs. */
export interface FuzzOutcome {
  readonly kept: number;
  readonly quarantined: number;
  readonly malformed: number;
}

/**
 * Sends an owner's outbox `count` inputs over real sockets: damaged honest updates, forged ones and noise, as a step 2 or
 * an update. Whatever they do, nothing of a bystander or of the collector changes, and what is stored stays an outbox.
 */
export async function fuzzOutbox(count: number, seed = count): Promise<FuzzOutcome> {
  const random = seededRandom(seed);
  // Each quarantine is long forgiven when the next one comes, or the attacker would be held back.
  let aheadMs = 0;
  const outboxClock = { ...systemClock, now: () => systemClock.now() + aheadMs };
  const world = await outboxWorld({ deadlineMs: 100, outboxClock });
  // What is tried here is not the disk.
  world.rig.truth.store.connection.pragma('synchronous = OFF');
  const bystander = await bystanderOf(world);
  const attacker = world.owner('attacker');
  const honest = honestUpdates(random);
  const outcome = { kept: 0, quarantined: 0, malformed: 0 };
  let client: RawClient | null = null;
  for (let index = 0; index < count; index += 1) {
    client ??= await connect(world, attacker);
    const update = fuzzInput(random, honest);
    client.socket.send(random() < 0.5 ? encodeStep2(update) : encodeUpdate(update));
    const code = await handled(client);
    if (code === null) outcome.kept += 1;
    else {
      outcome[code === 4400 ? 'malformed' : 'quarantined'] += 1;
      if (code !== 4400) expect([4403, 4404, 4413]).toContain(code);
      client = null;
      aheadMs += 2 * HOUR_MS;
    }
    // A socket may send so many frames a second.
    if (client && client.frames.length > 60) {
      client.socket.terminate();
      client = null;
    }
    if (index % 50 === 0) expectOutbox(world.rig.truth.store.outboxes.get(attacker.id).state);
    if (index % 500 === 0) await bystander.act();
  }
  bystander.expectUntouched();
  await bystander.act();
  return outcome;
}

async function connect(world: OutboxWorld, owner: Owner): Promise<RawClient> {
  const client = world.raw(owner);
  await client.opened;
  return client;
}

/** Waits until what was sent is done with; returns the code of the close, or null. */
async function handled(client: RawClient): Promise<number | null> {
  const answers = (): number => client.frames.filter((frame) => frame[0] === 0 && frame[1] === 1).length;
  const before = answers();
  client.socket.send(encodeStep1(EMPTY_VECTOR));
  const answered = vi.waitUntil(() => answers() > before || client.socket.readyState > 1, {
    timeout: 15_000,
    interval: 1,
  });
  await answered;
  return client.socket.readyState > 1 ? (await client.closed).code : null;
}

/** Every value that is stored stands as plain JSON under an intent's id, in one of the two roots. */
function expectOutbox(state: Uint8Array | null): void {
  if (state === null) return;
  const doc = new Y.Doc();
  Y.applyUpdate(doc, state);
  expect(doc.store.pendingStructs).toBeNull();
  for (const name of doc.share.keys()) expect(OUTBOX_ROOTS).toContain(name);
  for (const name of OUTBOX_ROOTS) {
    for (const [key, value] of doc.getMap(name)) {
      expect(intentId.safeParse(key).success).toBe(true);
      expect(JSON.parse(JSON.stringify(value))).toEqual(value);
    }
  }
}

/** What a device really sends over a while. */
function honestUpdates(random: Random): readonly Uint8Array[] {
  const doc = new Y.Doc();
  const updates: Uint8Array[] = [];
  doc.on('update', (update: Uint8Array) => updates.push(update));
  const ids: string[] = [];
  for (let index = 0; index < 30; index += 1) {
    const record = outboxRecord();
    ids.push(record.id);
    putIntent(doc, record);
    if (random() < 0.3) putCancel(doc, record.id, { v: 1, createdAt: record.createdAt });
    if (random() < 0.4) removeRecords(doc, [ids[Math.floor(random() * ids.length)] ?? '']);
  }
  return [...updates, Y.encodeStateAsUpdate(doc)];
}

function fuzzInput(random: Random, honest: readonly Uint8Array[]): Uint8Array {
  const upTo = (most: number): number => Math.floor(random() * most);
  const pick = upTo(10);
  const sent = honest[upTo(honest.length)] ?? new Uint8Array();
  // Now and then undamaged, so that there is something to do harm to.
  if (pick < 5) return pick < 1 ? sent : damaged(sent, random);
  if (pick < 7) return Uint8Array.from({ length: upTo(60) }, () => upTo(256));
  const key = outboxRecord().id;
  const id = (): readonly [number, number] => [upTo(4), upTo(6)];
  return forge(
    Array.from({ length: 1 + upTo(3) }, () => ({
      client: upTo(4),
      clock: upTo(5) * upTo(2),
      structs: Array.from({ length: 1 + upTo(4) }, () => {
        switch (upTo(12)) {
          case 0:
            return struct.gc(2 ** upTo(50));
          case 1:
            return struct.skip(upTo(9));
          case 2:
            return struct.deleted(key, 2 ** upTo(40));
          case 3:
            return struct.value(key, 'hosts');
          case 4:
            return struct.after(id(), id());
          case 5:
          case 6:
          case 7:
            return struct.after(id());
          default:
            return struct.value(key, OUTBOX_ROOTS[upTo(2)]);
        }
      }),
    })),
    Array.from({ length: upTo(2) }, () => ({
      client: upTo(4),
      ranges: Array.from({ length: 1 + upTo(3) }, () => [upTo(6), upTo(3)] as const),
    })),
  );
}

function damaged(update: Uint8Array, random: Random): Uint8Array {
  const bytes = Uint8Array.from(update);
  const at = (): number => Math.floor(random() * bytes.length);
  switch (Math.floor(random() * 4)) {
    case 0:
      return bytes.subarray(0, at());
    case 1: {
      const [from, length] = [at(), Math.floor(random() * 20)];
      return Uint8Array.from([...bytes.subarray(0, from), ...bytes.subarray(from + length)]);
    }
    case 2:
      return Uint8Array.from([...bytes.subarray(0, at()), ...bytes.subarray(at())]);
    default:
      for (let flips = 1 + Math.floor(random() * 4); flips > 0; flips -= 1) {
        const index = at();
        bytes[index] = (bytes[index] ?? 0) ^ (1 << Math.floor(random() * 8));
      }
      return bytes;
  }
}
