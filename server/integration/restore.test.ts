import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { WebsocketProvider } from 'y-websocket';
import * as Y from 'yjs';
import { must } from '#shared/lib/assert.ts';
import { info } from '#shared/schemas/info.ts';
import { intentView, type IntentView } from '#shared/schemas/intent.ts';
import { intentRecord } from '#shared/schemas/intent-request.ts';
import { parseOutboxName } from '#sync/doc-name.ts';
import { putIntent } from '#sync/outbox-doc.ts';
import { runCli } from '../cli/run-cli.ts';
import { connectReplicas, until } from './convergence.ts';
import { DroverProcess } from './drover-process.ts';
import { EmulatorProcess } from './emulator-process.ts';

async function cli(drover: DroverProcess, ...args: string[]) {
  const argv = [...args, '--json', '--data-dir', drover.dataDir];
  return await runCli({ argv, env: {}, cwd: drover.dataDir });
}

async function viewOf(drover: DroverProcess, id: string): Promise<IntentView> {
  return intentView.parse(await (await drover.request(`/api/intents/${id}`)).json());
}

async function load(drover: DroverProcess, modelId: string): Promise<string> {
  const id = randomUUID();
  const body = { id, kind: 'model.load', target: { hostId: 'marlin', modelId }, whenDown: 'wait' };
  expect((await drover.request('/api/intents', { method: 'POST', body })).status).toBe(202);
  return id;
}

/** Puts a load into the outbox of a key, as its device would: made in `epoch`. */
async function queueInOutbox(drover: DroverProcess, key: string, load: { modelId: string; epoch: number }) {
  const name = await outboxOf(drover, key);
  const provider = new WebsocketProvider(`${drover.url.replace('http', 'ws')}/sync`, name, new Y.Doc(), {
    params: { key },
    disableBc: true,
  });
  onTestFinished(() => provider.destroy());
  await until(() => expect(provider.synced).toBe(true));
  const id = randomUUID();
  const target = { hostId: 'marlin', modelId: load.modelId };
  const record = { id, v: 1, kind: 'model.load', target, createdAt: Date.now(), epoch: load.epoch };
  putIntent(provider.doc, intentRecord.parse(record));
  return id;
}

async function outboxOf(drover: DroverProcess, key: string): Promise<string> {
  const reply = await fetch(`${drover.url}/api/info`, { headers: { authorization: `Bearer ${key}` } });
  return must(info.parse(await reply.json()).documents.outbox, 'an outbox');
}

async function epochOf(drover: DroverProcess, key: string): Promise<number> {
  return must(parseOutboxName(await outboxOf(drover, key)), 'its name').epoch;
}

test('what was queued when the backup was made is never done after a restore, and no device mixes two histories', async () => {
  const emulator = await EmulatorProcess.start('v250');
  const drover = await DroverProcess.start();
  await drover.addHost('marlin', emulator.url);
  await emulator.addRows(20);
  await until(async () => expect(await drover.newestRows()).toHaveLength(20));
  await drover.patchHost('marlin', { paused: true });
  const [replica] = await connectReplicas(drover, 1);
  const { key } = await drover.createKey('operator');
  const epoch = await epochOf(drover, key);
  const queued = await load(drover, 'demo-1');
  expect((await viewOf(drover, queued)).state).toBe('waiting');

  const file = join(drover.dataDir, 'drover.backup');
  expect(await cli(drover, 'backup', file)).toMatchObject({ exitCode: 0 });
  await drover.request(`/api/intents/${queued}/cancel`, { method: 'POST' });
  await drover.patchHost('marlin', { paused: false });
  await emulator.addRows(30);
  await until(async () => expect(await drover.newestRows()).toHaveLength(50));
  const { key: lateKey } = await drover.createKey('viewer');
  const before = (await drover.info()).documents;

  const refused = await cli(drover, 'restore', file);
  expect(refused.exitCode).toBe(3);
  expect(refused.error).toContain(`process ${drover.pid}`);
  await drover.kill('SIGTERM');
  const restored = await cli(drover, 'restore', file);
  expect(restored).toMatchObject({ exitCode: 0, error: '' });
  expect(JSON.parse(restored.out)).toMatchObject({ intentsRejected: 1, intentsUnknown: 0 });

  const closed = Promise.all(
    [replica?.fleet, replica?.tail].map(
      (provider) =>
        new Promise((resolve) => {
          provider?.on('connection-close', (event) => event?.code === 4404 && resolve(event.code));
        }),
    ),
  );
  await drover.startAgain();
  expect(await closed).toEqual([4404, 4404]);
  const after = (await drover.info()).documents;
  expect(after.fleet).not.toBe(before.fleet);
  expect(after.tail).not.toBe(before.tail);
  // A key younger than the backup is nobody's; the admin's device is older.
  expect((await drover.request('/api/hosts')).status).toBe(200);
  const asLate = await fetch(`${drover.url}/api/hosts`, { headers: { authorization: `Bearer ${lateKey}` } });
  expect(asLate.status).toBe(401);

  await drover.patchHost('marlin', { paused: false });
  // What the host still has of the lost hours is fetched again.
  await until(async () => expect(await drover.newestRows()).toHaveLength(50));
  expect(await viewOf(drover, queued)).toMatchObject({ state: 'rejected', code: 'history_restored' });
  // A device that was away comes with what it asked for in the history that is gone; what it asks for now is done.
  const lost = await queueInOutbox(drover, key, { modelId: 'demo-3', epoch });
  await until(async () => expect((await viewOf(drover, lost)).code).toBe('history_restored'));
  const asked = await queueInOutbox(drover, key, { modelId: 'demo-2', epoch: await epochOf(drover, key) });
  await until(async () => expect((await viewOf(drover, asked)).state).toBe('succeeded'));
  const loads = (await emulator.effects()).filter(({ kind }) => kind === 'loading');
  expect(loads.map(({ modelId }) => modelId)).toEqual(['demo-2']);
  expect(JSON.parse((await cli(drover, 'audit', 'verify')).out)).toMatchObject({
    ok: true,
    restores: [{ record: expect.any(Number) }],
  });
}, 60_000);
