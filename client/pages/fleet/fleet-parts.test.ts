import { describe, expect, test } from 'vitest';
import type { Host } from '#shared/schemas/host.ts';
import type { InFlight } from '#shared/schemas/in-flight.ts';
import type { Model } from '#shared/schemas/model.ts';
import { failureKey } from '../../data/seen-failures.ts';
import type { IntentEntry } from '../../data/intents/types.ts';
import { hostOf, modelOf } from '../../data/testing/fleet.ts';
import { intentEntry } from '../../data/testing/intent-entry.ts';
import { runningRequests } from '../frame/running-view.ts';
import { keptOrder, misplacedCount, sortedIds } from './card-order.ts';
import { matchingHosts } from './fleet-filter.ts';
import { parseFleetSearch } from './fleet-search.ts';
import { fleetSummary } from './fleet-summary.ts';
import type { HostFacts } from '../host-parts/host-view.ts';
import { hostActionBlock } from '../host-parts/host-action-block.ts';
import { needsYouIntents } from './needs-you-intents.ts';
import type { NeedsYouContext } from './needs-you-view.ts';
import { needsYou } from './needs-you-view.ts';

const now = new Date(2026, 10, 30, 14, 11, 4).getTime();
const host = (id: string, change: Partial<Host> = {}): Host =>
  hostOf({ id, url: `http://${id}`, since: now - 30 * 60_000, lastSeenAt: now, ...change });
const model = (modelId: string, change: Partial<Model> = {}): Model =>
  modelOf({ hostId: 'h', modelId, since: now, observedAt: now, ...change });
const inFlight = (hostId: string, total: number | null): InFlight => ({
  hostId,
  total,
  requests: null,
  observedAt: now,
});
const facts = (one: Host, models: readonly Model[] = [], flight: InFlight | null = null): HostFacts => ({
  host: one,
  models,
  inFlight: flight,
});

describe('the order of the cards', () => {
  const hosts = [host('kestrel', { liveness: 'down' }), host('bluefin'), host('heron-2'), host('heron-10')];

  test('is live first, then by name, numbers as numbers', () => {
    expect(sortedIds(hosts)).toEqual(['bluefin', 'heron-2', 'heron-10', 'kestrel']);
  });

  test('stays when a host goes down; it is counted instead', () => {
    const shown = sortedIds(hosts);
    const later = hosts.map((one) => (one.id === 'bluefin' ? host('bluefin', { liveness: 'down' }) : one));
    expect(keptOrder(shown, later)).toBe(shown);
    expect(misplacedCount(shown, later)).toBe(3);
  });

  test('appends what is new and drops what is gone', () => {
    const shown = ['kestrel', 'bluefin'];
    expect(keptOrder(shown, [host('bluefin'), host('aal')])).toEqual(['bluefin', 'aal']);
  });
});

describe('Needs you', () => {
  const LIVE: NeedsYouContext = { hop: { kind: 'live' }, now, seen: new Set() };
  const fleet = [
    facts(host('tern', { liveness: 'unauthorized', reason: '401: the host does not accept the key.' })),
    facts(host('marlin'), [
      model('glm', {
        state: 'stopped',
        failedStart: { at: now - 540_000, reason: 'out of memory.', lines: [] },
      }),
    ]),
    facts(host('kestrel', { liveness: 'down', reason: 'Connection refused. llama-swap may have stopped.' })),
    facts(host('off', { liveness: 'down', paused: true })),
  ];

  test('names what is down first, then failed starts, then refused keys; not what is paused', () => {
    expect(needsYou(fleet, LIVE).map(({ title, detail }) => `${title}: ${detail}`)).toEqual([
      'kestrel is down: connection refused, 30 min',
      'glm failed to start on marlin: out of memory, 14:02',
      'tern refuses the key: 401 since 13:41',
    ]);
  });

  test('speaks of the past while the collector is away', () => {
    const items = needsYou(fleet, { ...LIVE, hop: { kind: 'away', asOf: now - 9000 } });
    expect(items.map(({ title }) => title)).toEqual([
      'kestrel was down',
      'glm failed to start on marlin',
      'tern refused the key',
    ]);
    expect(items[0]?.detail).toBe('connection refused from 13:41');
  });

  test('leaves out a failed start that was read here, but not the next one, nor one from before a restart', () => {
    const seen = new Set([failureKey('marlin', 'glm', now - 540_000)]);
    const titles = (models: readonly Model[], context = LIVE): readonly string[] =>
      needsYou([facts(host('marlin'), models)], context).map(({ title }) => title);
    const failedAt = (at: number, more = {}) =>
      model('glm', { state: 'stopped', failedStart: { at, reason: 'x', lines: [], ...more } });
    expect(titles([failedAt(now - 540_000)], { ...LIVE, seen })).toEqual([]);
    expect(titles([failedAt(now)], { ...LIVE, seen })).toEqual(['glm failed to start on marlin']);
    expect(titles([failedAt(now, { beforeRestart: true })])).toEqual([]);
  });
});

describe('what this device asked for', () => {
  test('stands there when it failed, but a failed start only as its model', () => {
    const titles = (change: Partial<IntentEntry>): readonly string[] =>
      needsYouIntents([intentEntry({ state: 'failed', ...change })], [host('marlin')], now).map(
        ({ title }) => title,
      );
    expect(titles({ kind: 'model.unload', code: 'still_loaded' })).toEqual(['Unload coder: failed']);
    expect(titles({ kind: 'model.load', code: 'not_loaded' })).toEqual(['Load coder: failed']);
    expect(titles({ kind: 'model.load', code: 'start_failed' })).toEqual([]);
    expect(titles({ state: 'needs_confirmation' })).toEqual(['Unload coder: confirm again']);
  });
});

describe('the summary', () => {
  const fleet = [
    facts(host('a'), [model('x'), model('y', { state: 'stopped' })], inFlight('a', 2)),
    facts(host('b'), [model('z')], inFlight('b', null)),
    facts(host('c', { liveness: 'down' }), [model('w')]),
  ];

  test('counts live hosts only and says what is not known', () => {
    expect(fleetSummary(fleet, { kind: 'live' }, now)).toBe(
      '3 hosts, 2 live · 2 models ready · requests running 2, unknown on 1',
    );
    expect(fleetSummary(fleet.slice(0, 1), { kind: 'live' }, now)).toBe(
      '1 host, 1 live · 1 model ready · 2 requests running',
    );
    expect(fleetSummary(fleet.slice(2), { kind: 'live' }, now)).toBe('1 host, none live');
    expect(fleetSummary([], { kind: 'live' }, now)).toBe('no hosts yet');
  });

  test('carries its moment while the collector is away, then only what was', () => {
    expect(fleetSummary(fleet, { kind: 'away', asOf: now - 9000 }, now)).toContain('2 live at 14:10:55');
    expect(fleetSummary(fleet, { kind: 'away', asOf: now - 19 * 60_000 }, now)).toBe(
      '3 hosts, 2 were live at 13:52',
    );
  });
});

test('filters find hosts by name and by model, and trouble by state', () => {
  const fleet = [
    facts(host('bluefin'), [model('qwen3-coder')]),
    facts(host('kestrel', { liveness: 'down' })),
  ];
  const ids = (search: Parameters<typeof matchingHosts>[1]) =>
    matchingHosts(fleet, search).map(({ host: h }) => h.id);
  expect(ids({ q: 'CODER' })).toEqual(['bluefin']);
  expect(ids({ q: 'kes' })).toEqual(['kestrel']);
  expect(ids({ show: 'trouble' })).toEqual(['kestrel']);
  expect(ids({ q: 'nothing' })).toEqual([]);
  expect(parseFleetSearch({ show: 'all', q: '', layout: 'grid' })).toEqual({});
  expect(parseFleetSearch({ show: 'models', q: 'x' })).toEqual({ show: 'models', q: 'x' });
});

test('running requests advance from when they were seen, the longest first, unknown last', () => {
  const request = (id: string, elapsedMs: number | null) => ({
    id,
    modelId: 'm',
    path: null,
    method: null,
    elapsedMs,
    observedAt: now - 5000,
    source: null,
  });
  const view = runningRequests(
    [
      {
        hostId: 'a',
        total: 3,
        observedAt: now,
        requests: [request('1', 7000), request('2', null), request('3', 42_000)],
      },
      inFlight('b', 2),
      inFlight('c', null),
    ],
    now,
  );
  expect(view.total).toBe(5);
  expect(view.requests.map(({ id, elapsedMs }) => [id, elapsedMs])).toEqual([
    ['3', 47_000],
    ['1', 12_000],
    ['2', null],
  ]);
});

test('what cannot be changed says why', () => {
  const ok = { host: { managedByFile: false, demo: false }, isAdmin: true, isLive: true };
  expect(hostActionBlock(ok)).toBeNull();
  expect(hostActionBlock({ ...ok, host: { managedByFile: true, demo: false } })).toBe('Set in drover.yaml');
  expect(hostActionBlock({ ...ok, isAdmin: false })).toBe('Admins only');
  expect(hostActionBlock({ ...ok, isLive: false })).toBe('This needs the collector');
  expect(hostActionBlock({ ...ok, host: { managedByFile: false, demo: true } })).toBe(
    'Part of the demo fleet',
  );
});
