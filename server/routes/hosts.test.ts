import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { requestRow } from '../testing/activity-rows.ts';
import type { Truth } from '../truth.ts';
import { buildTestApp, type TestAppOptions } from '../testing/build-test-app.ts';

async function world(options: TestAppOptions = {}) {
  const test = await buildTestApp(options);
  const headers = { cookie: await test.signIn('admin') };
  const send = async (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', url: string, payload?: object) => {
    const reply = await test.app.inject({ method, url, headers, ...(payload ? { payload } : {}) });
    const body: unknown = reply.body === '' ? null : reply.json();
    return { status: reply.statusCode, body, text: reply.body };
  };
  return { ...test, send };
}

/** Every byte that was written to the database. */
function databaseText({ store }: Truth): string {
  const { path } = store.connection;
  return [path, `${path}-wal`].map((file) => readFileSync(file, 'latin1')).join('');
}

const attic = { label: 'Attic', url: 'http://attic.lan:8080' };

describe('hosts', () => {
  it('leave a record of who added, changed and removed them, without their keys', async () => {
    const { send, truth } = await world();
    const before = truth.store.audit.lastId();
    await send('POST', '/api/hosts', { ...attic, key: 'sk-of-attic' });
    await send('PATCH', '/api/hosts/attic', { paused: true, key: 'sk-another' });
    await send('POST', '/api/hosts', { ...attic, url: 'ftp://wrong' });
    await send('DELETE', '/api/hosts/attic');
    const records = truth.store.audit.read({ afterId: before, limit: 10 });
    expect(records.map(({ actor, action, target, detail }) => [actor.kind, action, target, detail])).toEqual([
      ['device', 'host.create', 'attic', { label: 'Attic', url: 'http://attic.lan:8080' }],
      ['device', 'host.change', 'attic', { fields: ['key', 'paused'], paused: true }],
      ['device', 'host.remove', 'attic', null],
    ]);
    expect(JSON.stringify(records)).not.toContain('sk-');
  });

  it('change only together with the record of who did it', async () => {
    const { send, truth, hosts } = await world();
    await send('POST', '/api/hosts', attic);
    truth.store.connection.exec(
      `CREATE TRIGGER full BEFORE INSERT ON audit BEGIN SELECT RAISE(ABORT, 'no more'); END`,
    );
    const refused = await send('PATCH', '/api/hosts/attic', { label: 'Cellar', key: 'sk-new' });
    expect(refused.status).toBe(503);
    expect(truth.store.fleet.hosts().map(({ config }) => config.label)).toEqual(['Attic']);
    expect([hosts.configs()[0]?.label, truth.secrets.hostKey('attic')]).toEqual(['Attic', null]);
  });

  it('get an id from their label, made unique, and show up at once as being connected', async () => {
    const { send, clock } = await world();
    clock.advance(60_000);
    const first = await send('POST', '/api/hosts', { ...attic, label: 'Gäming PC (attic)' });
    expect(first).toMatchObject({
      status: 201,
      body: {
        id: 'gaming-pc-attic',
        label: 'Gäming PC (attic)',
        url: 'http://attic.lan:8080',
        liveness: 'reconnecting',
        since: clock.now(),
        lastSeenAt: null,
        version: null,
        paused: false,
        managedByFile: false,
        demo: false,
        keySource: null,
      },
    });
    expect(await send('POST', '/api/hosts', { ...attic, label: 'gaming pc attic' })).toMatchObject({
      status: 201,
      body: { id: 'gaming-pc-attic-2' },
    });
    expect(await send('POST', '/api/hosts', { ...attic, label: '日本' })).toMatchObject({
      body: { id: 'host' },
    });
    expect(await send('POST', '/api/hosts', { ...attic, id: 'host' })).toMatchObject({
      status: 409,
      body: { error: { code: 'conflict' } },
    });
    expect(await send('GET', '/api/hosts')).toMatchObject({
      body: { hosts: [{ id: 'gaming-pc-attic' }, { id: 'gaming-pc-attic-2' }, { id: 'host' }] },
    });
  });

  it('are kept under their base address', async () => {
    const { send } = await world();
    const urlOf = async (url: string) => (await send('POST', '/api/hosts', { ...attic, url })).body;
    expect(await urlOf('HTTP://Attic.LAN:80/ui/models')).toMatchObject({ url: 'http://attic.lan' });
    expect(await urlOf('https://proxy.lan/swap/v1/')).toMatchObject({ url: 'https://proxy.lan/swap' });
  });

  it.each([
    ['no address', { label: 'a', url: 'attic' }],
    ['credentials in the address', { label: 'a', url: 'http://joe:pw@attic.lan' }],
    ['another scheme', { label: 'a', url: 'file:///etc/passwd' }],
    ['a key twice', { ...attic, key: 'k', keyRef: 'env:KEY' }],
    ['a key that fits no header', { ...attic, key: 'two\r\nlines' }],
    ['a reference to a file', { ...attic, keyRef: 'file:/etc/passwd' }],
    ['an id with capitals', { ...attic, id: 'Attic' }],
    ['no label', { label: '   ', url: 'http://attic.lan' }],
    ['Drover itself', { label: 'a', url: 'http://box.lan:9503/' }],
    ['Drover itself by loopback', { label: 'a', url: 'http://127.0.0.53:9503' }],
  ])('refuse %s', async (_what, payload) => {
    const { send } = await world();
    expect(await send('POST', '/api/hosts', payload)).toMatchObject({
      status: 400,
      body: { error: { code: 'bad_request' } },
    });
    expect((await send('GET', '/api/hosts')).body).toEqual({ hosts: [] });
  });

  it('keep their key to themselves', async () => {
    const { send, hosts, log, truth } = await world({ env: { ATTIC_KEY: 'from-env' } });
    const texts = [
      await send('POST', '/api/hosts', { ...attic, key: 'hunter2-secret' }),
      await send('GET', '/api/hosts'),
      await send('PATCH', '/api/hosts/attic', { label: 'Loft' }),
    ].map((reply) => reply.text);
    expect(texts[0]).toContain('"keySource":"stored"');
    const database = databaseText(truth);
    expect(database).toContain('attic.lan');
    expect(JSON.stringify([texts, log.lines]) + database).not.toContain('hunter2');
    expect(hosts.keyOf('attic')).toBe('hunter2-secret');

    await send('PATCH', '/api/hosts/attic', { keyRef: 'env:ATTIC_KEY' });
    expect(hosts.keyOf('attic')).toBe('from-env');
    expect(truth.secrets.hostKey('attic')).toBeNull();
    await send('PATCH', '/api/hosts/attic', { keyRef: 'env:NOT_SET' });
    expect(hosts.keyOf('attic')).toBeNull();
    await send('PATCH', '/api/hosts/attic', { key: 'again' });
    expect(hosts.keyOf('attic')).toBe('again');
    expect(await send('PATCH', '/api/hosts/attic', { key: null })).toMatchObject({
      body: { keySource: null },
    });
    expect(hosts.keyOf('attic')).toBeNull();
  });

  it('are named by health while the variable of their key is not set', async () => {
    const { send } = await world({ env: { ATTIC_KEY: 'from-env' } });
    await send('POST', '/api/hosts', { ...attic, keyRef: 'env:ATTIC_KEY' });
    expect(await send('GET', '/api/health')).toMatchObject({ body: { status: 'ok' } });
    await send('POST', '/api/hosts', { ...attic, id: 'shed', keyRef: 'env:SHED_KEY' });
    expect(await send('GET', '/api/health')).toMatchObject({
      body: {
        status: 'degraded',
        checks: expect.arrayContaining([
          {
            name: 'keys',
            title: 'Keys of hosts',
            state: 'warn',
            detail: 'The server has no environment variable SHED_KEY (key of shed).',
            remediation: expect.stringContaining('restart Drover'),
          },
        ]),
      },
    });
  });

  it('tell who watches them of each change', async () => {
    const { send, hosts } = await world();
    const seen: unknown[] = [];
    hosts.onChanged((all) => seen.push(all.map(({ id, url, paused }) => ({ id, url, paused }))));
    await send('POST', '/api/hosts', attic);
    await send('PATCH', '/api/hosts/attic', { paused: true, url: 'http://loft.lan' });
    await send('DELETE', '/api/hosts/attic');
    expect(seen).toEqual([
      [{ id: 'attic', url: 'http://attic.lan:8080', paused: false }],
      [{ id: 'attic', url: 'http://loft.lan', paused: true }],
      [],
    ]);
  });

  it('are 404 when there is none', async () => {
    const { send } = await world();
    expect(await send('PATCH', '/api/hosts/nowhere', { paused: true })).toMatchObject({ status: 404 });
    expect(await send('DELETE', '/api/hosts/nowhere')).toMatchObject({ status: 404 });
    expect(await send('DELETE', '/api/hosts/No%20Where')).toMatchObject({ status: 400 });
  });

  it('of drover.yaml are read-only, and go when the file no longer lists them', async () => {
    const { send, hosts } = await world();
    await send('POST', '/api/hosts', { id: 'cellar', label: 'Cellar', url: 'http://old.lan' });
    hosts.applyFile([
      { id: 'attic', url: 'http://attic.lan/', keyRef: 'env:ATTIC_KEY' },
      { id: 'cellar', label: 'The cellar', url: 'http://cellar.lan' },
    ]);
    expect(hosts.list()).toMatchObject([
      { id: 'cellar', label: 'The cellar', url: 'http://cellar.lan', managedByFile: true },
      {
        id: 'attic',
        label: 'attic',
        url: 'http://attic.lan',
        managedByFile: true,
        keySource: 'env:ATTIC_KEY',
      },
    ]);
    for (const [method, payload] of [['PATCH', { paused: true }], ['DELETE']] as const) {
      expect(await send(method, '/api/hosts/attic', payload)).toMatchObject({
        status: 409,
        body: { error: { code: 'managed_by_file' } },
      });
    }
    hosts.applyFile([{ id: 'attic', url: 'http://attic.lan' }]);
    expect(hosts.configs().map((host) => host.id)).toEqual(['attic']);
  });
});

describe('testing an address', () => {
  it('uses the key given, by value or by reference', async () => {
    const { send, world: state } = await world({ env: { ATTIC_KEY: 'from-env' } });
    await send('POST', '/api/hosts/test', { url: 'http://attic.lan/ui/', key: 'k1' });
    await send('POST', '/api/hosts/test', { url: 'http://attic.lan', keyRef: 'env:ATTIC_KEY' });
    expect(state.tested).toEqual([
      { url: 'http://attic.lan', key: 'k1' },
      { url: 'http://attic.lan', key: 'from-env' },
    ]);
    expect(
      await send('POST', '/api/hosts/test', { url: 'http://attic.lan', keyRef: 'env:NOT_SET' }),
    ).toMatchObject({
      status: 200,
      body: { verdict: 'unauthorized', detail: expect.stringMatching(/NOT_SET/) },
    });
    expect(state.tested).toHaveLength(2);
  });

  it('sends a stored key only to where it belongs', async () => {
    const { send, world: state } = await world();
    await send('POST', '/api/hosts', { ...attic, key: 'hunter2' });
    await send('POST', '/api/hosts/test', { url: attic.url, hostId: 'attic' });
    await send('POST', '/api/hosts/test', { url: 'http://evil.lan:8080', hostId: 'attic' });
    expect(state.tested.map(({ key }) => key)).toEqual(['hunter2', null]);
  });

  it('knows Drover itself', async () => {
    const { send, world: state } = await world();
    expect(await send('POST', '/api/hosts/test', { url: 'http://localhost:9503' })).toMatchObject({
      body: { verdict: 'self' },
    });
    expect(state.tested).toEqual([]);
  });
});

describe('the demo fleet', () => {
  it('comes and goes whole, marked as demo', async () => {
    const { send, world: state, truth, hosts } = await world();
    await send('POST', '/api/hosts', attic);
    const on = await send('POST', '/api/demo');
    expect(on).toMatchObject({ status: 200, body: { hosts: ['demo-attic', 'demo-garage'] } });
    expect(await send('POST', '/api/demo')).toEqual(on);
    expect(hosts.list().filter((host) => host.demo)).toHaveLength(2);
    truth.recorder.activity('demo-attic', [requestRow({ hostId: 'demo-attic', id: 1 })]);
    truth.recorder.flush();
    expect(truth.store.activity.cursor('demo-attic')).toMatchObject({ lastId: 1 });
    expect(await send('DELETE', '/api/hosts/demo-attic')).toMatchObject({ status: 409 });
    expect((await send('DELETE', '/api/demo')).status).toBe(204);
    expect(state.demoRunning).toBe(false);
    expect(hosts.list().map((host) => host.id)).toEqual(['attic']);
    expect(truth.store.activity.cursor('demo-attic')).toMatchObject({ lastId: null });
    expect((await send('DELETE', '/api/demo')).status).toBe(204);
  });

  it('never takes the place of a host of the same name', async () => {
    const { send, world: state, hosts } = await world();
    await send('POST', '/api/hosts', { ...attic, id: 'demo-garage' });
    expect(await send('POST', '/api/demo')).toMatchObject({
      status: 409,
      body: { error: { code: 'conflict' } },
    });
    expect(state.demoRunning).toBe(false);
    expect(hosts.list()).toMatchObject([{ id: 'demo-garage', url: attic.url, demo: false }]);
  });

  it('is on again after a restart when it was on', async () => {
    const { send, demo, world: state } = await world();
    await demo.start(false);
    expect(state.demoRunning).toBe(false);
    await send('POST', '/api/demo');
    await demo.stop();
    expect(state.demoRunning).toBe(false);
    await demo.start(false);
    expect(state.demoRunning).toBe(true);
    await send('DELETE', '/api/demo');
    await demo.start(false);
    expect(state.demoRunning).toBe(false);
  });
});

describe('the first run', () => {
  it('offers a llama-swap found here, and adds nothing', async () => {
    const { send, world: state, hosts } = await world();
    expect(await send('GET', '/api/first-run')).toMatchObject({
      body: { found: { url: 'http://localhost:8080', version: 'v235' }, phone: null, port: 9503 },
    });
    expect(hosts.configs()).toEqual([]);
    state.testResult = { verdict: 'unreachable', detail: 'refused' };
    expect(await send('GET', '/api/first-run')).toMatchObject({ body: { found: null } });
    state.testResult = { verdict: 'ok', detail: '' };
    await send('POST', '/api/hosts', { label: 'local', url: 'http://127.0.0.1:8080' });
    expect(await send('GET', '/api/first-run')).toMatchObject({ body: { found: null } });
  });

  it('shows a phone the public address', async () => {
    const { send } = await world({ publicUrl: 'https://drover.example.org' });
    const { body } = await send('GET', '/api/first-run');
    expect(body).toMatchObject({
      phone: { url: 'https://drover.example.org', secure: true, qrSvg: expect.stringMatching(/^<svg /) },
    });
  });
});
