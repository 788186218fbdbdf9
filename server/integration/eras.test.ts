import { expect, test } from 'vitest';
import type { WebsocketProvider } from 'y-websocket';
import type { Model } from '#shared/schemas/model.ts';
import { encodeSubscribe } from '#sync/live-frame.ts';
import { LiveReader } from '#sync/live-reader.ts';
import { ERAS, traitsOf } from '../emulator/era.ts';
import { connectReplicas, expectConverged, until } from './convergence.ts';
import { DroverProcess } from './drover-process.ts';
import { EmulatorProcess } from './emulator-process.ts';
import type { Replica } from './replica.ts';

const CONNECTED_MS = 3_000;
const RING_ROWS = 1_000;
const MODEL = 'demo-1';

test('a host of every era is connected, followed live, and read again after restart, reload and pause', async () => {
  const drover = await DroverProcess.start();
  const replicas = await connectReplicas(drover, 1);
  const [replica] = replicas;
  if (!replica) throw new Error('one replica');
  const live = followLive(replica.fleet);
  const emulators = await Promise.all(ERAS.map((era) => EmulatorProcess.start(era)));

  const connectMs: number[] = [];
  for (const emulator of emulators) {
    await emulator.addRows(20);
    const began = performance.now();
    await drover.addHost(emulator.era, emulator.url);
    await until(() =>
      expect(replica.records().hosts.get(`host/${emulator.era}`)?.liveness).toBe('connected'),
    );
    connectMs.push(performance.now() - began);
  }

  // A machine that is busy with other tests may hold up one of them.
  expect(connectMs.toSorted((a, b) => a - b)[Math.floor(ERAS.length / 2)]).toBeLessThan(CONNECTED_MS);

  await Promise.all(
    emulators.map(async (emulator) => {
      const { era, firstId } = emulator;
      const traits = traitsOf(era);
      // By the device: only what it is shown counts.
      const shown = (idEpoch: number) =>
        [...replica.seen.values()]
          .flatMap((row) =>
            row.type === 'request' && row.hostId === era && row.idEpoch === idEpoch ? [row.id] : [],
          )
          .sort((a, b) => a - b);
      const ids = (count: number) => Array.from({ length: count }, (_, index) => firstId + index);
      await until(() => expect(shown(0)).toEqual(ids(20)));
      await until(() => expect(modelsOf(replica, era)).toHaveLength(3));

      await emulator.command('load', { modelId: MODEL });
      await until(() =>
        expect(modelsOf(replica, era).find(({ modelId }) => modelId === MODEL)?.state).toBe('ready'),
      );
      const chat = await startChat(emulator);
      // Before v218 the numbers of in-flight messages are wrong, before v192 there are none: unknown, never 0.
      const counts = traits.inFlight !== 'none' && traits.inFlight !== 'legacy-total';
      await until(() => expect(live.inFlight.get(era)?.total ?? null).toBe(counts ? 1 : null));
      await chat.end();
      await until(() => expect(shown(0)).toEqual(ids(21)));
      await until(() => expect(live.inFlight.get(era)?.total ?? null).toBe(counts ? 0 : null));

      await emulator.restart();
      await emulator.addRows(3);
      await until(() => expect(shown(1)).toEqual(ids(3)));
      await emulator.command('reload');
      await emulator.addRows(2, { status: 500, error: 'after the reload' });
      // Ids start again at a restart everywhere, at a reload up to v235.
      const [epoch, held] = traits.activityListing === 'pages' ? [1, 5] : [2, 2];
      await until(() => expect(shown(epoch)).toEqual(ids(held)));

      await drover.patchHost(era, { paused: true });
      await until(async () => expect((await emulator.state()).eventClients).toBe(0));
      await emulator.addRows(RING_ROWS + 500);
      await drover.patchHost(era, { paused: false });
      const last = firstId + held + RING_ROWS + 500 - 1;
      await until(async () => {
        const rows = await drover.allRows(`&hostId=${era}`);
        expect(rows.some((row) => row.type === 'request' && row.id === last)).toBe(true);
        expect(rows.filter((row) => row.type === 'gap')).toMatchObject([
          { idEpoch: epoch, fromId: firstId + held, toId: last - RING_ROWS, reason: 'ring_wrapped' },
        ]);
      });
    }),
  );
  const rows = await expectConverged(drover, replicas);
  // 21 before the restart, 5 after it, the ring and one gap, of each.
  expect(rows).toHaveLength(ERAS.length * (21 + 5 + RING_ROWS + 1));
}, 120_000);

/** What live frames say, on the device's own fleet socket. */
function followLive(fleet: WebsocketProvider): LiveReader {
  const reader = new LiveReader();
  fleet.messageHandlers[100] = (_encoder, decoder) => {
    reader.accept(decoder.arr.subarray(decoder.pos));
  };
  const subscribe = () => fleet.ws?.send(Buffer.from(encodeSubscribe({ topics: ['status', 'in-flight'] })));
  fleet.on('status', ({ status }) => status === 'connected' && subscribe());
  if (fleet.wsconnected) subscribe();
  return reader;
}

function modelsOf(replica: Replica, hostId: string): readonly Model[] {
  return [...replica.records().models.values()].filter((model) => model.hostId === hostId);
}

/** A streamed answer that stays open until it is ended. */
async function startChat(emulator: EmulatorProcess): Promise<{ end(): Promise<void> }> {
  const reply = await fetch(`${emulator.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      model: MODEL,
      stream: true,
      max_tokens: 120,
      // The oldest era counts a stream with usage only.
      stream_options: { include_usage: true },
      messages: [{ role: 'user', content: 'Tell me of the sea.' }],
    }),
  });
  return { end: async () => void (await reply.text()) };
}
