import { afterEach, expect, test, vi } from 'vitest';
import * as Y from 'yjs';
import type { Model } from '#shared/schemas/model.ts';
import { FleetEntries } from '#sync/fleet-doc.ts';
import { ledgerCell } from '../intents/intent-cells.ts';
import { hostOf } from '../testing/fleet.ts';
import { intentViewOf } from '../testing/intents.ts';
import { fleetCell, hostById, modelsByHost, modelsCell } from '../fleet-state.ts';
import { segment, request } from '../testing/activity.ts';
import { stubFrames, unstubFrames } from '../testing/frames.ts';
import { FleetView } from './fleet-view.ts';

const HOST = hostOf({ id: 'marlin' });
const MODEL: Model = {
  hostId: 'marlin',
  modelId: 'coder/30b',
  name: 'coder',
  description: '',
  state: 'ready',
  since: 1,
  observedAt: 2,
  aliases: [],
  peerId: null,
  unlisted: false,
  contextLength: null,
  capabilities: [],
  failedStart: null,
};

let view: FleetView | null = null;
afterEach(() => {
  view?.stop();
  unstubFrames();
  vi.restoreAllMocks();
});

function setUp() {
  const paint = stubFrames();
  const doc = new Y.Doc();
  const entries = new FleetEntries(doc);
  const manifests: string[][] = [];
  view = new FleetView({ doc, onManifest: (listed) => manifests.push(listed.map(({ key }) => key)) });
  return { paint, doc, entries, manifests, view };
}

test('hosts and models are shown at the next paint, and an unchanged one keeps its object', () => {
  const { entries, paint } = setUp();
  entries.set('host/marlin', HOST);
  entries.set('host/heron', { ...HOST, id: 'heron', label: 'heron' });
  entries.set('model/marlin/coder/30b', MODEL);
  expect(fleetCell.get()).toMatchObject({ loaded: false, hosts: [] });
  paint();
  expect(fleetCell.get().loaded).toBe(true);
  expect(fleetCell.get().hosts.map(({ id }) => id)).toEqual(['heron', 'marlin']);
  expect(modelsByHost.at('marlin').get()).toMatchObject([{ modelId: 'coder/30b', state: 'ready' }]);
  const heron = hostById.at('heron').get();
  const models = modelsByHost.at('marlin').get();
  entries.set('host/marlin', { ...HOST, liveness: 'down' });
  paint();
  expect(hostById.at('marlin').get()?.liveness).toBe('down');
  expect(hostById.at('heron').get()).toBe(heron);
  expect(modelsByHost.at('marlin').get()).toBe(models);
});

test('a deleted or unreadable entry is gone, not shown with its old value', () => {
  const { entries, paint } = setUp();
  entries.set('host/marlin', HOST);
  entries.set('model/marlin/coder/30b', MODEL);
  paint();
  entries.set('host/marlin', { ...HOST, liveness: 'dancing' });
  entries.delete('model/marlin/coder/30b');
  paint();
  expect(fleetCell.get().hosts).toEqual([]);
  expect(hostById.at('marlin').get()).toBeNull();
  expect(modelsCell.get()).toEqual([]);
});

test('the manifest is given whole when it changes', () => {
  const { entries, manifests, paint } = setUp();
  const { entry } = segment('2026-11-30T11.0', [request()]);
  entries.set('segment/activity/2026-11-30T11.0', entry);
  paint();
  entries.set('host/marlin', HOST);
  paint();
  entries.delete('segment/activity/2026-11-30T11.0');
  paint();
  expect(manifests).toEqual([['2026-11-30T11.0'], []]);
});

test('the ledger is shown by intent id, and what it no longer lists is gone', () => {
  const { entries, paint } = setUp();
  const open = intentViewOf('0199c3a4-7d10-7c55-9b1e-52f0a1c0de77');
  const ended = { ...intentViewOf('0199c3a4-7d10-7c55-9b1e-52f0a1c0de78'), state: 'succeeded' as const };
  entries.set(`ledger/${open.id}`, open);
  entries.set(`ledger/${ended.id}`, ended);
  paint();
  expect([...ledgerCell.get().keys()].sort()).toEqual([open.id, ended.id]);
  const before = ledgerCell.get().get(open.id);
  entries.delete(`ledger/${ended.id}`);
  paint();
  expect([...ledgerCell.get()]).toEqual([[open.id, before]]);
});

test('an empty fleet is loaded once it is in step, and unloaded when the view ends', () => {
  const { paint, view } = setUp();
  paint();
  expect(fleetCell.get().loaded).toBe(false);
  view.setLoaded();
  paint();
  expect(fleetCell.get()).toMatchObject({ loaded: true, hosts: [] });
  view.stop();
  expect(fleetCell.get().loaded).toBe(false);
});

test('a manifest is told whole, however many frames a slow device takes to read it', () => {
  const { entries, manifests, paint } = setUp();
  // Each look at the clock takes longer than a frame has.
  let now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => (now += 100));
  const keys = Array.from({ length: 5 }, (_, hour) => `hour-${hour}`);
  for (const key of keys) {
    const { entry } = segment(key, [request()]);
    entries.set(`segment/activity/${key}`, entry);
  }
  for (let frame = 0; frame < 4; frame += 1) paint();
  expect(manifests).toEqual([]);
  for (let frame = 0; frame < 4; frame += 1) paint();
  expect(manifests).toEqual([keys]);
});

test('hosts and their models are shown together, not in every frame that it takes to read them', () => {
  const { entries, paint } = setUp();
  // Each look at the clock takes a frame, so that an entry is read in each.
  let now = performance.now();
  vi.spyOn(performance, 'now').mockImplementation(() => (now += 25));
  entries.set('host/marlin', HOST);
  entries.set('host/heron', { ...HOST, id: 'heron', label: 'heron' });
  entries.set('model/marlin/coder/30b', MODEL);
  const shown: number[] = [];
  const unsubscribe = fleetCell.subscribe(() => shown.push(fleetCell.get().hosts.length));
  paint();
  paint();
  expect(shown).toEqual([]);
  paint();
  unsubscribe();
  expect(shown).toEqual([2]);
  expect(modelsCell.get()).toHaveLength(1);
});

test('a large fleet is shown in parts on a slow device', () => {
  const { entries, paint } = setUp();
  let now = performance.now();
  vi.spyOn(performance, 'now').mockImplementation(() => (now += 300));
  entries.set('host/marlin', HOST);
  entries.set('host/heron', { ...HOST, id: 'heron', label: 'heron' });
  paint();
  expect(fleetCell.get().hosts).toHaveLength(1);
  paint();
  expect(fleetCell.get().hosts).toHaveLength(2);
});
