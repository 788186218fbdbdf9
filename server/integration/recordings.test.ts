import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import type { RecordedConnection } from '../testing/recordings.ts';
import { RECORDED_VERSIONS } from '../testing/recordings.ts';
import {
  forgetsRowsAfter,
  rowRuns,
  STORY_CRASH,
  STORY_OUT_OF_MEMORY,
  STORY_ROWS,
  storyConnections,
  transitionsOf,
  type RecordedVersion,
} from '../testing/recorded-story.ts';
import { ReplayedHost } from '../testing/replayed-host.ts';
import { connectReplicas, expectConverged, pause, until } from './convergence.ts';
import { DroverProcess } from './drover-process.ts';

/** The recorded stories take two minutes each; what lies between two of their messages passes so many times as fast. */
const FASTER = 20;

// What the connector's own test shows of each recording, through everything that lies behind it: another process, SQLite,
// the documents, the wire, and a device that only believes what it is shown.
test('what real hosts once sent goes through the whole server to a device, all versions at once', async () => {
  const drover = await DroverProcess.start();
  const [replica] = await connectReplicas(drover, 1);
  if (!replica) throw new Error('one replica');
  const hosts = await Promise.all(RECORDED_VERSIONS.map((version) => playStory(drover, version)));

  const rows = await expectConverged(drover, [replica]);
  const seen = [...replica.seen.values()];
  for (const version of RECORDED_VERSIONS) {
    const own = rows.filter((row) => row.hostId === version);
    const shown = seen.filter((row) => row.hostId === version);
    const events = shown
      .flatMap((row) => (row.type === 'model-event' ? [row] : []))
      .sort((a, b) => a.at - b.at);
    // In one object, so that a difference names the version.
    expect({
      version,
      liveness: replica.records().hosts.get(`host/${version}`)?.liveness,
      rows: rowRuns(own),
      gaps: own.filter((row) => row.type === 'gap'),
      rowsOnDevice: rowRuns(shown),
      states: statesOf(await drover.models(version)),
      outOfMemory: transitionsOf(events, 'oom'),
      crash: transitionsOf(events, 'org/chat-q4').slice(0, 4),
      neverHealthy: transitionsOf(events, 'stuck'),
    }).toEqual({
      version,
      liveness: 'connected',
      rows: STORY_ROWS[version],
      gaps: [],
      rowsOnDevice: STORY_ROWS[version],
      states: lastStates(version),
      outOfMemory: STORY_OUT_OF_MEMORY,
      crash: STORY_CRASH,
      // That v150's health check timed out is told by how long the start lasted, which is not long here.
      neverHealthy: ['stopped→starting', 'starting→stopped'],
    });
  }
  // Monitoring loads nothing, however long it lasts.
  const asked = hosts.flatMap((host) => host.requests);
  expect(asked.filter((path) => /^\/(upstream|props|v1|unload)/.test(path))).toEqual([]);
}, 180_000);

/** Adds a host that plays one recording to its end; its last stream stays open. */
async function playStory(drover: DroverProcess, version: RecordedVersion): Promise<ReplayedHost> {
  const host = await ReplayedHost.start(version);
  onTestFinished(() => host.stop());
  await drover.addHost(version, host.url);
  const connections = storyConnections(version);
  let forgotten = 0;
  for (const [index, connection] of connections.entries()) {
    await until(async () => {
      expect(host.isOpen).toBe(true);
      expect((await drover.host(version)).liveness).toBe('connected');
    });
    for (const [afterMs, bytes] of paced(connection)) {
      if (afterMs > 0) await pause(afterMs);
      host.send(bytes);
    }
    // A host that goes takes what was not fetched with it: that would be a gap, and rightly.
    await until(async () => {
      const rows = await drover.allRows(`&hostId=${version}`);
      expect(rows.filter(({ type }) => type === 'request')).toHaveLength(forgotten + host.rowCount);
    });
    if (index === connections.length - 1) break;
    host.endStream(connection.closedBy === 'server end' ? 'end' : 'cut');
    if (!forgetsRowsAfter(version, connection)) continue;
    forgotten += host.rowCount;
    host.forgetRows();
  }
  return host;
}

/** The chunks as they came, and the time before each of them. */
function* paced({ chunks, chunkTimes }: RecordedConnection): Generator<readonly [number, Uint8Array]> {
  for (const [index, chunk] of chunks.entries()) {
    const at = chunkTimes[index] ?? 0;
    yield [(at - (chunkTimes[index - 1] ?? at)) / FASTER, chunk];
  }
}

const frame = z.object({ type: z.string(), data: z.string() });
const modelStatus = z.array(z.object({ id: z.string(), state: z.string() }));

/** What the host said last of its own models. */
function lastStates(version: RecordedVersion): Readonly<Record<string, string | null>> {
  const last = storyConnections(version).at(-1);
  const frames = new TextDecoder().decode(last?.bytes).split('\n\n').slice(0, -1);
  const messages = frames.map((text) => frame.parse(JSON.parse(text.slice(text.indexOf('data:') + 5))));
  const status = messages.findLast(({ type }) => type === 'modelStatus');
  return statesOf(
    modelStatus.parse(JSON.parse(status?.data ?? '[]')).map(({ id, state }) => ({ modelId: id, state })),
  );
}

/** Without the peers' models, of which nobody tells a state. */
function statesOf(models: readonly { readonly modelId: string; readonly state: string | null }[]) {
  const own = models.filter(({ modelId }) => !modelId.endsWith('remote-70b'));
  return Object.fromEntries(own.map(({ modelId, state }) => [modelId, state]));
}
