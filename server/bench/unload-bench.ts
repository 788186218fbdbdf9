import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { intentRecord } from '#shared/schemas/intent-request.ts';
import { fleetKey } from '#sync/fleet-record.ts';
import { type BenchPart, atMost, shown } from './budget.ts';
import { startChild } from './child.ts';
import { Observer, startDevice } from './intent-devices.ts';
import { percentile } from './percentile.ts';
import { startProduct } from './product.ts';

const ROUNDS = 20;
const HOST = 'host-0';
const effects = z.object({
  effects: z.array(z.object({ kind: z.string(), modelId: z.nullable(z.string()), at: z.number() })),
});
const models = z.object({ models: z.array(z.object({ id: z.string() })) });

/** One device unloads an idle model, and another one sees it gone. */
export const unloadBench: BenchPart = {
  name: 'intents: unload seen elsewhere',
  async run(scratch) {
    const fleet = await startChild(scratch, new URL('./emulated-fleet.ts', import.meta.url), { args: ['3'] });
    const product = await startProduct(scratch, { dataDir: scratch.directory(), metered: false });
    try {
      const [, , url = ''] = await fleet.ask({ type: 'where' }, z.array(z.string()));
      await product.post('/api/hosts', { id: HOST, label: HOST, url });
      const observer = await Observer.start(scratch, product);
      const device = await startDevice(scratch, product);
      const modelId = await firstModel(url);
      const key = fleetKey.model(HOST, modelId);
      await observer.untilModel(key, 'stopped');
      const over: number[] = [];
      const host: number[] = [];
      for (let round = 0; round < ROUNDS; round += 1) {
        await command(url, 'load', { modelId });
        await observer.untilModel(key, 'ready');
        const record = intentRecord.parse({
          v: 1,
          id: randomUUID(),
          kind: 'model.unload',
          target: { hostId: HOST, modelId },
          createdAt: Date.now(),
          epoch: 1,
        });
        const began = performance.now();
        device.put([record]);
        const seen = await observer.untilModel(key, 'stopped');
        const ownMs = await stopTook(url, modelId);
        host.push(ownMs);
        over.push(seen - began - ownMs);
        device.settle([record.id]);
      }
      return [
        atMost(
          'unload → seen on a second device, p95 over the host’s own time',
          500,
          'ms',
          percentile(over, 0.95),
          `${ROUNDS} rounds; from the outbox of one device to the fleet document of another`,
        ),
        shown('  median', 'ms', percentile(over, 0.5)),
        shown('  the host’s own time, median', 'ms', percentile(host, 0.5)),
      ];
    } finally {
      await product.stop();
      await fleet.stop();
    }
  },
};

async function firstModel(url: string): Promise<string> {
  const state = models.parse(await (await fetch(`${url}/_emulator/state`)).json());
  return state.models[0]?.id ?? '';
}

async function command(url: string, name: string, body: unknown): Promise<void> {
  const reply = await fetch(`${url}/_emulator/${name}`, { method: 'POST', body: JSON.stringify(body) });
  if (!reply.ok) throw new Error(`${name}: ${await reply.text()}`);
}

/** From the moment the host began to stop the model until it had. */
async function stopTook(url: string, modelId: string): Promise<number> {
  const all = effects.parse(await (await fetch(`${url}/_emulator/effects`)).json()).effects;
  const at = (kind: string): number =>
    all.findLast((effect) => effect.kind === kind && effect.modelId === modelId)?.at ?? Number.NaN;
  return at('unloaded') - at('unloading');
}
