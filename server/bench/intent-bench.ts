import { setTimeout } from 'node:timers/promises';
import { z } from 'zod';
import { fleetKey } from '#sync/fleet-record.ts';
import type { OutboxDevice } from '../testing/outbox-device.ts';
import { type BenchPart, atLeast, atMost, shown } from './budget.ts';
import { startChild } from './child.ts';
import { FrameClient } from './frame-client.ts';
import { Observer, resumeRecord, startDevice } from './intent-devices.ts';
import { percentile } from './percentile.ts';
import { cpuSeconds } from './process-cpu.ts';
import { startProduct } from './product.ts';

const CLIENTS = 100;
const INTENTS = 200;
/** A person now and then, many of them: an intent every so often from anybody. */
const EVERY_MS = 100;
const GROWTH_INTENTS = 2_000;
const GROWTH_BATCH = 50;

const info = z.object({ documents: z.object({ fleet: z.string() }) });

/** A hundred devices with an outbox and the fleet each, on the real server. */
export const intentBench: BenchPart = {
  name: 'intents: outbox to ledger',
  async run(scratch) {
    const fleet = await startChild(scratch, new URL('./emulated-fleet.ts', import.meta.url), { args: ['1'] });
    const product = await startProduct(scratch, { dataDir: scratch.directory(), metered: false });
    try {
      const [url] = await fleet.ask({ type: 'where' }, z.array(z.string()));
      await product.post('/api/hosts', { id: 'host-0', label: 'host 0', url });
      const { documents } = await product.get('/api/info', info);
      const observer = await Observer.start(scratch, product);
      const devices: OutboxDevice[] = [];
      for (let index = 0; index < CLIENTS; index += 1) {
        devices.push(await startDevice(scratch, product));
        await new FrameClient({ url: product.url, document: documents.fleet, key: product.key }, false).ready;
      }
      await measured(observer, devices.slice(0, 1), 5);

      const waits = await measured(observer, devices, INTENTS);
      const together = await measured(observer, devices, CLIENTS, 0);
      const cpuBefore = cpuSeconds(product.pid);
      const growth = await grow(observer, devices[0]);
      const cpuMs = ((cpuSeconds(product.pid) - cpuBefore) * 1000) / GROWTH_INTENTS;
      return [
        atMost(
          'intent → received, p95',
          250,
          'ms',
          percentile(waits, 0.95),
          `${CLIENTS} devices with the fleet each, ${INTENTS} intents, one every ${EVERY_MS} ms; as a replica shows it`,
        ),
        shown('  median', 'ms', percentile(waits, 0.5)),
        shown(`  p95 when all ${CLIENTS} ask in the same moment`, 'ms', percentile(together, 0.95)),
        atMost(
          `outbox while ${GROWTH_INTENTS.toLocaleString('en')} intents pass`,
          64,
          'KB',
          growth.largestBytes / 1024,
          `the largest it ever was, ${GROWTH_BATCH} at a time, each taken out when it had ended`,
        ),
        atLeast('  epochs it had meanwhile', 2, 'epochs', growth.epochs),
        shown('  intents a second', '/s', growth.perSecond),
        shown(
          '  CPU of the server for one, from its receipt to its end',
          'ms',
          cpuMs,
          `told to ${CLIENTS} sockets at each step`,
        ),
      ];
    } finally {
      await product.stop();
      await fleet.stop();
    }
  },
};

/** Has devices ask in turn; returns how long each record took from the device to a replica of the ledger. */
async function measured(
  observer: Observer,
  devices: readonly OutboxDevice[],
  count: number,
  everyMs = EVERY_MS,
): Promise<readonly number[]> {
  const asked: { readonly id: string; readonly at: number }[] = [];
  for (let index = 0; index < count; index += 1) {
    const record = resumeRecord('host-0');
    asked.push({ id: record.id, at: performance.now() });
    devices[index % devices.length]?.put([record]);
    if (everyMs > 0) await setTimeout(everyMs);
  }
  const times = await observer.times(asked.map(({ id }) => fleetKey.ledger(id)));
  asked.forEach(({ id }, index) => devices[index % devices.length]?.settle([id]));
  return times.map((time, index) => time - (asked[index]?.at ?? Number.NaN));
}

async function grow(observer: Observer, device: OutboxDevice | undefined) {
  if (!device) throw new Error('a device');
  const began = performance.now();
  const before = device.names.length;
  let largestBytes = 0;
  for (let sent = 0; sent < GROWTH_INTENTS; sent += GROWTH_BATCH) {
    const records = Array.from({ length: GROWTH_BATCH }, () => resumeRecord('host-0'));
    device.put(records);
    const ids = records.map(({ id }) => id);
    await observer.times(ids.map(fleetKey.ledger));
    device.settle(ids);
    largestBytes = Math.max(largestBytes, device.documentBytes);
  }
  const seconds = (performance.now() - began) / 1000;
  return { largestBytes, epochs: device.names.length - before + 1, perSecond: GROWTH_INTENTS / seconds };
}
