import { afterEach, describe, expect, it } from 'vitest';
import { createLlamaSwapClient } from '../adapters/llama-swap-client.ts';
import { systemClock } from '../adapters/system-clock.ts';
import type { Clock, HostConfig } from '../domain/ports.ts';
import { EmulatedHost, type EmulatedHostOptions } from '../emulator/emulated-host.ts';
import { ERAS, traitsOf, type Era } from '../emulator/era.ts';
import { FleetMemory } from '../testing/fleet-memory.ts';
import { silentLog } from '../testing/silent-log.ts';
import { Collector } from './collector.ts';

const stops: (() => unknown)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0).toReversed()) await stop();
});

const MODELS = [
  { id: 'coder', load: { durationMs: 20 } },
  { id: 'org/chat [1m]', load: { durationMs: 20 } },
];

async function emulated(era: Era, changes: Partial<EmulatedHostOptions> = {}): Promise<EmulatedHost> {
  const host = new EmulatedHost({ era, gpus: 0, config: { models: MODELS }, ...changes });
  await host.start();
  stops.push(() => host.stop());
  return host;
}

/** Timers that run `speed` times as fast: watchdogs of minutes in seconds. `now` follows, so that intervals agree. */
function fastClock(speed: number): Clock {
  const began = systemClock.now();
  return {
    now: () => began + (systemClock.now() - began) * speed,
    after: (delayMs, task) => systemClock.after(delayMs / speed, task),
    every: (periodMs, task) => systemClock.every(periodMs / speed, task),
  };
}

/** A real collector with the real client; nothing is awaited but what it wrote. */
function collect(host: EmulatedHost, options: { fleet?: FleetMemory; clock?: Clock; key?: string } = {}) {
  const { fleet = new FleetMemory(), clock = systemClock, key = null } = options;
  const config: HostConfig = {
    id: 'marlin',
    label: 'Marlin',
    url: host.url,
    paused: false,
    managedByFile: false,
    demo: false,
    keySource: key === null ? null : 'stored',
  };
  const collector = new Collector({
    // Requests keep real time: only what the connector waits for is hurried.
    clientFor: () => createLlamaSwapClient({ url: host.url, key: () => key, clock: systemClock }),
    sink: fleet,
    store: fleet,
    clock,
    log: silentLog(),
    random: () => 0,
  });
  collector.start([config]);
  stops.push(() => collector.stop());
  const liveness = () => collector.status('marlin')?.liveness;
  const connected = () => fleet.until(() => fleet.hostStatus('marlin')?.liveness === 'connected');
  return { collector, fleet, liveness, connected };
}

function paths(host: EmulatedHost): string[] {
  return host.records.requests.map(({ path }) => path.split('?')[0] ?? path);
}

describe.each(ERAS)('an emulated %s', (era) => {
  const { activityRow, activityListing, wolHealth } = traitsOf(era);
  const first = activityRow.firstId;
  const keepsRows = activityListing === 'pages';

  it('is listed on connect, followed live, and read again after a restart: none doubled, none lost, no gap', async () => {
    const host = await emulated(era);
    host.addActivity(300);
    const { fleet, connected } = collect(host);
    await connected();
    await fleet.until(() => fleet.requests('marlin').length === 300);
    host.addActivity(40);
    await fleet.until(() => fleet.requests('marlin').length === 340);
    await host.restart();
    host.addActivity(5, { durationMs: 4_321 });
    await fleet.until(() => fleet.requests('marlin').length === 345);
    expect(fleet.gaps()).toEqual([]);
    const epochs = Map.groupBy(fleet.requests('marlin'), (row) => row.idEpoch);
    const ids = (idEpoch: number) =>
      epochs
        .get(idEpoch)
        ?.map((row) => row.id)
        .sort((a, b) => a - b);
    expect(ids(0)).toEqual(Array.from({ length: 340 }, (_, index) => first + index));
    expect(ids(1)).toEqual(Array.from({ length: 5 }, (_, index) => first + index));
  });

  it('is read again after a reload', async () => {
    const host = await emulated(era);
    host.addActivity(3);
    const { fleet, connected } = collect(host);
    await connected();
    await fleet.until(() => fleet.requests('marlin').length === 3);
    await host.reload();
    host.addActivity(1, { durationMs: 4_321 });
    await fleet.until(() => fleet.requests('marlin').length === 4);
    expect(fleet.rowNames().at(-1)).toBe(keepsRows ? '0/4' : '1/0');
    expect(fleet.gaps()).toEqual([]);
  });

  it('whose ring wrapped while the collector was off has one gap, exactly there', async () => {
    const host = await emulated(era);
    host.addActivity(10);
    const off = collect(host);
    await off.fleet.until(() => off.fleet.requests('marlin').length === 10);
    off.collector.stop();
    host.addActivity(1_500);
    const { fleet } = collect(host, { fleet: off.fleet });
    await fleet.until(() => fleet.requests('marlin').length === 1_010);
    expect(fleet.gaps()).toMatchObject([
      { idEpoch: 0, fromId: first + 10, toId: first + 509, reason: 'ring_wrapped' },
    ]);
  });

  it('tells a failed start apart, with its reason, and a load that works', async () => {
    const host = await emulated(era);
    host.scriptStarts('coder', ['out-of-memory']);
    const { fleet, connected } = collect(host);
    await connected();
    await fleet.until(() => fleet.models('marlin').length > 0);
    await host.load('coder');
    await fleet.until(() => fleet.events.some((event) => event.reason !== null));
    expect(fleet.eventNames()).toEqual([
      'coder stopped→starting',
      'coder starting→stopped (CUDA error: out of memory)',
    ]);
    await host.load('org/chat [1m]');
    await fleet.until(() => fleet.models('marlin').some((model) => model.state === 'ready'));
    expect(fleet.eventNames().slice(2)).toEqual([
      'org/chat [1m] stopped→starting',
      'org/chat [1m] starting→ready',
    ]);
  });

  it('is never asked what touches a model, and polled only where nothing is logged', async () => {
    const host = await emulated(era);
    const { fleet, connected } = collect(host, { clock: fastClock(50) });
    await connected();
    await host.load('coder');
    host.addActivity(5);
    const pings = () => paths(host).filter((path) => path === '/wol-health' || path === '/health').length;
    await fleet.until(() => pings() >= (wolHealth ? 8 : 2), 15_000);
    expect(paths(host).filter((path) => /^\/(upstream|props|v1|unload|running\/)/.test(path))).toEqual([]);
    const loaded = host.records.effectsAfter(0).filter(({ kind }) => kind === 'loading');
    expect(loaded.map(({ modelId }) => modelId)).toEqual(['coder']);
  });
});

/** Eras in which the end of a start is told, and a start that is unloaded ends without an error. */
const REWRITTEN = ERAS.filter((era) => traitsOf(era).server === 'mux');

describe.each(REWRITTEN)('a start on an emulated %s', (era) => {
  it('that is unloaded before it is ready did not fail', async () => {
    const host = await emulated(era);
    host.scriptStarts('coder', ['never-healthy']);
    const { fleet, connected } = collect(host);
    await connected();
    await fleet.until(() => fleet.models('marlin').length > 0);
    const over = host.load('coder');
    await fleet.until(() => fleet.models('marlin').some((model) => model.state === 'starting'));
    await host.unload('coder');
    await over;
    await fleet.until(() => fleet.events.length >= 2);
    expect(fleet.eventNames()).toEqual(['coder stopped→starting', 'coder starting→stopped']);
    expect(fleet.models('marlin').find((model) => model.modelId === 'coder')?.failedStart).toBeNull();
  });
});

/** As somebody does it past Drover. */
async function switchTo(host: EmulatedHost, name: string | null): Promise<void> {
  const body = JSON.stringify({ name });
  const reply = await fetch(`${host.url}/api/profiles/active`, { method: 'PUT', body });
  expect(reply.status).toBe(200);
}

describe.each(ERAS.filter((era) => !traitsOf(era).profiles))('profiles of an emulated %s', (era) => {
  it('are not known: it has none', async () => {
    const { fleet, connected } = collect(await emulated(era));
    await connected();
    await fleet.until(() => fleet.hostStatus('marlin')?.features.includes('activity') === true);
    expect(fleet.hostStatus('marlin')?.profiles).toBeNull();
  });
});

describe.each(ERAS.filter((era) => traitsOf(era).profiles))('profiles of an emulated %s', (era) => {
  const profiles = [{ id: 'night' }, { id: 'day', description: 'coding first' }];
  const names = [
    { id: 'day', description: 'coding first' },
    { id: 'night', description: '' },
  ];

  it('are known from the connect on, followed at each switch, and asked for no more often than that', async () => {
    const host = await emulated(era, { config: { models: MODELS, profiles, startupProfile: 'day' } });
    const { fleet, connected, collector } = collect(host, { clock: fastClock(50) });
    await connected();
    const active = () => fleet.hostStatus('marlin')?.profiles?.active;
    await fleet.until(() => active() === 'day');
    expect(fleet.hostStatus('marlin')?.profiles).toEqual({ active: 'day', names });
    const asked = () => paths(host).filter((path) => path === '/api/profiles').length;
    expect(asked()).toBe(1);
    await switchTo(host, 'night');
    await fleet.until(() => active() === 'night' && asked() === 2);
    await switchTo(host, null);
    await fleet.until(() => active() === null && asked() === 3);
    const pings = () => paths(host).filter((path) => path === '/wol-health').length;
    const before = pings();
    await fleet.until(() => pings() >= before + 2, 15_000);
    // Once a connection, of which a busy machine may need more than one, and once a switch.
    const connects = () => paths(host).filter((path) => path === '/api/events').length;
    expect(asked()).toBeLessThanOrEqual(connects() + 2);
    const askedBefore = asked();
    await host.restart();
    await fleet.until(() => active() === 'day' && asked() > askedBefore);
    collector.stop();
    await host.stop();
    const later = collect(host, { fleet });
    expect(later.collector.status('marlin')?.profiles).toEqual({ active: 'day', names });
  });
});

describe('an emulated host', () => {
  it('that tells how long a model is ready is believed, by a collector that came later too', async () => {
    const host = await emulated('v262');
    await host.load('coder');
    const { fleet } = collect(host);
    await fleet.until(() => fleet.models('marlin').some((model) => model.state === 'ready'));
    const since = fleet.models('marlin').find((model) => model.modelId === 'coder')?.since;
    expect(Math.abs(systemClock.now() - (since ?? 0))).toBeLessThan(10_000);
  });

  it('that sends what cannot be read stays connected, and loses nothing else', async () => {
    const host = await emulated('v217');
    const { fleet, connected, collector } = collect(host);
    await connected();
    host.injectFrame('event:message\ndata:{"type":"metrics","data":"{not json"}\n\n');
    host.injectFrame('data:[1,2\n\n:\n\nnonsense\n\n');
    host.injectMessage('metrics', 'null');
    host.injectMessage('modelStatus', '{"not":"a list"}');
    host.injectMessage('inflight', '{"total":"many"}');
    host.injectMessage('novelty', '{}');
    host.injectMessage('logData', JSON.stringify({ source: 'upstream', data: 'x'.repeat(5_000_000) }));
    host.addActivity(1, { model: 'a"b\n<script>\u202e𝕏', endedAt: Date.UTC(1999, 0, 1) });
    host.addActivity(1, { endedAt: Date.UTC(2099, 0, 1) });
    await fleet.until(() => fleet.requests('marlin').length === 2);
    expect(fleet.requests('marlin')[0]?.modelId).toBe('a"b\n<script>\u202e𝕏');
    expect(collector.status('marlin')?.liveness).toBe('connected');
    expect(paths(host).filter((path) => path === '/api/events')).toHaveLength(1);
  });

  it('with ten thousand models and hundreds of other names in its activity is read whole', async () => {
    const models = Array.from({ length: 10_000 }, (_, index) => ({ id: `model-${index}` }));
    const host = await emulated('v250', { config: { models } });
    const { fleet, connected } = collect(host);
    await connected();
    for (let name = 0; name < 900; name += 1) host.addActivity(1, { model: `guest-${name}` });
    await fleet.until(
      () => fleet.requests('marlin').length === 900 && fleet.models('marlin').length === 10_000,
    );
    // A first inventory is no news.
    expect(fleet.events).toEqual([]);
    expect(fleet.gaps()).toEqual([]);
  });

  it('that is killed is reconnecting, then down with its last models, then read again', async () => {
    const host = await emulated('v250');
    host.addActivity(3);
    const { fleet, connected, collector } = collect(host, { clock: fastClock(10) });
    await connected();
    await host.load('coder');
    await fleet.until(() => fleet.models('marlin').some((model) => model.state === 'ready'));
    await host.kill();
    await fleet.until(() => fleet.hostStatus('marlin')?.liveness === 'down', 15_000);
    expect(collector.status('marlin')?.reason).toMatch(/^Connection refused/);
    expect(fleet.models('marlin').find((model) => model.modelId === 'coder')?.state).toBe('ready');
    await host.start();
    host.addActivity(2, { durationMs: 4_321 });
    await fleet.until(() => fleet.requests('marlin').length === 5, 15_000);
    expect(fleet.livenessWords('marlin')).toEqual([
      'reconnecting',
      'connected',
      'reconnecting',
      'down',
      'connected',
    ]);
    expect(fleet.gaps()).toEqual([]);
    expect(fleet.rowNames().at(-1)).toBe('1/2');
  });

  it('that freezes is found within 15 s of its own time, and read again when it thaws', async () => {
    const host = await emulated('v250');
    // Three times as fast: a ping's own 4 s are enough for a busy test machine.
    const clock = fastClock(3);
    const { fleet, connected } = collect(host, { clock });
    await connected();
    host.freeze();
    const frozenAt = clock.now();
    await fleet.until(() => fleet.hostStatus('marlin')?.liveness === 'reconnecting', 15_000);
    // Half a second of this machine's time for timers that run late.
    expect(clock.now() - frozenAt).toBeLessThan(15_000 + 3 * 500);
    expect(fleet.hostStatus('marlin')?.reason).toMatch(/^No answer/);
    host.thaw();
    await fleet.until(() => fleet.hostStatus('marlin')?.liveness === 'connected', 15_000);
  });

  it('behind a wake-on-LAN proxy is asked for its events only, once for the proxy’s status, and never woken', async () => {
    const host = await emulated('v250');
    host.setFrontDoor({ kind: 'wol-proxy', asleep: false, wakeAfterMs: null });
    const { fleet, connected } = collect(host, { clock: fastClock(50) });
    await connected();
    await host.load('coder');
    host.addActivity(3);
    await fleet.until(() => fleet.models('marlin').some((model) => model.state === 'ready'));
    host.setFrontDoor({ kind: 'wol-proxy', asleep: true, wakeAfterMs: null });
    await fleet.until(() => fleet.hostStatus('marlin')?.liveness === 'asleep', 15_000);
    const eventsSoFar = paths(host).length;
    await fleet.until(() => paths(host).length > eventsSoFar + 1, 15_000);
    expect(new Set(paths(host))).toEqual(new Set(['/api/events', '/status']));
    expect(paths(host).filter((path) => path === '/status')).toHaveLength(1);
    expect(host.records.effectsAfter(0).filter(({ kind }) => kind === 'woken')).toEqual([]);
  });

  it.each([
    ['unauthorized', ['sk-right'], 'direct'],
    ['incompatible', [], 'html'],
  ] as const)('that is %s says so', async (liveness, apiKeys, door) => {
    const host = await emulated('v250', { config: { models: MODELS, apiKeys: [...apiKeys] } });
    host.setFrontDoor({ kind: door });
    const { fleet } = collect(host, { key: 'sk-wrong' });
    await fleet.until(() => fleet.hostStatus('marlin')?.liveness === liveness);
    expect(fleet.hostStatus('marlin')?.reason).not.toBeNull();
  });

  it('that gets 500 requests in a burst is asked a few times, and every row is there once', async () => {
    const host = await emulated('v262');
    const { fleet, connected } = collect(host);
    await connected();
    await fleet.until(() => paths(host).includes('/api/metrics/activity'));
    const before = paths(host).filter((path) => path === '/api/metrics/activity').length;
    for (let round = 0; round < 50; round += 1) host.addActivity(10);
    await fleet.until(() => fleet.requests('marlin').length === 500);
    const asked = paths(host).filter((path) => path === '/api/metrics/activity').length - before;
    expect(asked).toBeLessThanOrEqual(8);
    expect(fleet.gaps()).toEqual([]);
  });
});
