import { once } from 'node:events';
import { createConnection } from 'node:net';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { WebsocketProvider } from 'y-websocket';
import * as Y from 'yjs';
import { FleetEntries, readFleet } from '#sync/fleet-doc.ts';
import { encodeSubscribe } from '#sync/live-frame.ts';
import { LiveReader } from '#sync/live-reader.ts';
import type { LiveEvent } from '#sync/live-reader.ts';
import { encodeStep1, encodeUpdate } from '#sync/sync-frame.ts';
import { appendTail, decodeTail } from '#sync/tail-codec.ts';
import { realisticRequests } from '#sync/testing/realistic-rows.ts';
import { ADMIN_SESSION, buildSyncWorld, VIEWER_KEY } from '../testing/sync-world.ts';
import type { RawClient, SyncWorld } from '../testing/sync-world.ts';

const fleetName = 'fleet@g1';
const EMPTY_VECTOR = Uint8Array.from([0]);

/** The published y-websocket client, unchanged. */
function stockClient(world: SyncWorld, document: string, key = VIEWER_KEY): WebsocketProvider {
  const provider = new WebsocketProvider(world.url, document, new Y.Doc(), {
    params: { key },
    disableBc: true,
  });
  onTestFinished(() => provider.destroy());
  return provider;
}

/** A stock client that also reads live frames, as our app does. */
function appClient(
  world: SyncWorld,
  document: string,
  doc = new Y.Doc(),
): { provider: WebsocketProvider; events: LiveEvent[] } {
  const provider = new WebsocketProvider(world.url, document, doc, {
    params: { key: VIEWER_KEY },
    disableBc: true,
  });
  const reader = new LiveReader();
  const events: LiveEvent[] = [];
  provider.messageHandlers[100] = (_encoder, decoder) => {
    events.push(reader.accept(decoder.arr.subarray(decoder.pos)));
  };
  provider.on('status', ({ status }) => {
    if (status === 'connected') provider.ws?.send(Buffer.from(encodeSubscribe({ topics: ['status'] })));
  });
  onTestFinished(() => provider.destroy());
  return { provider, events };
}

function until(check: () => void): Promise<void> {
  return vi.waitFor(check, { timeout: 15_000, interval: 5 });
}

/** Waits for a frame that begins with these bytes and returns it. */
async function frameOf(client: RawClient, ...head: number[]): Promise<Uint8Array> {
  const found = (): Uint8Array | undefined =>
    client.frames.find((frame) => head.every((byte, index) => frame[index] === byte));
  await until(() => expect(found()).toBeDefined());
  return found() ?? new Uint8Array();
}

afterEach(() => vi.restoreAllMocks());

describe('sync route with the published y-websocket client', () => {
  it('[S1] converges, and follows later changes', async () => {
    const world = await buildSyncWorld();
    const fleet = new FleetEntries(world.documents.doc(fleetName));
    fleet.set('host/a', { v: 1 });
    const client = stockClient(world, fleetName);
    await until(() => expect(client.synced).toBe(true));
    expect(readFleet(client.doc)).toEqual(new Map([['host/a', { v: 1 }]]));
    fleet.set('host/a', { v: 2 });
    fleet.delete('host/a');
    fleet.set('host/b', { v: 3 });
    await until(() => expect(readFleet(client.doc)).toEqual(new Map([['host/b', { v: 3 }]])));
    const tail = stockClient(world, 'tail@g1');
    const rows = realisticRequests({ count: 300 });
    world.documents.write('tail@g1', (doc) => appendTail(doc, rows));
    await until(() => expect(decodeTail(tail.doc)).toEqual(rows));
  });

  it('[S2] reconnects by state vector: only what was missed travels', async () => {
    const world = await buildSyncWorld();
    const doc = world.documents.doc('tail@g1');
    appendTail(doc, realisticRequests({ count: 2000 }));
    const client = stockClient(world, 'tail@g1');
    await until(() => expect(client.synced).toBe(true));
    client.disconnect();
    const missed = realisticRequests({ count: 5, seed: 7 });
    appendTail(doc, missed);
    const raw = world.connect('tail@g1');
    await raw.opened;
    raw.socket.send(encodeStep1(Y.encodeStateVector(client.doc)));
    expect((await frameOf(raw, 0, 1)).byteLength).toBeLessThan(400);
    client.connect();
    await until(() => expect(decodeTail(client.doc).slice(2000)).toEqual(missed));
  });

  it('[S3] takes no write from a clean client, whose step 2 carries the deletions of the whole document', async () => {
    const world = await buildSyncWorld();
    const fleet = new FleetEntries(world.documents.doc(fleetName));
    for (let value = 0; value < 20; value += 1) fleet.set(`host/${value % 3}`, value);
    const client = stockClient(world, fleetName);
    await until(() => expect(client.synced).toBe(true));
    client.disconnect();
    fleet.set('host/0', 'later');
    client.connect();
    await until(() => expect(readFleet(client.doc).get('host/0')).toBe('later'));
    expect(world.sync.gauges().droppedWrites).toBe(0);
  });

  it('[S3] drops what a viewer writes, changes nothing, and tells an app to drop its copy', async () => {
    const world = await buildSyncWorld();
    const fleet = new FleetEntries(world.documents.doc(fleetName));
    fleet.set('host/a', 'up');
    const before = Y.encodeStateAsUpdate(world.documents.doc(fleetName));
    const { provider, events } = appClient(world, fleetName);
    const bystander = stockClient(world, fleetName);
    await until(() => expect(provider.synced && bystander.synced).toBe(true));
    new FleetEntries(provider.doc).set('host/a', 'down');
    await until(() => expect(events).toContainEqual({ type: 'discard', document: fleetName }));
    expect(world.sync.gauges().droppedWrites).toBe(1);
    expect(Y.encodeStateAsUpdate(world.documents.doc(fleetName))).toEqual(before);
    expect(readFleet(bystander.doc).get('host/a')).toBe('up');
    // Back with the same copy, it is told again: by its step 2 this time.
    const told = events.length;
    provider.disconnect();
    provider.connect();
    await until(() => expect(events.slice(told)).toContainEqual({ type: 'discard', document: fleetName }));
  });

  it('[S4] closes a bad session with 4401 and the reason, and the stock client stops retrying', async () => {
    vi.spyOn(console, 'warn').mockReturnValue();
    const world = await buildSyncWorld();
    const client = stockClient(world, fleetName, 'drv_wrong');
    let attempts = 0;
    client.on('status', ({ status }) => {
      if (status === 'connecting') attempts += 1;
    });
    const closes: unknown[] = [];
    client.on('closed', (close) => closes.push(close));
    await until(() => expect(closes).toEqual([{ code: 4401, reason: 'expired' }]));
    expect(client.shouldConnect).toBe(false);
    expect(attempts).toBeLessThanOrEqual(1);
    expect(console.warn).toHaveBeenCalledWith(expect.stringContaining('expired'));
    const revoked = stockClient(world, fleetName);
    await until(() => expect(revoked.synced).toBe(true));
    const ends: unknown[] = [];
    revoked.on('closed', (close) => ends.push(close));
    world.authenticator.end(VIEWER_KEY, 'revoked');
    await until(() => expect(ends).toEqual([{ code: 4401, reason: 'revoked' }]));
  });

  it('[S5] refuses an unknown document or an old generation with 4404, a failed store with 4503', async () => {
    const world = await buildSyncWorld();
    expect(await world.connect('fleet@g2').closed).toMatchObject({ code: 4404 });
    expect(await world.connect('secrets').closed).toMatchObject({ code: 4404 });
    const open = world.connect(fleetName);
    await open.opened;
    world.documents.nextGeneration();
    expect(await open.closed).toMatchObject({ code: 4404 });
    const client = stockClient(world, 'fleet@g2');
    await until(() => expect(client.synced).toBe(true));
    world.documents.fail();
    expect(await world.connect('fleet@g2').closed).toMatchObject({ code: 4503 });
    world.documents.recover();
    world.documents.write('fleet@g2', (doc) => new FleetEntries(doc).set('host/a', 1));
    await until(() => expect(readFleet(client.doc).get('host/a')).toBe(1));
  });

  it('[S6] serves a hundred cold clients at once, all with the same bytes', async () => {
    const world = await buildSyncWorld();
    const rows = realisticRequests({ count: 4000 });
    for (let start = 0; start < rows.length; start += 4) {
      appendTail(world.documents.doc('tail@g1'), rows.slice(start, start + 4));
    }
    const clients = Array.from({ length: 100 }, () => world.connect('tail@g1'));
    await Promise.all(
      clients.map(async (client) => {
        await client.opened;
        client.socket.send(encodeStep1(EMPTY_VECTOR));
        await frameOf(client, 0, 1);
      }),
    );
    expect(world.sync.gauges().documents).toMatchObject([{ name: 'tail@g1', sockets: 100 }]);
    const steps = clients.map(
      (client) => client.frames.find((frame) => frame[0] === 0 && frame[1] === 1)?.byteLength,
    );
    expect(new Set(steps).size).toBe(1);
    const replica = stockClient(world, 'tail@g1');
    await until(() => expect(decodeTail(replica.doc)).toEqual(rows));
  });

  it('[S7] closes every socket with 4503 at a stop', async () => {
    const world = await buildSyncWorld();
    const clients = Array.from({ length: 12 }, () => world.connect(fleetName));
    await Promise.all(clients.map((client) => client.opened));
    await world.stop();
    const ends = await Promise.all(clients.map((client) => client.closed));
    expect(ends.every(({ code }) => code === 4503)).toBe(true);
  });
});

describe('sync route: the door', () => {
  it('[S8] takes the cookie, the header and the key in the query, and a session never in the query', async () => {
    const world = await buildSyncWorld();
    const first = async (client: RawClient): Promise<number | undefined> => {
      await until(() => expect(client.frames.length).toBeGreaterThan(0));
      return client.frames[0]?.[0];
    };
    const none = { key: '' };
    const cookie = { ...none, headers: { cookie: `drover_session=${ADMIN_SESSION}` } };
    const bearer = { ...none, headers: { authorization: `Bearer ${VIEWER_KEY}` } };
    expect(await first(world.connect(fleetName, cookie))).toBe(0);
    expect(await first(world.connect(fleetName, bearer))).toBe(0);
    expect(await world.connect(fleetName, none).closed).toMatchObject({ code: 4401, reason: 'expired' });
    const wrong = world.connect(fleetName, { ...cookie, key: 'drv_wrong' });
    expect(await wrong.closed).toMatchObject({ code: 4401 });
    expect(wrong.frames[0]?.[0]).toBe(2);
  });

  it('[S9] answers a foreign Origin with 403 before the upgrade, and 426 to a plain request', async () => {
    const world = await buildSyncWorld();
    const headers = { cookie: `drover_session=${ADMIN_SESSION}`, origin: 'https://evil.example' };
    await expect(world.connect(fleetName, { key: '', headers }).opened).rejects.toThrow('403');
    const own = { ...headers, origin: 'https://drover.example' };
    await world.connect(fleetName, { key: '', headers: own }).opened;
    expect((await fetch(`http://127.0.0.1:${world.port}/sync/${fleetName}`)).status).toBe(426);
  });
});

describe('sync route with hostile peers', () => {
  const malformed: Readonly<Record<string, Uint8Array>> = {
    empty: Uint8Array.from([]),
    'truncated type': Uint8Array.from([0x80]),
    'truncated length': Uint8Array.from([0, 0, 0x80]),
    'length past the end': Uint8Array.from([0, 2, 0xff, 0xff, 0xff, 0x7f, 1]),
    'state vector with too many clients': Uint8Array.from([0, 0, 3, 0xff, 0xff, 0x7f]),
    'state vector cut short': Uint8Array.from([0, 0, 2, 1, 5]),
    'delete set past the end': Uint8Array.from([0, 2, 5, 0, 1, 1, 0xff, 0x7f]),
    'endless number': Uint8Array.from([0, 0, ...Array.from({ length: 400 }, () => 0x80), 0]),
  };

  it.each(Object.entries(malformed))('[S10] closes 4400 on a malformed frame: %s', async (_name, frame) => {
    const world = await buildSyncWorld();
    const client = world.connect(fleetName);
    await client.opened;
    client.socket.send(frame);
    expect(await client.closed).toMatchObject({ code: 4400 });
  });

  it('[S10] ignores awareness, auth and unknown types, and still answers', async () => {
    const world = await buildSyncWorld();
    const client = world.connect(fleetName);
    await client.opened;
    for (const frame of [
      [1, 3, 1, 2, 3],
      [1, 0xff],
      [3],
      [2, 0, 1, 65],
      [77, 1],
      [0, 9],
      [100, 55],
      [100, 0, 1, 33],
    ]) {
      client.socket.send(Uint8Array.from(frame));
    }
    client.socket.send(encodeStep1(EMPTY_VECTOR));
    await frameOf(client, 0, 1);
    expect(client.frames.some((frame) => frame[0] === 100 || frame[0] === 1)).toBe(false);
  });

  it('[S10] closes 4413 on a large frame and on a flood, 1009 on a huge one, 4400 on text', async () => {
    const world = await buildSyncWorld({
      session: { frameBytes: 1000, burstFrames: 50, framesPerSecond: 1 },
    });
    const send = async (...frames: (Uint8Array | string)[]): Promise<number> => {
      const client = world.connect(fleetName);
      await client.opened;
      for (const frame of frames) client.socket.send(frame);
      return (await client.closed).code;
    };
    expect(await send(new Uint8Array(1001))).toBe(4413);
    expect(await send(...Array.from({ length: 60 }, () => Uint8Array.from([3])))).toBe(4413);
    expect(await send(new Uint8Array(1024 * 1024 + 1))).toBe(1009);
    expect(await send('hello')).toBe(4400);
  });

  it('[S10] gives no forged update to Yjs: documents and other clients stay as they are', async () => {
    const world = await buildSyncWorld();
    new FleetEntries(world.documents.doc(fleetName)).set('host/a', 1);
    const before = Y.encodeStateAsUpdate(world.documents.doc(fleetName));
    const forged = new Y.Doc();
    forged.getMap('anything').set('x', 1);
    const wiped = new Y.Doc();
    Y.applyUpdate(wiped, before);
    wiped.getArray('entries').delete(0, 1);
    const bystander = world.connect(fleetName);
    const client = world.connect(fleetName);
    await Promise.all([client.opened, bystander.opened]);
    await frameOf(bystander, 0, 0);
    const received = bystander.frames.length;
    client.socket.send(encodeUpdate(Y.encodeStateAsUpdate(forged)));
    client.socket.send(encodeUpdate(Y.encodeStateAsUpdate(wiped, Y.encodeStateVector(wiped))));
    client.socket.send(encodeUpdate(Uint8Array.from([1, 1, 1, 1, 0xff, 0xff])));
    await until(() => expect(world.sync.gauges().droppedWrites).toBe(3));
    expect(Y.encodeStateAsUpdate(world.documents.doc(fleetName))).toEqual(before);
    expect(bystander.frames).toHaveLength(received);
  });

  it('[S11] cuts a reader that does not read, and no other', async () => {
    const world = await buildSyncWorld({
      checkMs: 20,
      connection: {
        keepAliveMs: 15_000,
        silentMs: 60_000,
        backlogBytes: 256 * 1024,
        backlogMs: 1500,
        backlogMaxBytes: 64 * 1024 * 1024,
        closeMs: 500,
      },
    });
    const reader = world.connect(fleetName);
    await reader.opened;
    const stuck = createConnection(world.port, '127.0.0.1');
    onTestFinished(() => {
      stuck.destroy();
    });
    stuck.write(
      `GET /sync/${fleetName}?key=${VIEWER_KEY} HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\n` +
        'Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n',
    );
    await once(stuck, 'data');
    stuck.pause();
    stuck.on('error', () => undefined);
    await until(() => expect(world.sync.gauges().socketsByRole).toEqual({ viewer: 2 }));
    const doc = world.documents.doc(fleetName);
    for (let round = 0; round < 24; round += 1) {
      doc.getArray('entries').push([{ k: `blob/${round}`, v: 'x'.repeat(512 * 1024) }]);
      await until(() => expect(reader.frames.length).toBeGreaterThanOrEqual(round + 2));
    }
    await until(() => expect(world.sync.gauges().ends).toEqual({ terminated: 1 }));
    expect(world.sync.gauges().socketsByRole).toEqual({ viewer: 1 });
  });
});
