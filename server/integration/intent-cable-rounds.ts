import type { Era } from '../emulator/era.ts';
import { seededRandom } from '../testing/seeded-random.ts';
import { askOf, ended, expectEachOnce, outboxDevice, putAsked, type Asked } from './asked-intents.ts';
import { cable, cutFor, STABLE_MS } from './cable-rounds.ts';
import { pause } from './convergence.ts';
import { DroverProcess } from './drover-process.ts';
import { EmulatorProcess } from './emulator-process.ts';

/** What a host that keeps being cut may cost an intent: the longest wait between two attempts, and the action. */
const END_MS = 90_000;

/**
 * One device asks of several hosts, one thing after the other of each, while its own cable is cut and the cable behind
 * which each host stands is cut too: before, during and after the host does it. No intent is lost, each ends once, and
 * no host did anything twice. `rounds`: cuts of each kind, those of the hosts shared among them. `patient`: between two
 * cuts a host's connection is left long enough to be a stable one, as over hours. Returns which part was done.
 */
export async function cutDuringIntents(
  rounds: number,
  { eras, patient }: { readonly eras: readonly Era[]; readonly patient: boolean },
): Promise<number> {
  const drover = await DroverProcess.start();
  const own = await cable(drover.port);
  const device = await outboxDevice(drover, `http://127.0.0.1:${own.port}`);
  const sent: Asked[] = [];

  const hostStory = async (era: Era, at: number): Promise<void> => {
    const random = seededRandom(at + 1);
    const host = await EmulatorProcess.start(era, { models: 2 });
    const link = await cable(host.port);
    await drover.addHost(era, `http://127.0.0.1:${link.port}`);
    for (let round = 0; round < Math.ceil(rounds / eras.length); round += 1) {
      const asked = askOf(host, round);
      sent.push(asked);
      putAsked(device, [asked]);
      await pause(random() * 400);
      await cutFor(link, random, 400);
      await ended(drover, asked.id, END_MS);
      device.settle([asked.id]);
      if (patient) await pause(STABLE_MS);
    }
  };
  const deviceStory = async (over: AbortSignal): Promise<void> => {
    const random = seededRandom(eras.length + 1);
    for (let cuts = 0; cuts < rounds || !over.aborted; cuts += 1) {
      await pause(50 + random() * 400);
      await cutFor(own, random, 300);
    }
  };
  const over = new AbortController();
  const hostStories = Promise.all(eras.map(hostStory)).finally(() => over.abort());
  await Promise.all([hostStories, deviceStory(over.signal)]);
  return expectEachOnce(drover, sent);
}
