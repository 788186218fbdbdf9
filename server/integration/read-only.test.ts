import { expect, onTestFinished, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { WebsocketProvider } from 'y-websocket';
import * as Y from 'yjs';
import { must } from '#shared/lib/assert.ts';
import { FleetEntries, readFleet } from '#sync/fleet-doc.ts';
import { encodeStep2, encodeUpdate } from '#sync/sync-frame.ts';
import { appendTail, decodeTail } from '#sync/tail-codec.ts';
import { gapRow, requestRow } from '../testing/activity-rows.ts';
import { connectReplicas, expectConverged, pause, until } from './convergence.ts';
import { DroverProcess } from './drover-process.ts';
import { EmulatorProcess } from './emulator-process.ts';

test('what a viewer writes into the documents changes nothing for anyone, now and after a restart', async () => {
  const emulator = await EmulatorProcess.start('v250');
  const drover = await DroverProcess.start();
  await emulator.addRows(50);
  await drover.addHost('marlin', emulator.url);
  const [bystander, forger] = await connectReplicas(drover, 2);
  if (!bystander || !forger) throw new Error('two replicas');
  await until(() => expect(forger.seen.size).toBeGreaterThanOrEqual(50));
  await until(() => expect(bystander.records().hosts.get('host/marlin')?.liveness).toBe('connected'));
  const truth = await expectConverged(drover, [bystander]);

  // As the stock client sends it: at once, and again as its step 2 whenever it comes back.
  new FleetEntries(forger.fleet.doc).set('host/marlin', { forged: true });
  new FleetEntries(forger.fleet.doc).set('host/ghost', { forged: true });
  forger.fleet.doc.getMap('other').set('x', 'y'.repeat(10_000));
  appendTail(forger.tail.doc, [requestRow({ hostId: 'marlin', id: 9_999 }), gapRow({ hostId: 'marlin' })]);
  forger.tail.doc.getArray('r').delete(0, 1);
  for (const provider of [forger.fleet, forger.tail]) {
    provider.disconnect();
    provider.connect();
  }
  // As somebody writes it by hand: forged, wiping and broken updates, in both kinds of frame.
  const { key } = await drover.createKey('viewer');
  const { documents } = await drover.info();
  for (const [document, source] of [
    [documents.fleet, bystander.fleet.doc],
    [documents.tail, bystander.tail.doc],
  ] as const) {
    const socket = new WebSocket(`${drover.url.replace('http', 'ws')}/sync/${document}?key=${key}`);
    onTestFinished(() => socket.terminate());
    await new Promise((resolve) => socket.once('open', resolve));
    for (const update of forgeries(source)) {
      socket.send(encodeUpdate(update));
      socket.send(encodeStep2(update));
    }
  }
  await until(() => expect(drover.lines.join('\n')).toContain('writes to a read-only document were dropped'));
  expect(await expectConverged(drover, [bystander])).toEqual(truth);
  const [fresh] = await connectReplicas(drover, 1);
  expect(await expectConverged(drover, [must(fresh, 'a fresh replica')])).toEqual(truth);
  expect(readFleet(bystander.fleet.doc).has('host/ghost')).toBe(false);

  await drover.kill('SIGTERM');
  await drover.startAgain();
  await until(async () => expect((await drover.host('marlin')).liveness).toBe('connected'));
  expect(await expectConverged(drover, [bystander])).toEqual(truth);
  expect(decodeTail(bystander.tail.doc).some((row) => row.type === 'gap')).toBe(false);
}, 120_000);

test('a bad key is told once, revoking one ends its sockets at once, and the stock client leaves it at that', async () => {
  vi.spyOn(console, 'warn').mockReturnValue();
  const drover = await DroverProcess.start();
  const { documents } = await drover.info();
  const { id, key } = await drover.createKey('viewer');
  const good = countedClient(drover, documents.fleet, key);
  const bad = countedClient(drover, documents.fleet, 'drv_wrong');
  await until(() => expect(good.provider.synced).toBe(true));
  await until(() => expect(bad.closes).toEqual([{ code: 4401, reason: 'expired' }]));

  const revokedAt = performance.now();
  expect((await drover.request(`/api/keys/${id}`, { method: 'DELETE' })).status).toBe(204);
  await until(() => expect(good.closes).toEqual([{ code: 4401, reason: 'revoked' }]));
  expect(performance.now() - revokedAt).toBeLessThan(2_000);
  // Many times the longest pause it makes between attempts.
  await pause(1_000);
  expect([good.upgrades(), bad.upgrades()]).toEqual([1, 1]);
}, 120_000);

/** Updates that would change the document: something foreign, everything deleted, and bytes that are none. */
function forgeries(source: Y.Doc): readonly Uint8Array[] {
  const foreign = new Y.Doc();
  foreign.getArray('entries').push([{ k: 'host/marlin', v: null }]);
  foreign.getArray('r').push([Uint8Array.from([1, 2, 3])]);
  const wiped = new Y.Doc();
  Y.applyUpdate(wiped, Y.encodeStateAsUpdate(source));
  for (const name of ['entries', 'r', 'd']) wiped.getArray(name).delete(0, wiped.getArray(name).length);
  return [
    Y.encodeStateAsUpdate(foreign),
    Y.encodeStateAsUpdate(wiped, Y.encodeStateVector(wiped)),
    Y.encodeStateAsUpdate(wiped),
  ];
}

/** A stock client that comes back fast, with the number of upgrades it asked for. */
function countedClient(drover: DroverProcess, document: string, key: string) {
  let upgrades = 0;
  class CountedSocket extends globalThis.WebSocket {
    constructor(...args: ConstructorParameters<typeof globalThis.WebSocket>) {
      super(...args);
      upgrades += 1;
    }
  }
  const provider = new WebsocketProvider(`${drover.url.replace('http', 'ws')}/sync`, document, new Y.Doc(), {
    params: { key },
    disableBc: true,
    maxBackoffTime: 50,
    WebSocketPolyfill: CountedSocket,
  });
  onTestFinished(() => provider.destroy());
  const closes: unknown[] = [];
  provider.on('closed', (close) => closes.push(close));
  return { provider, closes, upgrades: () => upgrades };
}
