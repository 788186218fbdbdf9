import { expect } from 'vitest';
import type { Era } from '../emulator/era.ts';
import { seededRandom } from '../testing/seeded-random.ts';
import {
  askOf,
  ended,
  expectEachOnce,
  outboxDevice,
  putAsked,
  requestOf,
  type Asked,
} from './asked-intents.ts';
import { pause } from './convergence.ts';
import { DroverProcess } from './drover-process.ts';
import { EmulatorProcess } from './emulator-process.ts';

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
    const asked = hosts.map((host) => askOf(host, round));
    sent.push(...asked);
    await device.ask(asked);
    await pause(random() * 400);
    await drover.kill('SIGKILL');
    await drover.startAgain();
    await device.askAgain(asked);
    for (const { id } of asked) await ended(drover, id);
    device.settle(asked);
  }
  return expectEachOnce(drover, sent);
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
  const device = await outboxDevice(drover);
  return {
    ask: async (asked) => putAsked(device, asked),
    askAgain: () => Promise.resolve(),
    settle: (asked) => device.settle(asked.map(({ id }) => id)),
  };
}
