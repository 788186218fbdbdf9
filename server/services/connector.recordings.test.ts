import { setImmediate } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { createLlamaSwapClient } from '../adapters/llama-swap-client.ts';
import type { HostConfig, LlamaSwapClient } from '../domain/ports.ts';
import { FleetMemory } from '../testing/fleet-memory.ts';
import { ManualClock } from '../testing/manual-clock.ts';
import { cutBytes } from '../testing/read-events.ts';
import {
  forgetsRowsAfter,
  rowRuns,
  STORY_CRASH,
  STORY_OUT_OF_MEMORY,
  STORY_ROWS,
  storyConnections,
  storyOfStuck,
  transitionsOf,
  type RecordedVersion,
} from '../testing/recorded-story.ts';
import { RECORDED_VERSIONS, type RecordedConnection } from '../testing/recordings.ts';
import { ReplayedHost } from '../testing/replayed-host.ts';
import { seededRandom } from '../testing/seeded-random.ts';
import { silentLog } from '../testing/silent-log.ts';
import { Collector } from './collector.ts';

interface Played {
  readonly fleet: FleetMemory;
  readonly host: ReplayedHost;
}

const stops: (() => void | Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0).toReversed()) await stop();
});

/** Counts what is under way, so that a test can wait for it instead of sleeping. */
class Watched {
  outstanding = 0;
  frames = 0;

  client(inner: LlamaSwapClient): LlamaSwapClient {
    const count = async <T>(call: Promise<T>): Promise<T> => {
      this.outstanding += 1;
      try {
        return await call;
      } finally {
        this.outstanding -= 1;
      }
    };
    return {
      secrets: () => inner.secrets(),
      openEvents: (listener, signal) =>
        inner.openEvents(
          {
            onOpen: (info) => listener.onOpen(info),
            onBytes: (bytes) => listener.onBytes(bytes),
            onEvent: (event) => {
              this.frames += 1;
              listener.onEvent(event);
            },
            onLogsDropped: (dropped) => listener.onLogsDropped(dropped),
            onClosed: (end) => listener.onClosed(end),
          },
          signal,
        ),
      probe: (known, signal) => count(inner.probe(known, signal)),
      ping: (features, signal) => count(inner.ping(features, signal)),
      metrics: (signal) => count(inner.metrics(signal)),
      activityAfter: (afterId, options, signal) => count(inner.activityAfter(afterId, options, signal)),
      performance: (after, signal) => count(inner.performance(after, signal)),
      profiles: (signal) => count(inner.profiles(signal)),
      running: (signal) => count(inner.running(signal)),
      modelLogLines: (modelId, signal) => count(inner.modelLogLines(modelId, signal)),
      loggedPing: (signal) => count(inner.loggedPing(signal)),
    };
  }
}

type Cut = (connection: RecordedConnection) => Iterable<readonly [afterMs: number, bytes: Uint8Array]>;

/** As it was recorded: the chunks, and the time between them. */
function* asRecorded({ chunks, chunkTimes }: RecordedConnection): Generator<readonly [number, Uint8Array]> {
  for (const [index, chunk] of chunks.entries()) {
    const at = chunkTimes[index] ?? 0;
    yield [at - (chunkTimes[index - 1] ?? at), chunk];
  }
}

/** The same bytes at once, cut anew. */
function recut(nextSize: () => number): Cut {
  return function* pieces({ bytes }) {
    for (const piece of cutBytes(bytes, nextSize)) yield [0, piece];
  };
}

async function play(version: RecordedVersion, cut: Cut): Promise<Played> {
  const host = await ReplayedHost.start(version);
  stops.push(() => host.stop());
  const clock = new ManualClock();
  const fleet = new FleetMemory();
  const watched = new Watched();
  const config: HostConfig = {
    id: 'marlin',
    label: 'Marlin',
    url: host.url,
    paused: false,
    managedByFile: false,
    demo: false,
    keySource: null,
  };
  const client = createLlamaSwapClient({ url: host.url, key: () => null, clock });
  const collector = new Collector({
    clientFor: () => watched.client(client),
    sink: fleet,
    store: fleet,
    clock,
    log: silentLog(),
    random: () => 0,
  });
  stops.push(
    () => client.close(),
    () => collector.stop(),
  );

  const turns = async (condition: () => boolean) => {
    for (let turn = 0; !condition(); turn += 1) {
      if (turn > 200_000) throw new Error('what was waited for did not happen');
      await setImmediate();
    }
  };
  const settled = () => turns(() => watched.outstanding === 0 && watched.frames === host.framesSent);
  const pass = async (durationMs: number) => {
    for (let left = durationMs; left > 0; left -= 1_000) {
      clock.advance(Math.min(left, 1_000));
      await settled();
    }
  };

  collector.start([config]);
  for (const connection of storyConnections(version)) {
    for (let waited = 0; !host.isOpen; waited += 100) {
      if (waited > 60_000) throw new Error(`no stream for ${connection.name}`);
      clock.advance(100);
      for (let turn = 0; turn < 20 && !host.isOpen; turn += 1) await setImmediate();
    }
    await turns(() => collector.status('marlin')?.liveness === 'connected');
    await settled();
    for (const [afterMs, bytes] of cut(connection)) {
      await pass(afterMs);
      host.send(bytes);
    }
    await settled();
    await pass(3_000);
    host.endStream(connection.closedBy === 'server end' ? 'end' : 'cut');
    if (forgetsRowsAfter(version, connection)) host.forgetRows();
    await turns(() => collector.status('marlin')?.liveness !== 'connected');
  }
  return { fleet, host };
}

describe.each(RECORDED_VERSIONS)('the recording of %s', (version) => {
  it('gives its rows once, in the right id epochs, without a gap, and every transition', async () => {
    const { fleet, host } = await play(version, asRecorded);
    expect(rowRuns(fleet.rows)).toEqual(STORY_ROWS[version]);
    expect(fleet.gaps()).toEqual([]);
    expect(transitionsOf(fleet.events, 'oom')).toEqual(STORY_OUT_OF_MEMORY);
    const failed = fleet.events.filter((event) => event.modelId === 'oom' && event.reason !== null);
    expect(failed).toHaveLength(2);
    expect(transitionsOf(fleet.events, 'org/chat-q4').slice(0, 4)).toEqual(STORY_CRASH);
    expect(transitionsOf(fleet.events, 'stuck')).toEqual(storyOfStuck(version));
    // Nothing for monitoring touches a model, and nothing asks what can only be answered by loading one.
    expect(host.requests.filter((path) => /^\/(upstream|props|v1|unload)/.test(path))).toEqual([]);
    const polls = new Set(
      host.requests.filter((path) => isPoll(host.requests, path)).map((path) => path.split('?')[0]),
    );
    expect([...polls].filter((path) => path !== '/wol-health' && path !== '/api/performance')).toEqual([]);
  });

  it('gives the same however its bytes are cut', async () => {
    const random = seededRandom(7);
    const cuts = [recut(() => 17), recut(() => 64), recut(() => 1 + Math.floor(random() ** 3 * 20_000))];
    for (const cut of cuts) {
      const { fleet } = await play(version, cut);
      expect(rowRuns(fleet.rows)).toEqual(STORY_ROWS[version]);
      expect(fleet.gaps()).toEqual([]);
      expect(transitionsOf(fleet.events, 'oom')).toEqual(STORY_OUT_OF_MEMORY);
    }
  });
});

/** Asked more often than once for each connection and each piece of news. */
function isPoll(requests: readonly string[], path: string): boolean {
  const [pathname] = path.split('?');
  const once = [
    '/api/events',
    '/status',
    '/api/version',
    '/running',
    '/api/metrics',
    '/api/metrics/activity',
    '/api/profiles',
    '/api/hardware',
    '/api/events/logs',
  ];
  if (pathname === undefined || once.includes(pathname) || pathname.startsWith('/logs/stream/')) return false;
  return requests.filter((other) => other.split('?')[0] === pathname).length > 1;
}
