import { setImmediate } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { createLlamaSwapClient } from '../adapters/llama-swap-client.ts';
import type { HostConfig, LlamaSwapClient } from '../domain/ports.ts';
import { FleetMemory } from '../testing/fleet-memory.ts';
import { ManualClock } from '../testing/manual-clock.ts';
import { cutBytes } from '../testing/read-events.ts';
import { readConnections, RECORDED_VERSIONS, type RecordedConnection } from '../testing/recordings.ts';
import { ReplayedHost } from '../testing/replayed-host.ts';
import { seededRandom } from '../testing/seeded-random.ts';
import { silentLog } from '../testing/silent-log.ts';
import { Collector } from './collector.ts';

type Version = (typeof RECORDED_VERSIONS)[number];

/** Rows of each connection that the recording's story has: start to reload, after it, after the bad config, restarts. */
const ROWS: Record<Version, readonly string[]> = {
  v150: ['0/0…12', '1/0', '2/0'],
  v200: ['0/0…22', '1/0', '2/0', '3/0'],
  v217: ['0/0…26', '1/0', '2/0', '3/0', '4/0'],
  v228: ['0/0…30', '1/0', '2/0', '3/0', '4/0'],
  v235: ['0/0…30', '1/0', '2/0', '3/0', '4/0'],
  // From v236 a reload keeps the rows and their count; a restart does not.
  v240: ['0/1…33', '1/1', '2/1'],
  v250: ['0/1…35', '1/1', '2/1'],
  main: ['0/1…35', '1/1', '2/1'],
};

/** Versions whose rows outlive a reload. */
const KEEPS_ROWS: ReadonlySet<Version> = new Set(['v240', 'v250', 'main']);

const OOM_TWICE = [
  'stopped→starting',
  'starting→stopped (CUDA error: out of memory)',
  'stopped→starting',
  'starting→stopped (CUDA error: out of memory)',
];

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

async function play(version: Version, cut: Cut): Promise<Played> {
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
  for (const connection of readConnections(version).filter(({ name }) => !name.endsWith('events-2.sse'))) {
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
    // Up to v235 a reload forgets as a restart does; from v236 the fourth connection is the last before one.
    if (KEEPS_ROWS.has(version) ? /events-[456]/.test(connection.name) : true) host.forgetRows();
    await turns(() => collector.status('marlin')?.liveness !== 'connected');
  }
  return { fleet, host };
}

/** `0/0…12` for rows in one run. */
function runs(fleet: FleetMemory): string[] {
  const byEpoch = Map.groupBy(fleet.requests('marlin'), (row) => row.idEpoch);
  return [...byEpoch].map(([idEpoch, rows]) => {
    const ids = rows.map((row) => row.id).sort((a, b) => a - b);
    const [first, last] = [ids[0] ?? 0, ids.at(-1) ?? 0];
    expect(ids).toEqual(Array.from({ length: last - first + 1 }, (_, index) => first + index));
    return first === last ? `${idEpoch}/${first}` : `${idEpoch}/${first}…${last}`;
  });
}

function eventsOf(fleet: FleetMemory, modelId: string): string[] {
  return fleet
    .eventNames()
    .filter((name) => name.startsWith(`${modelId} `))
    .map((name) => name.slice(modelId.length + 1));
}

describe.each(RECORDED_VERSIONS)('the recording of %s', (version) => {
  it('gives its rows once, in the right id epochs, without a gap, and every transition', async () => {
    const { fleet, host } = await play(version, asRecorded);
    expect(runs(fleet)).toEqual(ROWS[version]);
    expect(fleet.gaps()).toEqual([]);
    expect(eventsOf(fleet, 'oom')).toEqual(OOM_TWICE);
    const failed = fleet.events.filter((event) => event.modelId === 'oom' && event.reason !== null);
    expect(failed).toHaveLength(2);
    // A ready model whose process dies is stopped, whether the host says so (v218+) or only its log does.
    expect(eventsOf(fleet, 'org/chat-q4').slice(0, 4)).toEqual([
      'stopped→starting',
      'starting→ready',
      'ready→stopped',
      'stopped→starting',
    ]);
    // Its start was never healthy: v150 cannot unload one model, so it timed out; later ones were told to unload it.
    const stuck = eventsOf(fleet, 'stuck');
    expect(stuck).toEqual(['stopped→starting', STUCK[version]]);
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
      expect(runs(fleet)).toEqual(ROWS[version]);
      expect(fleet.gaps()).toEqual([]);
      expect(eventsOf(fleet, 'oom')).toEqual(OOM_TWICE);
    }
  });
});

const STUCK: Record<Version, string> = {
  v150: 'starting→stopped (The health check timed out after 15 s.)',
  v200: 'starting→stopped',
  v217: 'starting→stopped',
  v228: 'starting→stopped',
  v235: 'starting→stopped',
  v240: 'starting→stopped',
  v250: 'starting→stopped',
  main: 'starting→stopped',
};

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
