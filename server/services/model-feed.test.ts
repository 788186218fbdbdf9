import { expect, it } from 'vitest';
import type { ObservedModel } from '../domain/upstream-event.ts';
import { FakeLlamaSwapClient, FEATURES_V250 } from '../testing/fake-llama-swap-client.ts';
import { FleetMemory } from '../testing/fleet-memory.ts';
import { ManualClock } from '../testing/manual-clock.ts';
import { silentLog } from '../testing/silent-log.ts';
import { ModelFeed } from './model-feed.ts';

const seen = (state: string): ObservedModel => ({
  modelId: 'coder',
  name: '',
  description: '',
  state,
  aliases: [],
  peerId: null,
  unlisted: false,
  contextLength: null,
  capabilities: [],
  uptimeMs: null,
});

it('a start that failed while the host was still being probed is explained by its own log all the same', async () => {
  const client = new FakeLlamaSwapClient();
  client.modelLog = ['ggml_cuda_init: found 1 CUDA devices:', 'CUDA error: out of memory'];
  const fleet = new FleetMemory();
  const clock = new ManualClock();
  const feed = new ModelFeed({
    hostId: 'marlin',
    client,
    sink: fleet,
    store: fleet,
    clock,
    log: silentLog(),
  });
  feed.begin();
  feed.onModels([seen('starting')]);
  feed.onModels([seen('stopped')]);
  clock.advance(800);
  expect(fleet.events.filter(({ reason }) => reason !== null)).toEqual([]);
  feed.synchronise({ ...FEATURES_V250, logStream: true });
  await fleet.until(() => fleet.events.some(({ reason }) => reason !== null));
  expect(fleet.models('marlin')[0]?.failedStart).toMatchObject({ reason: 'CUDA error: out of memory' });
});

it('after a restart nobody saw, a model that is ready as before is not said to be ready since then', () => {
  const fleet = new FleetMemory();
  const clock = new ManualClock();
  const client = new FakeLlamaSwapClient();
  const feed = new ModelFeed({
    hostId: 'marlin',
    client,
    sink: fleet,
    store: fleet,
    clock,
    log: silentLog(),
  });
  feed.begin();
  feed.onModels([seen('starting')]);
  feed.onModels([seen('ready')]);
  const since = clock.now();
  clock.advance(240_000);
  feed.begin();
  feed.onModels([seen('ready')]);
  expect(fleet.models('marlin')[0]).toMatchObject({ state: 'ready', since });
  feed.restarted({ unseen: true });
  expect(fleet.models('marlin')[0]).toMatchObject({ state: 'ready', since: null });
});

function build() {
  const client = new FakeLlamaSwapClient();
  const fleet = new FleetMemory();
  const clock = new ManualClock();
  const feed = new ModelFeed({
    hostId: 'marlin',
    client,
    sink: fleet,
    store: fleet,
    clock,
    log: silentLog(),
  });
  /** A start that ends without ready, and is judged. */
  const failOnce = async (): Promise<void> => {
    const before = fleet.events.length;
    feed.onModels([seen('starting')]);
    feed.onModels([seen('stopped')]);
    await new Promise((resolve) => setImmediate(resolve));
    clock.advance(800);
    await fleet.until(() => fleet.events.length === before + 2);
  };
  return { client, fleet, clock, feed, failOnce };
}

it('a failed start is history after a restart of the host, and keeps its time, reason and lines', async () => {
  const { client, fleet, clock, feed, failOnce } = build();
  client.modelLog = ['CUDA error: out of memory'];
  feed.begin();
  feed.onModels([seen('stopped')]);
  feed.synchronise({ ...FEATURES_V250, bootMarker: 'one' });
  await failOnce();
  const failed = fleet.models('marlin')[0]?.failedStart;
  expect(failed).toMatchObject({ reason: 'CUDA error: out of memory', lines: ['CUDA error: out of memory'] });
  clock.advance(60_000);
  // The way broke; it is the same process.
  feed.begin();
  feed.onModels([seen('stopped')]);
  feed.synchronise({ ...FEATURES_V250, bootMarker: 'one' });
  expect(fleet.models('marlin')[0]?.failedStart).toEqual(failed);
  feed.begin();
  feed.onModels([seen('stopped')]);
  feed.synchronise({ ...FEATURES_V250, bootMarker: 'two' });
  expect(fleet.models('marlin')[0]?.failedStart).toEqual({ ...failed, beforeRestart: true });
  await failOnce();
  expect(fleet.models('marlin')[0]?.failedStart).not.toHaveProperty('beforeRestart');
});

it('keeps the lines of a failed start with the event, without our key, and of a few an hour only', async () => {
  const { client, fleet, clock, feed, failOnce } = build();
  client.key = 'swordfish';
  client.modelLog = ['llama-server --api-key abc', 'asked by swordfish', 'CUDA error: out of memory'];
  feed.begin();
  feed.onModels([seen('stopped')]);
  feed.synchronise(FEATURES_V250);
  for (let round = 0; round < 20; round += 1) await failOnce();
  const failures = fleet.events.filter(({ reason }) => reason !== null);
  expect(failures).toHaveLength(20);
  expect(failures[0]?.lines).toEqual([
    'llama-server --api-key [REDACTED]',
    'asked by [REDACTED]',
    'CUDA error: out of memory',
  ]);
  expect(failures.filter(({ lines }) => lines !== undefined)).toHaveLength(12);
  clock.advance(3_600_000);
  await failOnce();
  expect(fleet.events.at(-1)?.lines).toHaveLength(3);
});

it('shows what this start wrote, not what the ones before it did', async () => {
  const { client, fleet, feed, failOnce } = build();
  const start = ['ggml_cuda_init: found 1 CUDA devices:', 'CUDA error: out of memory'];
  feed.begin();
  feed.onModels([seen('stopped')]);
  feed.synchronise(FEATURES_V250);
  client.modelLog = start;
  await failOnce();
  client.modelLog = [...start, ...start];
  await failOnce();
  expect(fleet.models('marlin')[0]?.failedStart?.lines).toEqual(start);
});

it('reads how long a model is kept once it is ready: once, and not behind a wake-on-LAN proxy', async () => {
  const { client, fleet, clock, feed } = build();
  client.runningModels = [{ modelId: 'coder', state: 'ready', ttlMs: 600_000 }];
  const reads = (): number => client.asked.filter((what) => what === 'running').length;
  const later = async (): Promise<void> => {
    clock.advance(2_000);
    await new Promise((resolve) => setImmediate(resolve));
  };
  feed.begin();
  feed.onModels([seen('stopped')]);
  feed.synchronise(FEATURES_V250);
  await later();
  expect(reads()).toBe(0);
  feed.onModels([seen('ready')]);
  feed.onModels([seen('ready')]);
  await later();
  expect(fleet.models('marlin')[0]?.ttlMs).toBe(600_000);
  feed.onModels([seen('ready')]);
  await later();
  expect(reads()).toBe(1);
  expect(fleet.models('marlin')[0]?.ttlMs).toBe(600_000);
  feed.onModels([seen('stopped')]);
  expect(fleet.models('marlin')[0]).not.toHaveProperty('ttlMs');
  client.runningModels = [{ modelId: 'coder', state: 'ready', ttlMs: null }];
  feed.onModels([seen('ready')]);
  await later();
  await later();
  expect(reads()).toBe(2);
  expect(fleet.models('marlin')[0]).not.toHaveProperty('ttlMs');
  feed.begin();
  feed.onModels([seen('ready')]);
  feed.synchronise({ ...FEATURES_V250, wolProxy: true });
  await later();
  expect(reads()).toBe(2);
});
