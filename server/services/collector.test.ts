import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { HostConfig, ObservedModel } from '../domain/ports.ts';
import { FakeLlamaSwapClient, FEATURES_V250 } from '../testing/fake-llama-swap-client.ts';
import { FleetMemory } from '../testing/fleet-memory.ts';
import { ManualClock } from '../testing/manual-clock.ts';
import { observedRow, observedRows } from '../testing/observed-rows.ts';
import { silentLog } from '../testing/silent-log.ts';
import { Collector } from './collector.ts';

const MARLIN: HostConfig = {
  id: 'marlin',
  label: 'Marlin',
  url: 'http://marlin.lan:8080',
  paused: false,
  managedByFile: false,
  demo: false,
  keySource: null,
};

function seen(modelId: string, state: string): ObservedModel {
  return {
    modelId,
    name: '',
    description: '',
    state,
    aliases: [],
    peerId: null,
    unlisted: false,
    contextLength: null,
    capabilities: [],
    uptimeMs: null,
  };
}

/** A collector of one fake host, and time in hand. */
function world(fleet = new FleetMemory(), client = new FakeLlamaSwapClient()) {
  const clock = new ManualClock();
  const collector = new Collector({
    clientFor: () => client,
    sink: fleet,
    store: fleet,
    clock,
    log: silentLog(),
    random: () => 0,
  });
  /** Lets answers arrive, then time pass, in steps as small as a tick. */
  const pass = async (durationMs: number) => {
    await setImmediate();
    for (let left = durationMs; left > 0; left -= 500) {
      clock.advance(Math.min(left, 500));
      await setImmediate();
    }
  };
  const start = async (hosts: HostConfig[] = [MARLIN]) => {
    collector.start(hosts);
    await pass(10);
  };
  const asked = (what: string) => client.asked.filter((word) => word.startsWith(what)).length;
  return { fleet, client, clock, collector, pass, start, asked };
}

describe('a host', () => {
  it('is asked for its events first, then probed, then listed, and is connected', async () => {
    const { client, fleet, collector, start } = world();
    client.listed = observedRows(1, 3);
    await start();
    expect(client.asked).toEqual(['events', 'probe', 'activity after nothing']);
    expect(collector.status('marlin')).toMatchObject({
      liveness: 'connected',
      version: 'v250',
      reason: null,
    });
    expect(fleet.rowNames()).toEqual(['0/1', '0/2', '0/3']);
    expect(collector.health()).toMatchObject([
      { name: 'collector', state: 'ok', detail: expect.stringContaining('Listens to 1 host.') },
      { name: 'hosts', title: 'Host Marlin', state: 'ok' },
    ]);
  });

  it('is reconnecting, then down, then connected again, with no row doubled or lost', async () => {
    const { client, fleet, collector, start, pass } = world();
    client.listed = observedRows(1, 3);
    await start();
    client.say({ type: 'models', models: [seen('coder', 'ready')] });
    await pass(11_000);
    client.refusal = { kind: 'refused', detail: 'ECONNREFUSED' };
    client.closeStream();
    await pass(20_000);
    expect(collector.status('marlin')).toMatchObject({ liveness: 'down', attempt: 5 });
    expect(collector.health()).toMatchObject([
      { name: 'collector', state: 'ok' },
      {
        name: 'host:marlin',
        state: 'fail',
        detail: expect.stringMatching(/^Connection refused\..* Down for .*, attempt 5\. Last data .* ago\.$/),
        remediation: expect.stringContaining('systemctl status llama-swap'),
      },
    ]);
    // The last known models stay, as they were seen.
    expect(fleet.models('marlin')).toMatchObject([{ modelId: 'coder', state: 'ready' }]);
    const lastSeenAt = fleet.seenAt.get('marlin');
    await pass(60_000);
    expect(fleet.seenAt.get('marlin')).toBe(lastSeenAt);
    client.refusal = null;
    client.listed = observedRows(1, 5);
    await pass(35_000);
    expect(fleet.livenessWords('marlin')).toEqual([
      'reconnecting',
      'connected',
      'reconnecting',
      'down',
      'connected',
    ]);
    expect(fleet.rowNames()).toEqual(['0/1', '0/2', '0/3', '0/4', '0/5']);
  });

  it('that restarted while it was watched begins a new id epoch without a gap', async () => {
    const { client, fleet, start, pass } = world();
    client.listed = observedRows(1, 3);
    await start();
    await pass(1_000);
    client.closeStream();
    client.listed = [observedRow(1, 9_000)];
    await pass(2_000);
    expect(fleet.rowNames()).toEqual(['0/1', '0/2', '0/3', '1/1']);
  });

  it('that restarted while the collector was off has an open gap between', async () => {
    const first = world();
    first.client.listed = observedRows(1, 3);
    await first.start();
    first.collector.stop();
    const second = world(first.fleet);
    second.client.listed = [observedRow(1, 9_000)];
    await second.start();
    expect(second.fleet.rowNames()).toEqual(['0/1', '0/2', '0/3', 'gap 0/4…? host_restarted', '1/1']);
  });

  it('with a burst of requests is asked once, and once more for those that came meanwhile', async () => {
    const { client, fleet, start, pass, asked } = world();
    await start();
    await pass(2_000);
    const before = asked('activity');
    client.listed = observedRows(1, 200);
    for (let id = 1; id <= 200; id += 1) client.say({ type: 'activity-id', id });
    await pass(3_000);
    expect(asked('activity') - before).toBe(1);
    for (let id = 201; id <= 400; id += 1) {
      client.listed = observedRows(1, id);
      client.say({ type: 'activity-id', id });
      await pass(10);
    }
    await pass(3_000);
    expect(fleet.requests('marlin')).toHaveLength(400);
    expect(asked('activity') - before).toBeLessThanOrEqual(7);
  });

  it('is not asked for a row that is held already', async () => {
    const { client, start, pass, asked } = world();
    client.listed = observedRows(1, 3);
    await start();
    const before = asked('activity');
    client.say({ type: 'activity-id', id: 2 }, { type: 'activity-id', id: 3 });
    await pass(3_000);
    expect(asked('activity')).toBe(before);
  });

  it('before v236 is listed once for each connection, and its stream’s rows wait for that', async () => {
    const { client, fleet, start, pass, asked } = world();
    client.features = { ...FEATURES_V250, activity: 'metrics' };
    client.listed = observedRows(0, 2);
    const held = Promise.withResolvers<void>();
    client.hold = held.promise;
    await start();
    client.say(
      { type: 'activity-rows', rows: [observedRow(3)] },
      { type: 'activity-rows', rows: [observedRow(3)] },
    );
    expect(fleet.rows).toEqual([]);
    client.hold = null;
    held.resolve();
    await pass(1_000);
    client.say({ type: 'activity-rows', rows: [observedRow(5)] });
    client.say({ type: 'activity-rows', rows: [observedRow(4)] });
    await pass(10_000);
    expect(fleet.rowNames()).toEqual(['0/0', '0/1', '0/2', '0/3', '0/5', '0/4']);
    expect(asked('metrics')).toBe(1);
  });

  it('before v236 whose ids begin again on the stream is listed before any more of its rows are taken', async () => {
    const { client, fleet, start, pass } = world();
    client.features = { ...FEATURES_V250, activity: 'metrics' };
    client.listed = observedRows(0, 2);
    await start();
    client.listed = [
      observedRow(0, 9_000),
      observedRow(1, 9_001),
      observedRow(2, 9_002),
      observedRow(3, 9_003),
    ];
    for (const begun of client.listed) client.say({ type: 'activity-rows', rows: [begun] });
    await pass(5_000);
    expect(fleet.rowNames()).toEqual(['0/0', '0/1', '0/2', '1/0', '1/1', '1/2', '1/3']);
    expect(fleet.gaps()).toEqual([]);
  });

  it('before v236 is listed again when rows were lost on the stream', async () => {
    const { client, fleet, start, pass, asked } = world();
    client.features = { ...FEATURES_V250, activity: 'metrics' };
    await start();
    client.listed = [observedRow(1), observedRow(2)];
    client.say({ type: 'activity-rows', rows: [observedRow(2)] });
    await pass(5_000);
    expect(asked('metrics')).toBe(2);
    expect(fleet.rowNames()).toEqual(['0/2', 'gap 0/0…0 ring_wrapped', '0/1']);
  });

  it('whose list cannot be read is asked again, ever later, and its stream counts meanwhile', async () => {
    const { client, fleet, start, pass } = world();
    client.features = { ...FEATURES_V250, activity: 'metrics' };
    let failures = 0;
    client.metrics = () => {
      failures += 1;
      return Promise.resolve({ ok: false, failure: { kind: 'http', status: 500, detail: 'no' } });
    };
    await start();
    client.say({ type: 'activity-rows', rows: [observedRow(7)] });
    await pass(60_000);
    expect(fleet.rowNames()).toEqual(['0/7']);
    expect(failures).toBeGreaterThan(3);
    expect(failures).toBeLessThan(12);
  });
});

describe('models', () => {
  it('that fail to start are told apart, with the line that says why and the lines around it', async () => {
    const { client, fleet, start, pass, asked } = world();
    client.modelLog = ['ggml_cuda_init: found 1 CUDA devices:', 'CUDA error: out of memory'];
    await start();
    client.say(
      { type: 'models', models: [seen('oom', 'stopped')] },
      { type: 'models', models: [seen('oom', 'starting')] },
    );
    await pass(500);
    client.say({ type: 'models', models: [seen('oom', 'stopped')] });
    await pass(1_000);
    expect(asked('log of oom')).toBe(1);
    expect(fleet.eventNames()).toEqual([
      'oom stopped→starting',
      'oom starting→stopped (CUDA error: out of memory)',
    ]);
    expect(fleet.models('marlin')[0]?.failedStart).toMatchObject({
      reason: 'CUDA error: out of memory',
      lines: client.modelLog,
    });
    client.say({ type: 'models', models: [seen('oom', 'starting')] });
    expect(fleet.models('marlin')[0]?.failedStart).toBeNull();
  });

  it('whose start was called off did not fail', async () => {
    const { client, fleet, start, pass } = world();
    await start();
    client.say(
      { type: 'models', models: [seen('stuck', 'stopped')] },
      { type: 'models', models: [seen('stuck', 'starting')] },
    );
    client.say({ type: 'models', models: [seen('stuck', 'stopped')] });
    client.say({ type: 'log', source: 'proxy', text: '[WARN] group: starting stuck failed: aborted\n' });
    await pass(1_000);
    expect(fleet.eventNames()).toEqual(['stuck stopped→starting', 'stuck starting→stopped']);
    expect(fleet.models('marlin')[0]?.failedStart).toBeNull();
  });

  it('keep the order of their events when they start again before the reason is there', async () => {
    const { client, fleet, start, pass } = world();
    await start();
    const say = (state: string) => client.say({ type: 'models', models: [seen('oom', state)] });
    for (const state of ['stopped', 'starting', 'stopped', 'starting', 'ready']) say(state);
    await pass(5_000);
    expect(fleet.events.map((event) => `${event.from ?? '?'}→${event.to}`)).toEqual([
      'stopped→starting',
      'starting→stopped',
      'stopped→starting',
      'starting→ready',
    ]);
  });

  it('that exit by themselves before v218 are seen by the log line, but not in replayed history', async () => {
    const { client, fleet, start } = world();
    client.features = { ...FEATURES_V250, activity: 'metrics', modelLogs: false };
    await start();
    const exit = '[INFO] <org/chat> process exited but not StateStopping, current state: ready\n';
    client.say({ type: 'log', source: 'proxy', text: exit });
    client.say({ type: 'models', models: [seen('org/chat', 'ready')] });
    expect(fleet.models('marlin')[0]?.state).toBe('ready');
    client.say({ type: 'log', source: 'proxy', text: exit });
    expect(fleet.eventNames()).toEqual(['org/chat ?→ready', 'org/chat ready→stopped']);
  });
});

describe('what runs', () => {
  it('is told at most four times a second, and is not known when the stream ends', async () => {
    const { client, fleet, start, pass } = world();
    await start();
    const request = {
      id: '1',
      modelId: 'coder',
      path: null,
      method: 'POST',
      startedAtHost: 1,
      responseBytes: 18_432,
      elapsedMs: 5,
      source: null,
      isNamed: false,
    };
    for (let update = 0; update < 100; update += 1) client.say({ type: 'in-flight-upsert', request });
    await pass(500);
    expect(fleet.inFlights.length).toBeLessThanOrEqual(3);
    expect(fleet.inFlights.at(-1)).toMatchObject({
      total: 1,
      requests: [{ id: '1', responseBytes: 18_432 }],
    });
    client.closeStream();
    expect(fleet.inFlights.at(-1)).toBeNull();
  });

  it('is not a number before v218', async () => {
    const { client, fleet, start } = world();
    client.features = { ...FEATURES_V250, activity: 'metrics', inFlightTrusted: false };
    await start();
    client.say({ type: 'in-flight-total', total: 1 });
    expect(fleet.inFlights.at(-1)).toMatchObject({ total: null, requests: null });
  });
});

describe('the watchdogs', () => {
  it('find a dead way within 15 s', async () => {
    const { client, collector, start, pass } = world();
    await start();
    await pass(6_000);
    client.answers = false;
    await pass(15_000);
    expect(collector.status('marlin')?.liveness).toBe('reconnecting');
    expect(client.open).toHaveLength(1);
    expect(client.streams).toHaveLength(2);
  });

  it('leave a silent stream alone whose logged request comes back, and replace one whose does not, new before old', async () => {
    const { client, collector, start, pass, asked } = world();
    await start();
    client.say({
      type: 'log',
      source: 'proxy',
      text: '[INFO] Request 1.2.3.4 "GET /api/version HTTP/1.1" 200\n',
    });
    await pass(70_000);
    expect(asked('logged ping')).toBe(1);
    expect(client.streams).toHaveLength(1);
    client.echoes = false;
    await pass(70_000);
    expect(asked('logged ping')).toBe(2);
    expect(client.streams).toHaveLength(2);
    expect(client.open).toHaveLength(1);
    expect(collector.status('marlin')?.liveness).toBe('connected');
    // Its silence is checked every minute, but it is opened again every five minutes at most.
    client.say({
      type: 'log',
      source: 'proxy',
      text: '[INFO] Request 1.2.3.4 "GET /api/version HTTP/1.1" 200\n',
    });
    await pass(200_000);
    expect(client.streams).toHaveLength(2);
    await pass(200_000);
    expect(client.streams).toHaveLength(3);
  });

  it('replace a silent stream that carries no logs after five minutes', async () => {
    const { client, fleet, start, pass, asked } = world();
    client.features = { ...FEATURES_V250, logStream: true };
    client.listed = observedRows(1, 3);
    await start();
    await pass(299_000);
    expect(client.streams).toHaveLength(1);
    await pass(6_000);
    expect(client.streams).toHaveLength(2);
    expect(client.open).toHaveLength(1);
    expect(asked('logged ping')).toBe(0);
    expect(fleet.livenessWords('marlin')).toEqual(['reconnecting', 'connected']);
    expect(fleet.rowNames()).toEqual(['0/1', '0/2', '0/3']);
  });

  it('ask nothing but the event stream of a host behind a wake-on-LAN proxy', async () => {
    const { client, collector, start, pass } = world();
    client.features = {
      ...FEATURES_V250,
      activity: 'none',
      wolProxy: true,
      modelLogs: false,
    };
    await start();
    client.say(
      { type: 'models', models: [seen('a', 'starting')] },
      { type: 'models', models: [seen('a', 'stopped')] },
    );
    client.say({ type: 'activity-id', id: 4 });
    await pass(120_000);
    client.refusal = { kind: 'asleep' };
    client.closeStream();
    await pass(300_000);
    expect(collector.status('marlin')?.liveness).toBe('asleep');
    // The probe is the adapter's: it stops at the proxy's own text.
    expect(new Set(client.asked)).toEqual(new Set(['events', 'probe']));
  });

  it('close and open every stream at once when the process stood still', async () => {
    const { client, clock, start, pass } = world();
    await start();
    clock.jump(60_000);
    clock.advance(1_000);
    expect(client.open).toHaveLength(1);
    expect(client.streams).toHaveLength(2);
    await pass(1_000);
    expect(client.streams).toHaveLength(2);
  });
});

describe('the registry', () => {
  it('is followed: paused, resumed, moved, removed', async () => {
    const { client, fleet, collector, start, pass } = world();
    await start();
    collector.setHosts([{ ...MARLIN, paused: true }]);
    expect(client.open).toHaveLength(0);
    expect(collector.status('marlin')).toMatchObject({
      liveness: 'reconnecting',
      reason: 'Monitoring is paused.',
    });
    await pass(60_000);
    expect(client.open).toHaveLength(0);
    collector.setHosts([{ ...MARLIN, url: 'http://other.lan' }]);
    await pass(100);
    expect(collector.status('marlin')?.liveness).toBe('connected');
    const told = fleet.statuses.get('marlin')?.length;
    collector.setHosts([]);
    expect(client.open).toHaveLength(0);
    expect(collector.status('marlin')).toBeNull();
    expect(fleet.statuses.get('marlin')).toHaveLength(told ?? -1);
  });

  it('gives a host whose key was refused another try when it changes', async () => {
    const { client, collector, start, pass } = world();
    client.refusal = { kind: 'unauthorized' };
    await start();
    expect(collector.status('marlin')?.liveness).toBe('unauthorized');
    client.refusal = null;
    collector.setHosts([MARLIN]);
    await pass(100);
    expect(collector.status('marlin')?.liveness).toBe('connected');
  });

  it('tells of rows that a host took with it while the store was down', async () => {
    const { client, fleet, collector, start, pass } = world();
    client.listed = observedRows(1, 5);
    await start();
    // Rows 3 to 5 never reached the disk; the host has begun to count anew.
    fleet.rows.splice(2);
    client.listed = [observedRow(1, 9_000)];
    collector.resyncAll();
    await pass(1_000);
    expect(fleet.rowNames()).toEqual(['0/1', '0/2', 'gap 0/3…? host_restarted', '1/1']);
  });

  it('reads every host again when the store recovered', async () => {
    const { client, fleet, collector, start, pass } = world();
    client.listed = observedRows(1, 5);
    await start();
    fleet.rows.splice(2);
    collector.resyncAll();
    await pass(1_000);
    expect(fleet.rowNames()).toEqual(['0/1', '0/2', '0/3', '0/4', '0/5']);
  });
});
