import { randomUUID } from 'node:crypto';
import { expect, vi } from 'vitest';
import { intentView, isTerminal, type IntentView } from '#shared/schemas/intent.ts';
import type { Era } from '../emulator/era.ts';
import { seededRandom } from '../testing/seeded-random.ts';
import { DroverProcess } from './drover-process.ts';
import { EmulatorProcess } from './emulator-process.ts';

const MODEL = 'demo-1';
/** Where nobody can know what runs, whoever unloads says so. */
const CONFIRM = { modelId: MODEL, inFlight: null };

/**
 * The server is killed at any moment of an action, round after round, and the device that asked asks again with the
 * same id. Whatever it had come to: no intent is lost, each ends once, and the host did nothing twice. Returns which
 * part of them was done.
 */
export async function killDuringIntents(rounds: number, eras: readonly Era[]): Promise<number> {
  const random = seededRandom(rounds);
  const drover = await DroverProcess.start();
  const hosts = await Promise.all(eras.map((era) => EmulatorProcess.start(era, { models: 2 })));
  for (const host of hosts) await drover.addHost(host.era, host.url);
  const sent: { readonly id: string; readonly host: EmulatorProcess; readonly kind: string }[] = [];

  for (let round = 0; round < rounds; round += 1) {
    const kind = round % 2 === 0 ? 'model.load' : 'model.unload';
    const asked = hosts.map((host) => ({ id: randomUUID(), host, kind }));
    sent.push(...asked);
    await Promise.all(asked.map((one) => ask(drover, one)));
    await new Promise((resolve) => setTimeout(resolve, random() * 400));
    await drover.kill('SIGKILL');
    await drover.startAgain();
    await Promise.all(asked.map((one) => ask(drover, one)));
    for (const { id } of asked) await ended(drover, id);
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

async function ask(
  drover: DroverProcess,
  { id, host, kind }: { readonly id: string; readonly host: EmulatorProcess; readonly kind: string },
): Promise<void> {
  const target = { hostId: host.era, modelId: MODEL };
  const confirm = { hostId: host.era, ...CONFIRM };
  const reply = await drover.request('/api/intents', {
    method: 'POST',
    body: { id, kind, target, confirm, whenDown: 'wait' },
  });
  expect([200, 202]).toContain(reply.status);
}

async function ended(drover: DroverProcess, id: string): Promise<IntentView> {
  return await vi.waitFor(
    async () => {
      const view = intentView.parse(await (await drover.request(`/api/intents/${id}`)).json());
      if (!isTerminal(view.state)) throw new Error(`still ${view.state}: ${view.reason ?? ''}`);
      return view;
    },
    { timeout: 40_000, interval: 50 },
  );
}
