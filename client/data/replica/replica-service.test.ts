import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Info } from '#shared/schemas/info.ts';
import { PROTOCOL_VERSION } from '#shared/protocol-version.ts';
import { FleetEntries } from '#sync/fleet-doc.ts';
import { totalsCell } from '../captures/totals-cell.ts';
import { connectionCell } from '../connection-state.ts';
import { fleetCell } from '../fleet-state.ts';
import { outboxNameCell } from '../intents/intent-cells.ts';
import * as note from '../restored-history.ts';
import { queryClient } from '../query-client.ts';
import { savedViews, saveView } from '../saved-views.ts';
import { sessionCell } from '../session-state.ts';
import { DocumentServer } from '../testing/document-server.ts';
import { hostOf } from '../testing/fleet.ts';
import * as copies from './copy-databases.ts';
import { ReplicaService } from './replica-service.ts';

/** The history worker decodes rows; here nobody looks at any. */
class SilentWorker extends EventTarget {
  postMessage(): void {}
  terminate(): void {}
}

vi.mock(import('../restored-history.ts'), { spy: true });
vi.mock(import('./copy-databases.ts'), { spy: true });

let server: DocumentServer;
let ending: AbortController;
let info: Info | null;
const tooOld = vi.fn<() => void>();

beforeEach(async () => {
  server = await DocumentServer.start();
  ending = new AbortController();
  info = {
    version: '0',
    protocol: PROTOCOL_VERSION,
    serverTime: Date.now(),
    syncPath: '/sync',
    documents: { fleet: 'fleet@g1', tail: 'tail@g1', outbox: 'outbox:d1@e1' },
    capabilities: [],
    role: 'operator',
    device: { id: 'd1', label: 'ana-phone' },
  };
  const page = Object.assign(new EventTarget(), { visibilityState: 'visible' });
  const events = new EventTarget();
  vi.stubGlobal('document', page);
  vi.stubGlobal('location', { origin: server.url.replace(/^ws/, 'http') });
  vi.stubGlobal('addEventListener', events.addEventListener.bind(events));
  vi.stubGlobal('Worker', SilentWorker);
  vi.stubGlobal('requestAnimationFrame', (task: () => void) => setTimeout(task, 0));
  vi.stubGlobal('cancelAnimationFrame', clearTimeout);
  vi.stubGlobal('fetch', () =>
    info === null ? Promise.reject(new TypeError('no network')) : Promise.resolve(Response.json(info)),
  );
  tooOld.mockClear();
  vi.mocked(note.noteRestoredHistory).mockClear();
  vi.mocked(copies.deleteCaptures).mockClear();
});

afterEach(async () => {
  ending.abort();
  await server.stop();
  vi.unstubAllGlobals();
});

function start(): ReplicaService {
  const service = new ReplicaService(tooOld);
  service.start(ending.signal);
  return service;
}

function write(name: string, label: string): void {
  new FleetEntries(server.doc(name)).set('host/marlin', hostOf({ id: 'marlin', label }));
}

const labels = (): readonly string[] => fleetCell.get().hosts.map(({ label }) => label);

test('it asks who we are, follows the documents that are named, and is live', async () => {
  write('fleet@g1', 'first');
  start();
  await vi.waitFor(() => expect(connectionCell.get().kind).toBe('live'));
  await vi.waitFor(() => expect(labels()).toEqual(['first']));
  expect(sessionCell.get()).toMatchObject({ status: 'signed-in', role: 'operator', device: { id: 'd1' } });
  expect(outboxNameCell.get()).toBe('outbox:d1@e1');
  write('fleet@g1', 'second');
  await vi.waitFor(() => expect(labels()).toEqual(['second']));
});

test('a generation that is gone is dropped for the one that is named now', async () => {
  write('fleet@g1', 'before the restore');
  start();
  await vi.waitFor(() => expect(labels()).toEqual(['before the restore']));
  write('fleet@g2', 'after the restore');
  if (info !== null) info = { ...info, documents: { fleet: 'fleet@g2', tail: 'tail@g2' } };
  server.cut(4404, 'generation gone');
  await vi.waitFor(() => expect(labels()).toEqual(['after the restore']));
  await vi.waitFor(() => expect(connectionCell.get().kind).toBe('live'));
  expect(outboxNameCell.get()).toBeNull();
  expect(note.noteRestoredHistory).toHaveBeenCalledOnce();
});

test('another session in this browser is no history that went back', async () => {
  write('fleet@g1', 'mine');
  const service = start();
  await vi.waitFor(() => expect(connectionCell.get().kind).toBe('live'));
  if (info !== null) info = { ...info, device: { id: 'd2', label: 'ana-laptop' } };
  await service.refresh();
  await vi.waitFor(() => expect(sessionCell.get().device?.id).toBe('d2'));
  await vi.waitFor(() => expect(connectionCell.get().kind).toBe('live'));
  expect(note.noteRestoredHistory).not.toHaveBeenCalled();
});

test('a session that ran out leaves what is on screen, a revoked one nothing', async () => {
  write('fleet@g1', 'kept');
  start();
  await vi.waitFor(() => expect(labels()).toEqual(['kept']));
  server.cut(4401, 'expired');
  await vi.waitFor(() => expect(connectionCell.get().kind).toBe('sign-in'));
  expect(labels()).toEqual(['kept']);
  expect(sessionCell.get()).toMatchObject({ status: 'signed-out', device: { id: 'd1' } });
});

test('a revoked device loses session, outbox and copy', async () => {
  write('fleet@g1', 'gone');
  start();
  await vi.waitFor(() => expect(labels()).toEqual(['gone']));
  saveView({ name: 'Ana’s laptop', search: { source: ['10.0.0.8'] } });
  server.cut(4401, 'revoked');
  await vi.waitFor(() => expect(connectionCell.get().kind).toBe('removed'));
  expect(sessionCell.get()).toEqual({ status: 'signed-out', role: null, device: null });
  expect(outboxNameCell.get()).toBeNull();
  expect(labels()).toEqual([]);
  expect(savedViews.get()).toEqual([]);
});

test('a device that is made a viewer keeps no captures, without opening a request', async () => {
  const service = start();
  await vi.waitFor(() => expect(connectionCell.get().kind).toBe('live'));
  totalsCell.set({ count: 2, bytes: 4_000 });
  await service.refresh();
  expect(copies.deleteCaptures).not.toHaveBeenCalled();
  expect(totalsCell.get()).toEqual({ count: 2, bytes: 4_000 });
  if (info !== null) info = { ...info, role: 'viewer' };
  await service.refresh();
  expect(copies.deleteCaptures).toHaveBeenCalledExactlyOnceWith('d1');
  expect(totalsCell.get()).toBeNull();
});

test('a newer protocol asks for a newer app, and opens nothing', async () => {
  if (info !== null) info = { ...info, protocol: PROTOCOL_VERSION + 1 };
  start();
  await vi.waitFor(() => expect(connectionCell.get().kind).toBe('app-too-old'));
  expect(tooOld).toHaveBeenCalledOnce();
  expect(server.asked).toEqual([]);
});

test('signing out wipes only when the collector agreed', async () => {
  write('fleet@g1', 'mine');
  const service = start();
  await vi.waitFor(() => expect(labels()).toEqual(['mine']));
  const error = {
    ok: false,
    status: null,
    code: 'network',
    message: '',
    retryAfterMs: null,
    details: [],
  } as const;
  saveView({ name: 'Ana’s laptop', search: { source: ['10.0.0.8'] } });
  totalsCell.set({ count: 2, bytes: 4_000 });
  queryClient.setQueryData(['whole-history'], ['a row']);
  expect(await service.signOut(() => Promise.resolve(error))).toBe(error);
  expect(labels()).toEqual(['mine']);
  expect(savedViews.get()).toHaveLength(1);
  expect(queryClient.getQueryData(['whole-history'])).toEqual(['a row']);
  await service.signOut(() => Promise.resolve({ ok: true, status: 204, value: null }));
  expect(labels()).toEqual([]);
  expect(savedViews.get()).toEqual([]);
  expect(totalsCell.get()).toBeNull();
  expect(queryClient.getQueryData(['whole-history'])).toBeUndefined();
  expect(connectionCell.get().kind).toBe('sign-in');
});
