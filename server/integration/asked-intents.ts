import { randomUUID } from 'node:crypto';
import { expect, onTestFinished, vi } from 'vitest';
import { routes } from '#shared/http/routes.ts';
import { must } from '#shared/lib/assert.ts';
import { intentView, isTerminal, type IntentView } from '#shared/schemas/intent.ts';
import { intentRecord } from '#shared/schemas/intent-request.ts';
import { OutboxDevice } from '../testing/outbox-device.ts';
import type { DroverProcess } from './drover-process.ts';
import type { EmulatorProcess } from './emulator-process.ts';

const MODEL = 'demo-1';
/** Where nobody can know what runs, whoever unloads says so. */
const CONFIRM = { modelId: MODEL, inFlight: null };

/** One thing that is asked of one host. */
export interface Asked {
  readonly id: string;
  readonly host: EmulatorProcess;
  readonly kind: 'model.load' | 'model.unload';
}

/** The `count`-th thing asked of a host: a load and an unload in turn, so that each has something to do. */
export function askOf(host: EmulatorProcess, count: number): Asked {
  return { id: randomUUID(), host, kind: count % 2 === 0 ? 'model.load' : 'model.unload' };
}

/** What is asked of which host, as the ledger and an outbox take it. */
export function requestOf({ era }: EmulatorProcess) {
  return {
    target: { hostId: era, modelId: MODEL },
    confirm: { hostId: era, ...CONFIRM },
    whenDown: 'wait',
  } as const;
}

/** A device of an operator that puts what it asks into its outbox, at the server or at a cable in front of it. */
export async function outboxDevice(drover: DroverProcess, url = drover.url): Promise<OutboxDevice> {
  const { key } = await drover.createKey('operator');
  const device = new OutboxDevice({
    url: `${url.replace('http', 'ws')}/sync`,
    key,
    nameOf: async () => {
      const reply = await fetch(`${url}/api/info`, { headers: { authorization: `Bearer ${key}` } });
      const { documents } = routes.info.replies[200].parse(await reply.json());
      return must(documents.outbox, 'the name of an outbox');
    },
  });
  onTestFinished(() => device.close());
  return device;
}

/** Writes these into the device's outbox. */
export function putAsked(device: OutboxDevice, asked: readonly Asked[]): void {
  device.put(
    asked.map(({ id, host, kind }) =>
      intentRecord.parse({ v: 1, id, kind, createdAt: Date.now(), epoch: 1, ...requestOf(host) }),
    ),
  );
}

/** Waits until an intent has ended, and returns how. */
export async function ended(drover: DroverProcess, id: string, timeout = 40_000): Promise<IntentView> {
  return await vi.waitFor(
    async () => {
      const reply = await drover.request(`/api/intents/${id}`);
      if (reply.status !== 200) throw new Error(`${id}: ${reply.status}`);
      const view = intentView.parse(await reply.json());
      if (!isTerminal(view.state)) throw new Error(`still ${view.state}: ${view.reason ?? ''}`);
      return view;
    },
    { timeout, interval: 50 },
  );
}

/**
 * Each intent ended, once, and by the hosts' own count nothing was done more often than asked, nor less often than is
 * claimed. Returns which part of them was done.
 */
export async function expectEachOnce(drover: DroverProcess, sent: readonly Asked[]): Promise<number> {
  const views = await Promise.all(sent.map(({ id }) => ended(drover, id)));
  for (const view of views) {
    expect(view.transitions.filter(({ state }) => isTerminal(state))).toHaveLength(1);
    expect(view.transitions.filter(({ state }) => state === 'running').length).toBeLessThanOrEqual(1);
  }
  for (const host of new Set(sent.map((one) => one.host))) {
    const effects = (await host.effects()).filter(({ modelId }) => modelId === MODEL);
    for (const [kind, effect] of [
      ['model.load', 'loading'],
      ['model.unload', 'unloaded'],
    ] as const) {
      const asked = sent.filter((one) => one.host === host && one.kind === kind).length;
      const done = effects.filter((one) => one.kind === effect).length;
      expect(done, `${host.era}: ${effect}`).toBeLessThanOrEqual(asked);
      expect(done, `${host.era}: ${effect}`).toBeGreaterThan(0);
    }
  }
  return views.filter(({ state }) => state === 'succeeded').length / views.length;
}
