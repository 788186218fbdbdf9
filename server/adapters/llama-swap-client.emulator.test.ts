import { afterEach, describe, expect, test } from 'vitest';
import type { HostFeatures, UpstreamResult } from '../domain/ports.ts';
import { EmulatedHost } from '../emulator/emulated-host.ts';
import { type Era, ERAS, traitsOf } from '../emulator/era.ts';
import { createHostTester } from '../services/host-test.ts';
import { StreamRecorder } from '../testing/stream-recorder.ts';
import { createLlamaSwapClient } from './llama-swap-client.ts';
import { systemClock } from './system-clock.ts';

const cleanUps: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp();
});
const signal = new AbortController().signal;

async function emulated(era: Era, apiKeys: string[] = []) {
  const host = new EmulatedHost({
    era,
    gpus: 1,
    config: {
      apiKeys,
      models: [
        { id: 'coder', load: { durationMs: 20 } },
        {
          id: 'org/chat [1m]',
          cmd: 'serve --port ${PORT} --api-key sk-secret-in-cmd',
          load: { durationMs: 20 },
        },
      ],
    },
  });
  await host.start();
  cleanUps.push(() => host.stop());
  const client = createLlamaSwapClient({ url: host.url, key: () => apiKeys[0] ?? null, clock: systemClock });
  cleanUps.push(() => client.close());
  return { host, client };
}

function valueOf<T>(result: UpstreamResult<T>): T {
  if (!result.ok) throw new Error(JSON.stringify(result.failure));
  return result.value;
}

test('a probe asks for no samples, however far the host’s clock is ahead', async () => {
  const { host, client } = await emulated('v250');
  host.time.skewMs = 4 * 365 * 86_400_000;
  await host.reload();
  const sampled = async (path: string) => (await fetch(`${host.url}${path}`)).text();
  await expect.poll(() => sampled('/api/performance')).toContain('gpu_util_pct');
  valueOf(await client.probe(null, signal));
  const asked = host.records.requests.map(({ path }) => path).filter((path) => path.includes('?after='));
  expect(asked).toHaveLength(1);
  expect(await sampled(asked[0] ?? '')).not.toContain('gpu_util_pct');
});

describe.each(ERAS)('%s', (era) => {
  const traits = traitsOf(era);
  const pages = traits.activityListing === 'pages';
  const rewritten = traits.server === 'mux';

  test('probes find what it can do, and load nothing', async () => {
    const { host, client } = await emulated(era, traits.apiKeys ? ['sk-a'] : []);
    const expected: Partial<HostFeatures> = {
      activity: pages ? 'activity' : 'metrics',
      activityRange: traits.activityRange,
      activitySource: traits.activityRow.source,
      logStream: traits.logs.eventsRoute,
      performance: traits.performance !== 'none',
      wolHealth: traits.wolHealth,
      inFlightTrusted: traits.inFlight !== 'none' && traits.inFlight !== 'legacy-total',
      modelLogs: traits.logs.perModel === 'kept',
      profiles: traits.profiles,
      hardware: traits.hardware,
      wolProxy: false,
    };
    expect(valueOf(await client.probe(null, signal))).toMatchObject(expected);
    expect(host.records.effectsAfter(0).filter(({ kind }) => kind !== 'started')).toEqual([]);
  });

  test('activity is listed whole, ascending', async () => {
    const { host, client } = await emulated(era);
    const features = valueOf(await client.probe(null, signal));
    const { firstId } = host.addActivity(250);
    const rows = pages
      ? valueOf(await client.activityAfter(null, { limit: 1000, features }, signal)).rows
      : valueOf(await client.metrics(signal));
    expect(rows.map(({ id }) => id)).toEqual(Array.from({ length: 250 }, (_, index) => firstId + index));
  });

  test('models that run, their logs, and a request that comes back on the stream', async () => {
    const { host, client } = await emulated(era);
    const recorder = new StreamRecorder();
    client.openEvents(recorder, signal);
    await recorder.untilEvents(1);
    await host.load('org/chat [1m]');
    const running = valueOf(await client.running(signal));
    expect(running).toEqual([
      { modelId: 'org/chat [1m]', state: 'ready', ttlMs: traits.runningRow === 'seven-keys' ? 0 : null },
    ]);
    const lines = valueOf(await client.modelLogLines('org/chat [1m]', signal));
    expect(lines.length > 0 || !rewritten).toBe(true);
    expect(lines.join('\n')).not.toContain('sk-secret');
    expect(lines.join('\n')).not.toContain('\u001b');
    const { marker } = valueOf(await client.loggedPing(signal));
    if (traits.logs.inEvents) {
      while (!recorder.events.some((event) => event.type === 'log' && event.text.includes(marker))) {
        await recorder.untilEvents(recorder.events.length + 1);
      }
    }
    const features = valueOf(await client.probe(null, signal));
    expect(valueOf(await client.ping(features, signal))).toBeNull();
    expect(recorder.events.filter(({ type }) => type === 'malformed' || type === 'unknown')).toEqual([]);
    const models = recorder.events.findLast((event) => event.type === 'models');
    const state =
      models?.type === 'models' && models.models.find(({ modelId }) => modelId === 'org/chat [1m]');
    expect(state).toMatchObject({ state: 'ready' });
    expect(state && state.uptimeMs !== null).toBe(traits.modelStatus.readySince);
  });
});

test.each(ERAS.filter((era) => traitsOf(era).activityListing === 'pages'))(
  '%s: rows after an id, in one fetch',
  async (era) => {
    const { host, client } = await emulated(era);
    const features = valueOf(await client.probe(null, signal));
    const { lastId } = host.addActivity(250);
    const asked = host.records.requests.length;
    const some = valueOf(await client.activityAfter(lastId - 3, { limit: 1000, features }, signal));
    expect(some).toMatchObject({
      complete: true,
      rows: [{ id: lastId - 2 }, { id: lastId - 1 }, { id: lastId }],
    });
    expect(host.records.requests.length - asked).toBe(1);
  },
);

describe('behind a wake-on-LAN proxy', () => {
  const tester = createHostTester({
    clock: systemClock,
    connect: ({ url, key }) => createLlamaSwapClient({ url, key, clock: systemClock }),
    isOwnAddress: () => false,
    instance: 'this-process',
  });

  test.each([true, false])('asleep: %s, and nothing wakes it', async (asleep) => {
    const { host } = await emulated('v250');
    host.setFrontDoor({ kind: 'wol-proxy', asleep, wakeAfterMs: 0 });
    const result = await tester.test({ url: host.url, key: null });
    expect(result.verdict).toBe(asleep ? 'asleep' : 'ok');
    expect(host.records.requests.map(({ path }) => path)).toEqual(
      asleep ? ['/api/events'] : ['/api/events', '/status'],
    );
    expect(host.records.effectsAfter(0).filter(({ kind }) => kind === 'woken')).toEqual([]);
  });
});
