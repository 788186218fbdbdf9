import { expect, onTestFinished, test } from 'vitest';
import { startTestHost } from '../testing/recorded-host.ts';
import { connectReplicas, expectConverged, until } from './convergence.ts';
import { DroverProcess } from './drover-process.ts';
import { EmulatorProcess } from './emulator-process.ts';
import type { Replica } from './replica.ts';

const YEAR_MS = 365 * 86_400_000;

const NAMES = [
  'org/repo-GGUF:UD-Q4_K_XL',
  'claude-opus-4-8[1m]',
  'GLM-4.7-Flash Tool 40K',
  '../../etc/passwd',
  '🦙🔥 llama 𝕏',
  '\u202Egnp.exe',
  'שלום עולם',
  '__proto__',
  'constructor',
  'toString',
  'nul\u0000inside',
  '\ud800 alone',
  'a"b\n<script>alert(1)</script>',
  '%2e%2e%2f?x=1#y',
  ' ',
];
const LONG_NAME = 'x'.repeat(1_500);

/** What a name becomes: a text that can be stored, and no longer than an id may be. */
function storedName(name: string): string {
  const cut = name.length > 1_024 ? `${name.slice(0, 1_023)}…` : name;
  return cut.toWellFormed().replaceAll('\0', '\uFFFD');
}

async function world(): Promise<{ drover: DroverProcess; replica: Replica }> {
  const drover = await DroverProcess.start();
  const [replica] = await connectReplicas(drover, 1);
  if (!replica) throw new Error('one replica');
  return { drover, replica };
}

function requestsOf(replica: Replica, hostId: string) {
  return [...replica.seen.values()].flatMap((row) =>
    row.type === 'request' && row.hostId === hostId ? [row] : [],
  );
}

test('hosts that send nonsense stay connected, and every row that could be read is there', async () => {
  const { drover, replica } = await world();
  const flat = await EmulatorProcess.start('v217');
  const paged = await EmulatorProcess.start('v262');
  await drover.addHost('flat', flat.url);
  await drover.addHost('paged', paged.url);
  for (const id of ['flat', 'paged']) {
    await until(() => expect(replica.records().hosts.get(`host/${id}`)?.liveness).toBe('connected'));
  }
  for (const emulator of [flat, paged]) {
    for (const bytes of [
      'data:[1,2\n\n:\n\nnonsense\n\n',
      'event:message\ndata:{"type":7}\n\n',
      '\u0000\ufeffdata:\n\n',
    ]) {
      await emulator.command('frame', { bytes });
    }
    await emulator.command('frame', {
      bytes: `event:message\ndata:{"type":"logData","data":"${'x'.repeat(5_000_000)}"}\n\n`,
    });
    for (const type of ['modelStatus', 'metrics', 'activity', 'inflight', 'logData', 'uiConfig', 'novelty']) {
      for (const data of [
        'null',
        '[]x',
        '[null,7,"x",{}]',
        '{"id":"many","total":-3,"requests":null}',
        '[]',
      ]) {
        // No models is a message as well (Go's null is an empty list): the host has none until it says otherwise.
        if (type !== 'modelStatus' || (data !== '[]' && data !== 'null'))
          await emulator.command('message', { type, data });
      }
    }
  }
  const row = { timestamp: '2026-11-30T10:00:00Z', model: 'twice', req_path: '/v1/x', resp_status_code: 200 };
  const twice = [0, 0, 1, 1].map((id) => ({ ...row, id, tokens: { input_tokens: 4, output_tokens: 2 } }));
  await flat.command('message', {
    type: 'metrics',
    data: JSON.stringify([...twice, { id: 2, timestamp: 'soon' }]),
  });
  await flat.addRows(20);
  await paged.addRows(20);
  await until(async () => {
    const rows = await drover.allRows();
    for (const id of ['flat', 'paged'])
      expect(
        rows.filter((shown) => shown.type === 'request' && shown.hostId === id && shown.modelId !== 'twice'),
      ).toHaveLength(20);
  });
  await expectConverged(drover, [replica]);
  for (const { id, liveness } of await drover.hosts()) expect([id, liveness]).toEqual([id, 'connected']);
  expect(await drover.models('flat')).toHaveLength(3);
}, 120_000);

test('names of every kind arrive as they are, in models and in activity', async () => {
  const { drover, replica } = await world();
  const names = [...NAMES, LONG_NAME];
  const emulator = await EmulatorProcess.start('v262', {
    config: { models: names.map((id) => ({ id, name: id, aliases: [`alias of ${id}`] })) },
  });
  await emulator.command('rows', {
    rows: names.map((model) => ({ model, path: `/v1/${model}`, status: 500, error: model, source: model })),
  });
  await drover.addHost('marlin', emulator.url);
  const stored = names.map(storedName).sort();
  await until(() => expect(requestsOf(replica, 'marlin')).toHaveLength(names.length));
  expect(
    requestsOf(replica, 'marlin')
      .map(({ modelId }) => modelId)
      .sort(),
  ).toEqual(stored);
  await until(async () =>
    expect((await drover.models()).map(({ modelId }) => modelId).sort()).toEqual(stored),
  );
  await expectConverged(drover, [replica]);
  for (const modelId of stored) {
    expect(await drover.allRows(`&modelId=${encodeURIComponent(modelId)}`)).toHaveLength(1);
  }
  for (const q of ['🦙', '__proto__', '\u202E', '%2e', 'שלום']) {
    expect((await drover.allRows(`&q=${encodeURIComponent(q)}`)).length).toBeGreaterThan(0);
  }
  await emulator.command('load', { modelId: '__proto__' });
  await until(() => expect(replica.records().models.get('model/marlin/__proto__')?.state).toBe('ready'));
}, 120_000);

test('clocks that are years off stop nobody, and rows keep the time their host gave them', async () => {
  const { drover, replica } = await world();
  const skews = { ahead: 4 * YEAR_MS, behind: -20 * YEAR_MS };
  for (const [id, skewMs] of Object.entries(skews)) {
    const emulator = await EmulatorProcess.start('v250');
    await emulator.command('clock', { skewMs });
    await emulator.addRows(5);
    await drover.addHost(id, emulator.url);
    await until(() => expect(replica.records().hosts.get(`host/${id}`)?.liveness).toBe('connected'));
    await emulator.addRows(5);
    await until(() => expect(requestsOf(replica, id)).toHaveLength(10));
    const offset = replica.records().hosts.get(`host/${id}`)?.clockOffsetMs ?? 0;
    expect(Math.abs(offset + skewMs)).toBeLessThan(60_000);
    for (const row of requestsOf(replica, id)) {
      expect(Math.abs(row.endedAt - Date.now() - skewMs)).toBeLessThan(120_000);
    }
  }
  await expectConverged(drover, [replica]);
}, 120_000);

test('a host that is none says so in words, and so does one whose answers are of the wrong kind', async () => {
  const { drover } = await world();
  const page = await EmulatorProcess.start('v250');
  await page.command('front-door', { kind: 'html' });
  const events = 'retry: 1\n\nevent:message\ndata:{"type":"modelStatus","data":"null"}\n\n';
  const odd = await startTestHost((request, response) => {
    if (request.url === '/api/events') {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(events);
      return;
    }
    const body = request.url?.startsWith('/api/version') ? '{"version":7,"commit":null}' : 'null';
    response.writeHead(200, { 'content-type': 'application/json', date: 'yesterday' }).end(body);
  });
  onTestFinished(() => odd.close());
  await drover.addHost('page', page.url);
  await drover.addHost('odd', odd.url);
  await until(async () => expect((await drover.host('page')).liveness).toBe('incompatible'));
  expect((await drover.host('page')).reason).toMatch(/^It answers, but not as llama-swap/);
  await until(async () => expect((await drover.host('odd')).liveness).toBe('incompatible'));
  // Nothing is made up from what cannot be read.
  expect(await drover.host('odd')).toMatchObject({
    version: null,
    reason: expect.stringMatching(/^It answers, but not as llama-swap: its \/api\/version/),
  });
  expect(await drover.models('odd')).toEqual([]);
  expect(await drover.allRows()).toEqual([]);
  expect((await drover.request('/api/health')).status).toBe(200);
}, 120_000);

test('ten thousand models and twenty thousand names in activity leave the documents small and lose nothing', async () => {
  const { drover, replica } = await world();
  const [large, wordy, crowd] = await Promise.all([
    EmulatorProcess.start('v250', { models: 10_000 }),
    EmulatorProcess.start('v262', {
      config: {
        models: Array.from({ length: 400 }, (_, index) => {
          const id = `${index} ${LONG_NAME.slice(0, 1_000)}`;
          return {
            id,
            name: id,
            description: LONG_NAME,
            aliases: [1, 2, 3, 4].map((alias) => `${alias} ${id}`),
          };
        }),
      },
    }),
    EmulatorProcess.start('v262', { config: { metricsMaxInMemory: 50_000 } }),
  ]);
  await drover.addHost('large', large.url);
  await drover.addHost('wordy', wordy.url);
  await drover.addHost('crowd', crowd.url);
  await until(() => expect(replica.records().hosts.get('host/crowd')?.liveness).toBe('connected'));
  const names = Array.from({ length: 20_000 }, (_, index) =>
    index % 10 === 0 ? `${index} ${LONG_NAME.slice(0, 1_000)}` : `guest-${index}`,
  );
  for (let start = 0; start < names.length; start += 500) {
    await crowd.command('rows', { rows: names.slice(start, start + 500).map((model) => ({ model })) });
    // Never further ahead than one fetch reaches.
    await until(async () => {
      const [newest] = await drover.newestRows(1);
      expect(newest?.type === 'request' ? newest.id : 0).toBeGreaterThan(start - 4_000);
    });
    expect(replica.sizes().tail).toBeLessThanOrEqual(256 * 1024);
  }
  await until(async () => expect(await drover.models('large')).toHaveLength(10_000), 60_000);
  await until(async () => expect(await drover.models('wordy')).toHaveLength(400));
  await until(async () => {
    const rows = await drover.newestRows(1);
    expect(rows[0]).toMatchObject({ modelId: 'guest-19999' });
  }, 60_000);
  const rows = await expectConverged(drover, [replica]);
  expect(rows.filter((row) => row.type === 'gap')).toEqual([]);
  expect(new Set(rows.flatMap((row) => (row.type === 'request' ? [row.modelId] : []))).size).toBe(20_000);
  // What the documents leave out is said to whoever wants to know why.
  for (const check of await drover.healthChecks()) expect(check.name).not.toMatch(/^document-/);
}, 120_000);
