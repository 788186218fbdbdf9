import { expect, onTestFinished, test } from 'vitest';
import { WebSocket } from 'ws';
import * as Y from 'yjs';
import { must } from '#shared/lib/assert.ts';
import { ROLES, type Role } from '#shared/schemas/auth.ts';
import { encodeUpdate } from '#sync/sync-frame.ts';
import { formatOutboxName } from '#sync/doc-name.ts';
import { fleetEntries } from '#sync/fleet-doc.ts';
import { connectReplicas, until } from './convergence.ts';
import { DroverProcess } from './drover-process.ts';

type Caller = { readonly name: string; readonly headers: Record<string, string>; readonly role: Role | null };
type Access = (caller: Caller) => string;

const forWhoIsKnown =
  (answer: string): Access =>
  ({ role }) =>
    role === null ? '4401' : answer;

/** Every document with who gets it: one that is added without being tried here fails. */
const DOCUMENTS: Readonly<Record<string, Access>> = {
  fleet: forWhoIsKnown('open'),
  tail: forWhoIsKnown('open'),
  // The one of the device that asks for the names: nobody else's, whatever their role.
  outbox: forWhoIsKnown('4403'),
};

/** A write nobody may make. */
function forgedUpdate(): Uint8Array {
  const doc = new Y.Doc();
  fleetEntries(doc).push([{ k: 'host/forged', v: { id: 'forged' } }]);
  return encodeUpdate(Y.encodeStateAsUpdate(doc));
}

/** Opens a document and writes to it; `open` when it was answered, else the code of the close. */
async function tryDocument(drover: DroverProcess, document: string, caller: Caller): Promise<string> {
  const socket = new WebSocket(`${drover.url.replace('http', 'ws')}/sync/${document}`, {
    headers: caller.headers,
  });
  onTestFinished(() => socket.terminate());
  return await new Promise((resolve) => {
    // The first frame of a document is the server's step 1, `[0, 0, …]`; a refusal is `[2, 0, reason]` and the close.
    socket.on('message', (data) => {
      if (!Buffer.isBuffer(data) || data[0] !== 0) return;
      socket.send(forgedUpdate(), () => resolve('open'));
    });
    socket.once('close', (code) => resolve(String(code)));
    socket.once('error', (error) => resolve(error.message));
  });
}

test('sockets open for whom they are, and nobody writes what the collector writes', async () => {
  const drover = await DroverProcess.start();
  await drover.addHost('marlin', 'http://127.0.0.1:9');
  const callers: Caller[] = [
    { name: 'nobody', headers: {}, role: null },
    { name: 'wrong key', headers: { authorization: `Bearer drv_${'x'.repeat(43)}` }, role: null },
    { name: 'wrong cookie', headers: { cookie: 'drover_session=nothing' }, role: null },
  ];
  for (const role of ROLES) {
    const { key } = await drover.createKey(role);
    callers.push({ name: `key ${role}`, headers: { authorization: `Bearer ${key}` }, role });
    callers.push({ name: `device ${role}`, headers: { cookie: await drover.pairDevice(role) }, role });
  }
  const documents = Object.entries((await drover.info()).documents).flatMap(([kind, name]) =>
    name === undefined ? [] : [[kind, name] as const],
  );
  for (const [kind, document] of documents) {
    const access = must(DOCUMENTS[kind], `who may open ${kind}`);
    const answers = await Promise.all(callers.map((caller) => tryDocument(drover, document, caller)));
    const named = (list: readonly string[]) => callers.map(({ name }, index) => `${name}: ${list[index]}`);
    expect([kind, ...named(answers)]).toEqual([kind, ...named(callers.map(access))]);
  }
  const viewer = await drover.createKey('viewer');
  const asViewer = { name: '', headers: { authorization: `Bearer ${viewer.key}` }, role: 'viewer' } as const;
  expect(await tryDocument(drover, formatOutboxName(viewer.id, 1), asViewer)).toBe('4403');
  const foreign = {
    name: '',
    headers: { ...callers.at(-1)?.headers, origin: 'https://elsewhere.example' },
    role: null,
  };
  expect(await tryDocument(drover, must(documents[0], 'a document')[1], foreign)).toContain('403');

  const [reader] = await connectReplicas(drover, 1);
  await until(() => expect([...(reader?.records().hosts.keys() ?? [])]).toEqual(['host/marlin']));
  expect((await drover.hosts()).map(({ id }) => id)).toEqual(['marlin']);
}, 60_000);
