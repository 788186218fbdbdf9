import { request } from 'node:http';
import { describe, expect, test } from 'vitest';
import { ManualClock } from '../testing/manual-clock.ts';
import { ERAS } from './era.ts';
import { chat, open, startHost, twoModels } from './testing/host-fixture.ts';

describe('an emulated host that', () => {
  test.each(ERAS)('restarts (%s) gives ids from the start again, on the same port', async (era) => {
    const host = await startHost({ era });
    const { url } = host;
    const first = host.addActivity(3).firstId;
    const events = await open(`${url}/api/events`);
    await host.restart();
    expect(await events.ended).toBe('end');
    expect(host.url).toBe(url);
    expect(host.addActivity(1).firstId).toBe(first);
  });

  test.each(ERAS)('reloads its config (%s) stops every model; ids restart up to v235 only', async (era) => {
    const host = await startHost({ era });
    await host.load('alpha');
    const { lastId, firstId } = host.addActivity(3);
    const events = await open(`${host.url}/api/events`);
    await host.reload({ ...twoModels(), apiKeys: ['k'] });
    expect(await events.ended).toBe('end');
    expect([...host.llamaSwap.processes.values()].every(({ state }) => state === 'stopped')).toBe(true);
    const keepsIds = host.traits.activityListing === 'pages';
    expect(host.addActivity(1).firstId).toBe(keepsIds ? lastId + 1 : firstId);
    const status = (await fetch(`${host.url}/running`)).status;
    expect(status).toBe(host.traits.apiKeys ? 401 : 200);
  });

  test('is killed resets its connections and refuses new ones', async () => {
    const host = await startHost();
    await host.load('alpha');
    const events = await open(`${host.url}/api/events`);
    const chatting = await fetch(
      `${host.url}/v1/chat/completions`,
      chat('alpha', '[stall]', { stream: true }),
    );
    await host.kill();
    expect(await events.ended).toBe('cut');
    await expect(chatting.text()).rejects.toThrow('terminated');
    await expect(fetch(`${host.url}/health`)).rejects.toThrow('fetch failed');
    await host.start();
    expect((await fetch(`${host.url}/health`)).status).toBe(200);
  });

  test('is frozen keeps its sockets open and says nothing until it thaws', async () => {
    const host = await startHost();
    const events = await open(`${host.url}/api/events`);
    await events.until(/inflight/);
    const before = events.text();
    host.freeze();
    host.addActivity(2);
    let answered = false;
    const health = fetch(`${host.url}/health`).then((response) => {
      answered = true;
      return response.status;
    });
    // The control endpoint is served meanwhile, so whatever was to come would have come by then.
    for (let turn = 0; turn < 3; turn += 1) await fetch(`${host.url}/_emulator/state`);
    expect([answered, events.text()]).toEqual([false, before]);
    host.thaw();
    expect(await health).toBe(200);
    await events.until(/\\"id\\":2/);
  });

  test('sleeps behind a wake-on-LAN proxy answers 204 to events only, and tells what would have woken it', async () => {
    const host = await startHost();
    host.setFrontDoor({ kind: 'wol-proxy', asleep: true, wakeAfterMs: null });
    expect((await fetch(`${host.url}/api/events`)).status).toBe(204);
    expect(await (await fetch(`${host.url}/status`)).text()).toContain('asleep');
    expect(host.records.requests.filter(({ wake }) => wake)).toEqual([]);
    expect((await fetch(`${host.url}/`)).headers.get('content-type')).toContain('text/html');
    expect(host.records.effectsAfter(0).filter(({ kind }) => kind === 'woken')).toMatchObject([
      { detail: 'GET /' },
    ]);
  });

  test('wakes up holds the request that woke it', async () => {
    const clock = new ManualClock();
    const host = await startHost({ clock });
    host.setFrontDoor({ kind: 'wol-proxy', asleep: true, wakeAfterMs: 4000 });
    const held = fetch(`${host.url}/health`);
    await host.records.until(({ kind }) => kind === 'woken');
    clock.advance(4000);
    expect((await held).status).toBe(200);
  });

  test.each(ERAS)('is asked nonsense (%s) answers, and lives on', async (era) => {
    const host = await startHost({ era });
    const status = (path: string): Promise<number> =>
      new Promise((resolve, reject) => {
        const sent = request({ port: host.port, host: '127.0.0.1', path, agent: false }, (response) => {
          response.resume();
          resolve(response.statusCode ?? 0);
        });
        sent.on('error', reject);
        sent.end();
      });
    for (const path of ['//', '/upstream/%zz/x', '/api/captures/%', '/logs/stream/%e0%a4', 'http://other/']) {
      expect(await status(path)).toBeGreaterThan(200);
    }
    const broken = await fetch(`${host.url}/v1/chat/completions`, { method: 'POST', body: '[1,' });
    expect(broken.status).toBeGreaterThanOrEqual(400);
    expect((await fetch(`${host.url}/health`)).status).toBe(200);
  });

  test('is not llama-swap answers HTML, or one status', async () => {
    const host = await startHost();
    host.setFrontDoor({ kind: 'html' });
    expect(await (await fetch(`${host.url}/api/version`)).text()).toContain('<html>');
    host.setFrontDoor({ kind: 'status', status: 503 });
    expect((await fetch(`${host.url}/api/events`)).status).toBe(503);
  });

  test('sends broken frames, huge lines and floods, unchanged', async () => {
    const host = await startHost();
    const events = await open(`${host.url}/api/events`);
    await events.until(/inflight/);
    host.injectFrame('data:{"type":\n\n: comment\n\n');
    host.injectMessage('brandNew', 'no json');
    host.injectFrame(`event:message\ndata:{"type":"logData","data":"${'x'.repeat(3_000_000)}"}\n\n`);
    host.floodLogs({ lines: 200, bytes: 50 });
    host.addActivity(1);
    const text = await events.until(/"activity"/);
    expect(text).toContain('data:{"type":\n\n: comment\n\n');
    expect(text).toContain('data:{"type":"brandNew","data":"no json"}');
    expect(text.length).toBeGreaterThan(3_000_000);
  });

  test.each([
    ['v217', 0],
    ['v250', 1],
    ['v262', 1],
  ] as const)(
    'has a reader that does not read (%s) drops messages, and from v218 says so in its log',
    async (era, warned) => {
      const host = await startHost({ era });
      const events = await open(`${host.url}/api/events`);
      events.pause();
      const line = 'y'.repeat(30_000);
      // Enough to fill the socket's buffers and then the queue.
      for (let count = 0; count < 1800; count += 1) host.injectMessage('logData', line);
      const logged = new Promise<boolean>((resolve) => {
        const stop = host.llamaSwap.logs.listen((_source, text) => {
          if (!text.includes('sendBuffer full')) return;
          stop();
          resolve(true);
        });
        host.time.clock.after(100, () => resolve(false));
      });
      expect(await logged).toBe(warned === 1);
    },
  );
});
