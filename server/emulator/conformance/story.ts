import { ManualClock } from '../../testing/manual-clock.ts';
import { EmulatedHost } from '../emulated-host.ts';
import type { Era } from '../era.ts';
import { RECORDED_CONFIG } from './recorded-config.ts';
import { recordedExchanges, recordedSteps } from './recording.ts';
import type { RecordedExchange, RecordedStep } from './recording.ts';
import { replay } from './replay.ts';
import type { WireAnswer } from './replay.ts';
import { watchEvents } from './watch-events.ts';
import type { WatchedStream } from './watch-events.ts';

/** A recorded request and what the emulator answered; null when it sent no headers before the client gave up. */
export interface Replayed {
  readonly recorded: RecordedExchange;
  readonly answer: WireAnswer | null;
}

/** A story told again: its answers and the event streams that were open meanwhile, numbered as recorded. */
export interface Story {
  readonly replayed: readonly Replayed[];
  readonly streams: ReadonlyMap<number, WatchedStream>;
}

/** Host time per turn of the event loop. */
const STEP_MS = 4;
/** Host time a request has to arrive before the next one is sent. */
const ARRIVAL_MS = 24;
/** Patience of a client that recorded none, in host time. */
const GIVE_UP_MS = 60_000;
/**
 * Of three requests sent within a millisecond the one that reached the host first, where that was not the first one sent:
 * the recorded cancel names the first of them by its id, and this is the one it ended.
 */
const OVERTOOK: Partial<Record<Era, string>> = { v240: '"conc 3"' };
const OVERTAKING_MS = 2;
/** An idle time worth waiting out: ttl, health checks. */
const PAUSE_MS = 3000;

/**
 * Tells the recorded story again to an emulated host of the same era: a request starts when everything that had ended
 * before it in the recording has ended again, so what overlapped overlaps. Time is the story's own. `recordedAs` tells the
 * story of another release.
 */
export async function replayStory(era: Era, recordedAs: Era = era): Promise<Story> {
  const clock = new ManualClock(Date.UTC(2026, 10, 30, 10));
  const sleep = (delayMs: number): Promise<void> => new Promise((resolve) => clock.after(delayMs, resolve));
  const host = new EmulatedHost({ era, config: RECORDED_CONFIG, gpus: 2, clock });
  const stopClock = run(clock);
  await host.start();
  const replayed: Replayed[] = [];
  const streams = new Map<number, WatchedStream>();
  const running = new Map<Promise<void>, number>();
  const settle = async (t: number): Promise<void> => {
    await Promise.all([...running].filter(([, end]) => end <= t).map(([one]) => one));
  };
  try {
    let lastAt = 0;
    for (const event of story(recordedAs)) {
      await settle(event.t);
      if (event.t - lastAt > PAUSE_MS) await sleep(event.t - lastAt);
      lastAt = event.t;
      if ('step' in event) {
        await perform(host, event);
        const connection = connectionAt(recordedAs, event.step);
        if (connection !== null) streams.set(connection, await watchEvents(host.url, 'sk-a'));
        continue;
      }
      const { response, abortedByClientAfterMs } = event;
      const giveUpMs = abortedByClientAfterMs ?? GIVE_UP_MS;
      const one = replayOne(host, event, giveUpMs, replayed).finally(() => running.delete(one));
      const endedAt = event.t + (response?.ms ?? abortedByClientAfterMs ?? 0);
      running.set(one, endedAt);
      lastAt = Math.max(lastAt, endedAt);
      await sleep(ARRIVAL_MS);
    }
    await settle(Infinity);
  } finally {
    await host.stop();
    stopClock();
  }
  return { replayed: replayed.sort((a, b) => a.recorded.t - b.recorded.t), streams };
}

/** Which recorded event stream a step opens; with keys it was the last one. */
function connectionAt(era: Era, step: string): number | null {
  if (step === 'started') return 1;
  if (step === 'second client') return 2;
  if (step.startsWith('sse after reload')) return 3;
  if (step === 'restart') return 5;
  return step === 'start with apiKeys' && era !== 'v150' ? 6 : null;
}

async function replayOne(
  host: EmulatedHost,
  recorded: RecordedExchange,
  giveUpMs: number,
  into: Replayed[],
): Promise<void> {
  const answer = await replay(host, adapt(host, recorded.request), giveUpMs);
  into.push({ recorded, answer });
}

function story(era: Era): readonly (RecordedExchange | RecordedStep)[] {
  const overtook = OVERTOOK[era];
  const arrivedAt = (event: RecordedExchange | RecordedStep): number => {
    const first = overtook !== undefined && 'request' in event && event.request.body?.includes(overtook);
    return event.t - (first ? OVERTAKING_MS : 0);
  };
  return [...recordedSteps(era), ...recordedExchanges(era)].sort((a, b) => arrivedAt(a) - arrivedAt(b));
}

async function perform(host: EmulatedHost, { step }: RecordedStep): Promise<void> {
  switch (step) {
    case 'config reload':
      return host.reload();
    case 'bad config reload':
      host.reloadInvalid();
      return host.reload();
    case 'restart':
      return host.restart();
    case 'start with apiKeys':
      await host.kill();
      await host.start();
      return host.setApiKeys(['sk-a', 'sk-b']);
    default:
  }
}

/** Times of the recording mean nothing now: `after` asks for what there is since ten host seconds ago. */
function adapt(host: EmulatedHost, request: RecordedExchange['request']): RecordedExchange['request'] {
  if (!request.path.startsWith('/api/performance?after=2026-11-30T10%3A')) return request;
  const after = new Date(host.time.now() - 10_000).toISOString();
  return { ...request, path: `/api/performance?after=${encodeURIComponent(after)}` };
}

/** Host time passes as fast as this process can turn its event loop, and stands still while the process does. */
function run(clock: ManualClock): () => void {
  let running = true;
  const turn = (): void => {
    if (!running) return;
    clock.advance(STEP_MS);
    setImmediate(() => setImmediate(turn));
  };
  setImmediate(turn);
  return () => (running = false);
}
