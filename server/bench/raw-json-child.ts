import { createServer } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { WebSocketServer } from 'ws';
import { z } from 'zod';
import type { ActivityRequest } from '#shared/schemas/activity.ts';
import { answerParent } from './child.ts';
import { ProcessMeter } from './process-meter.ts';
import { syntheticTraffic } from './synthetic-traffic.ts';

/**
 * Run as a process: what the documents are compared with. It keeps nothing: the rows of each 100 ms go out as one JSON
 * text to every socket, which is the least a live feed can do.
 */
const BATCH_MS = 100;
const TICK_MS = 10;
const HOSTS = 10;

const question = z.discriminatedUnion('type', [
  z.object({ type: z.literal('where') }),
  z.object({ type: z.literal('steady'), rowsPerSecond: z.number(), durationMs: z.number() }),
]);

const http = createServer();
const sockets = new WebSocketServer({ server: http, perMessageDeflate: false });
await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
const meter = new ProcessMeter();
const traffic = syntheticTraffic({ hosts: HOSTS, rows: Number.MAX_SAFE_INTEGER, from: 0, to: 0 });
let waiting: ActivityRequest[] = [];
let flushedAt = 0;
let isDue = false;

answerParent(async (message) => {
  const asked = question.parse(message);
  if (asked.type === 'where') return { url: addressOf(), key: 'none', fleet: 'raw', tail: 'raw' };
  meter.reset();
  const began = performance.now();
  let given = 0;
  for (let elapsed = 0; elapsed < asked.durationMs; elapsed = performance.now() - began) {
    const due = Math.floor((Math.min(elapsed, asked.durationMs) * asked.rowsPerSecond) / 1000) - given;
    for (let index = 0; index < due; index += 1) give();
    given += due;
    await setTimeout(TICK_MS);
  }
  return { rows: given, elapsedMs: performance.now() - began, ...meter.read() };
});

function give(): void {
  const { value } = traffic.next();
  if (!value) throw new Error('the generator does not end');
  waiting.push({ ...value, endedAt: Date.now() });
  if (isDue) return;
  isDue = true;
  // At once when idle, then at most every 100 ms: the same rule as the recorder's.
  void setTimeout(Math.max(0, flushedAt + BATCH_MS - performance.now())).then(flush);
}

function flush(): void {
  isDue = false;
  flushedAt = performance.now();
  const frame = Buffer.from(JSON.stringify(waiting));
  waiting = [];
  for (const socket of sockets.clients) socket.send(frame, { binary: false });
}

function addressOf(): string {
  const address = http.address();
  if (typeof address !== 'object' || address === null) throw new Error('the server does not listen');
  return `http://127.0.0.1:${address.port}`;
}
