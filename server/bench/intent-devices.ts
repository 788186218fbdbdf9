import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { WebsocketProvider } from 'y-websocket';
import * as Y from 'yjs';
import { z } from 'zod';
import { must } from '#shared/lib/assert.ts';
import { intentRecord, type IntentRecord } from '#shared/schemas/intent-request.ts';
import { fleetEntries, readFleet } from '#sync/fleet-doc.ts';
import { OutboxDevice } from '../testing/outbox-device.ts';
import type { Product } from './product.ts';
import type { Scratch } from './scratch.ts';

const madeKey = z.object({ key: z.string() });
const info = z.object({ documents: z.object({ fleet: z.string(), outbox: z.optional(z.string()) }) });

// Each y-websocket client listens for the end of the process.
process.setMaxListeners(0);

/** Where the product's documents are. */
export function syncUrl(product: Product): string {
  return `${product.url.replace('http', 'ws')}/sync`;
}

/** A device with an outbox of its own: an operator's key and the unchanged y-websocket client. */
export async function startDevice(scratch: Scratch, product: Product): Promise<OutboxDevice> {
  const reply = await fetch(`${product.url}/api/keys`, {
    method: 'POST',
    headers: { cookie: product.cookie, 'content-type': 'application/json' },
    body: JSON.stringify({ label: 'a device', role: 'operator' }),
  });
  const { key } = madeKey.parse(await reply.json());
  const device = new OutboxDevice({
    url: syncUrl(product),
    key,
    nameOf: async () => {
      const headers = { authorization: `Bearer ${key}` };
      const { documents } = info.parse(await (await fetch(`${product.url}/api/info`, { headers })).json());
      return must(documents.outbox, 'the name of an outbox');
    },
  });
  scratch.onEnd(() => device.close());
  return device;
}

/** Somebody else's replica of the fleet document, with the time at which each entry was last written there. */
export class Observer {
  readonly #provider: WebsocketProvider;
  readonly #seen = new Map<string, number>();
  readonly #doc = new Y.Doc();

  private constructor(scratch: Scratch, product: Product, document: string) {
    fleetEntries(this.#doc).observe(({ changes }) => {
      const now = performance.now();
      for (const { insert } of changes.delta) {
        for (const entry of Array.isArray(insert) ? insert : []) {
          const { k } = z.object({ k: z.string() }).parse(entry);
          // The first time counts: a ledger's entry is written again at each step.
          if (!k.startsWith('ledger/') || !this.#seen.has(k)) this.#seen.set(k, now);
        }
      }
    });
    this.#provider = new WebsocketProvider(syncUrl(product), document, this.#doc, {
      params: { key: product.key },
      disableBc: true,
    });
    scratch.onEnd(() => {
      this.#provider.destroy();
      this.#provider.awareness.destroy();
    });
  }

  static async start(scratch: Scratch, product: Product): Promise<Observer> {
    const { documents } = await product.get('/api/info', info);
    const observer = new Observer(scratch, product, documents.fleet);
    while (!observer.#provider.synced) await setTimeout(5);
    return observer;
  }

  /** Waits until entries are there; returns when each of them came. */
  async times(keys: readonly string[], limitMs = 60_000): Promise<readonly number[]> {
    const began = performance.now();
    while (!keys.every((key) => this.#seen.has(key))) {
      if (performance.now() - began > limitMs) throw new Error('not every entry came');
      await setTimeout(2);
    }
    return keys.map((key) => this.#seen.get(key) ?? Number.NaN);
  }

  /** Waits until a model is in a state; returns when that came. */
  async untilModel(key: string, state: string): Promise<number> {
    for (const began = performance.now(); performance.now() - began < 30_000; await setTimeout(1)) {
      const model = z.object({ state: z.string() }).safeParse(readFleet(this.#doc).get(key));
      if (model.success && model.data.state === state) return this.#seen.get(key) ?? Number.NaN;
    }
    throw new Error(`${key} never became ${state}`);
  }
}

/** A record of an action that ends by itself at once. */
export function resumeRecord(hostId: string): IntentRecord {
  return intentRecord.parse({
    v: 1,
    id: randomUUID(),
    kind: 'host.resume',
    target: { hostId },
    createdAt: Date.now(),
    epoch: 1,
  });
}
