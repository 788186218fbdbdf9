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
  feed.restartedUnseen();
  expect(fleet.models('marlin')[0]).toMatchObject({ state: 'ready', since: null });
});
