import { setTimeout } from 'node:timers/promises';
import { WebSocket } from 'ws';
import * as Y from 'yjs';
import { z } from 'zod';
import { encodeStep1 } from '#sync/sync-frame.ts';
import { encodeSubscribe } from '#sync/live-frame.ts';
import { answerParent } from './child.ts';
import { HerdClient } from './herd-client.ts';
import { percentile } from './percentile.ts';
import { FrameClient, socketUrl } from './frame-client.ts';
import { connectRequest, herdRequest, type ViewersReport } from './viewers.ts';

/** Run as a process: many clients of one server. */
const pauseRequest = z.object({
  type: z.literal('pause'),
  url: z.string(),
  key: z.string(),
  document: z.string(),
  clients: z.number(),
});
const question = z.discriminatedUnion('type', [
  connectRequest,
  herdRequest,
  pauseRequest,
  z.object({ type: z.literal('settle') }),
  z.object({ type: z.literal('mark') }),
  z.object({ type: z.literal('report') }),
]);

let clients: FrameClient[] = [];
let paused: WebSocket[] = [];

answerParent(async (message) => {
  const asked = question.parse(message);
  switch (asked.type) {
    case 'connect':
      clients = Array.from(
        { length: asked.clients },
        (_, index) => new FrameClient(asked, index < asked.decoders),
      );
      await Promise.all(clients.map((client) => client.ready));
      return null;
    case 'settle':
      return settle();
    case 'mark':
      for (const client of clients) client.mark();
      return null;
    case 'report':
      return report();
    case 'pause':
      return pause(asked);
    case 'herd':
      return herd(asked);
  }
});

/** The last batch may still be on its way: a flush, and what the machine adds. */
async function settle(): Promise<null> {
  const count = (): number => clients.reduce((sum, { arrivals }) => sum + arrivals.length, 0);
  let before = -1;
  while (count() !== before) {
    before = count();
    await setTimeout(400);
  }
  return null;
}

/** Every client's arrival of every frame, against the rows which the decoders found in it. */
function report(): ViewersReport {
  const [first] = clients;
  if (!first) throw new Error('no client is connected');
  const latencies: number[] = [];
  const eventTimes = first.eventTimes;
  for (const { arrivals } of clients) {
    arrivals.forEach((arrivedAt, frame) => {
      for (const at of eventTimes[frame] ?? []) latencies.push(arrivedAt - at);
    });
  }
  return {
    rows: eventTimes.reduce((sum, rows) => sum + rows.length, 0),
    frames: first.arrivals.length,
    bytesPerClient: first.bytes,
    incomplete: clients.filter(({ arrivals }) => arrivals.length !== first.arrivals.length).length,
    p50: percentile(latencies, 0.5),
    p95: percentile(latencies, 0.95),
    p99: percentile(latencies, 0.99),
  };
}

async function pause(asked: z.infer<typeof pauseRequest>): Promise<null> {
  paused = Array.from({ length: asked.clients }, () => {
    const socket = new WebSocket(socketUrl(asked.url, asked.document, asked.key));
    socket.on('error', () => undefined);
    return socket;
  });
  await Promise.all(
    paused.map(
      (socket) =>
        new Promise<void>((resolve) => {
          socket.once('open', () => {
            socket.send(encodeStep1(Y.encodeStateVector(new Y.Doc())));
            socket.send(encodeSubscribe({ topics: ['status', 'in-flight'] }));
            // What follows stays in the socket's buffers, then in the server's memory.
            socket.pause();
            resolve();
          });
        }),
    ),
  );
  return null;
}

async function herd(asked: z.infer<typeof herdRequest>): Promise<unknown> {
  const began = performance.now();
  const all = Array.from({ length: asked.clients }, () => new HerdClient(asked));
  const done = await Promise.all(all.map((client) => client.done));
  const times = done.map(({ at }) => at - began);
  return {
    p50: percentile(times, 0.5),
    last: percentile(times, 1),
    bytes: done.reduce((sum, { bytes }) => sum + bytes, 0),
  };
}
