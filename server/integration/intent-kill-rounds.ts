import { randomUUID } from 'node:crypto';
import { expect, onTestFinished, vi } from 'vitest';
import { routes } from '#shared/http/routes.ts';
import { must } from '#shared/lib/assert.ts';
import { intentRecord, intentView, isTerminal, type IntentView } from '#shared/schemas/intent.ts';
import type { Era } from '../emulator/era.ts';
import { OutboxDevice } from '../testing/outbox-device.ts';
import { seededRandom } from '../testing/seeded-random.ts';
import { DroverProcess } from './drover-process.ts';
import { EmulatorProcess } from './emulator-process.ts';

const MODEL = 'demo-1';
/** Where nobody can know what runs, whoever unloads says so. */
const CONFIRM = { modelId: MODEL, inFlight: null };

/** One thing that is asked of one host. */
interface Asked {
  readonly id: string;
  readonly host: EmulatorProcess;
  readonly kind: 'model.load' | 'model.unload';
}

/** How what is asked reaches the server. */
interface Way {
  ask(asked: readonly Asked[]): Promise<void>;
  /** The server is back. */
  askAgain(asked: readonly Asked[]): Promise<void>;
  settle(asked: readonly Asked[]): void;
}

/**
 * The server is killed at any moment of an action, round after round, and the device that asked asks again with the
 * same id: over HTTP once more, or by the outbox that it goes on keeping. Whatever it had come to: no intent is lost,
 * each ends once, and the host did nothing twice. Returns which part of them was done.
 */
export async function killDuringIntents(
  rounds: number,
  eras: readonly Era[],
  way: 'http' | 'outbox' = 'http',
): Promise<number> {
  const random = seededRandom(rounds);
  const drover = await DroverProcess.start();
  const hosts = await Promise.all(eras.map((era) => EmulatorProcess.start(era, { models: 2 })));
  for (const host of hosts) await drover.addHost(host.era, host.url);
  const device = way === 'http' ? overHttp(drover) : await byOutbox(drover);
  const sent: Asked[] = [];

  for (let round = 0; round < rounds; round += 1) {
    const kind = round % 2 === 0 ? 'model.load' : 'model.unload';
    const asked = hosts.map((host): Asked => ({ id: randomUUID(), host, kind }));
    sent.push(...asked);
    await device.ask(asked);
    await new Promise((resolve) => setTimeout(resolve, random() * 400));
    await drover.kill('SIGKILL');
    await drover.startAgain();
    await device.askAgain(asked);
    for (const { id } of asked) await ended(drover, id);
    device.settle(asked);
  }

  const views = await Promise.all(sent.map(({ id }) => ended(drover, id)));
  for (const view of views) {
    expect(view.transitions.filter(({ state }) => isTerminal(state))).toHaveLength(1);
    expect(view.transitions.filter(({ state }) => state === 'running').length).toBeLessThanOrEqual(1);
  }
  for (const host of hosts) {
    const effects = (await host.effects()).filter(({ modelId }) => modelId === MODEL);
    for (const [kind, effect] of [
      ['model.load', 'loading'],
      ['model.unload', 'unloaded'],
    ] as const) {
      const asked = sent.filter((one) => one.host === host && one.kind === kind).length;
      expect(effects.filter((one) => one.kind === effect).length).toBeLessThanOrEqual(asked);
    }
  }
  return views.filter(({ state }) => state === 'succeeded').length / views.length;
}

function overHttp(drover: DroverProcess): Way {
  const post = async ({ id, host, kind }: Asked): Promise<void> => {
    const reply = await drover.request('/api/intents', {
      method: 'POST',
      body: { id, kind, ...requestOf(host) },
    });
    expect([200, 202]).toContain(reply.status);
  };
  const all = async (asked: readonly Asked[]): Promise<void> => void (await Promise.all(asked.map(post)));
  return { ask: all, askAgain: all, settle: () => undefined };
}

/** It never asks again: what is in its outbox reaches the server that comes back. */
async function byOutbox(drover: DroverProcess): Promise<Way> {
  const { key } = await drover.createKey('operator');
  const device = new OutboxDevice({
    url: `${drover.url.replace('http', 'ws')}/sync`,
    key,
    nameOf: async () => {
      const reply = await fetch(`${drover.url}/api/info`, { headers: { authorization: `Bearer ${key}` } });
      const { documents } = routes.info.replies[200].parse(await reply.json());
      return must(documents.outbox, 'the name of an outbox');
    },
  });
  onTestFinished(() => device.close());
  return {
    ask: async (asked) =>
      device.put(
        asked.map(({ id, host, kind }) =>
          intentRecord.parse({ v: 1, id, kind, createdAt: Date.now(), epoch: 1, ...requestOf(host) }),
        ),
      ),
    askAgain: () => Promise.resolve(),
    settle: (asked) => device.settle(asked.map(({ id }) => id)),
  };
}

function requestOf({ era }: EmulatorProcess) {
  return {
    target: { hostId: era, modelId: MODEL },
    confirm: { hostId: era, ...CONFIRM },
    whenDown: 'wait',
  } as const;
}

async function ended(drover: DroverProcess, id: string): Promise<IntentView> {
  return await vi.waitFor(
    async () => {
      const reply = await drover.request(`/api/intents/${id}`);
      if (reply.status !== 200) throw new Error(`${id}: ${reply.status}`);
      const view = intentView.parse(await reply.json());
      if (!isTerminal(view.state)) throw new Error(`still ${view.state}: ${view.reason ?? ''}`);
      return view;
    },
    { timeout: 40_000, interval: 50 },
  );
}
