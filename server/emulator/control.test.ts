import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { must } from '#shared/lib/assert.ts';
import { chat, getJson, startHost } from './testing/host-fixture.ts';

const effectsView = z.object({
  totals: z.record(z.string(), z.number()),
  effects: z.array(z.object({ seq: z.number(), kind: z.string() })),
});
const requestsView = z.object({ requests: z.array(z.unknown()) });
const modelsView = z.object({ data: z.array(z.object({ id: z.string() })) });
const stateView = z.object({ lastActivityId: z.number() });

async function post(
  url: string,
  command: string,
  body: unknown,
): Promise<{ status: number; value: unknown }> {
  const response = await fetch(`${url}/_emulator/${command}`, { method: 'POST', body: JSON.stringify(body) });
  return { status: response.status, value: await response.json() };
}

describe('the control endpoint', () => {
  test('loads, unloads and shows what happened, after a sequence number', async () => {
    const { url } = await startHost();
    expect(await post(url, 'load', { modelId: 'alpha' })).toEqual({
      status: 200,
      value: { result: 'ready' },
    });
    const before = await getJson(`${url}/_emulator/effects`, effectsView);
    expect(before.totals).toMatchObject({ loaded: 1, unloaded: 0 });
    await post(url, 'unload', { modelId: 'alpha' });
    const last = must(before.effects.at(-1), 'an effect').seq;
    const after = await getJson(`${url}/_emulator/effects?after=${last}`, effectsView);
    expect(after.effects.map(({ kind }) => kind)).toEqual(['unloading', 'unloaded']);
  });

  test('logs every request of the host, and none of its own', async () => {
    const { url } = await startHost();
    await fetch(`${url}/running?x=1`);
    await fetch(`${url}/_emulator/state`);
    const { requests } = await getJson(`${url}/_emulator/requests`, requestsView);
    expect(requests).toMatchObject([{ method: 'GET', path: '/running?x=1', wake: true }]);
  });

  test('adds rows, scripts starts, changes keys and the config', async () => {
    const { url } = await startHost();
    expect((await post(url, 'activity', { count: 500, model: 'm' })).value).toEqual({
      firstId: 1,
      lastId: 500,
    });
    expect(
      (
        await post(url, 'rows', {
          rows: [
            { model: 'a/b', endedAt: 0 },
            { model: 'c', source: 'ip:::1' },
          ],
        })
      ).value,
    ).toEqual({ firstId: 501, lastId: 502 });
    expect((await post(url, 'rows', { rows: [{ modle: 'x' }] })).status).toBe(400);
    expect((await post(url, 'script-starts', { modelId: 'alpha', outcomes: ['exits'] })).status).toBe(200);
    expect((await post(url, 'load', { modelId: 'alpha' })).value).toEqual({ result: 'failed' });
    expect((await post(url, 'script-answers', { modelId: 'alpha', scripts: [{ status: 418 }] })).status).toBe(
      200,
    );
    expect((await fetch(`${url}/v1/chat/completions`, chat('alpha'))).status).toBe(418);
    expect((await fetch(`${url}/v1/chat/completions`, chat('alpha'))).status).toBe(200);
    await post(url, 'reload', { models: [{ id: 'gamma' }] });
    const models = await getJson(`${url}/v1/models`, modelsView);
    expect(models.data.map(({ id }) => id)).toEqual(['gamma']);
    await post(url, 'keys', { apiKeys: ['secret'] });
    expect((await fetch(`${url}/running`)).status).toBe(401);
    expect((await fetch(`${url}/running`, { headers: { 'x-api-key': 'secret' } })).status).toBe(200);
  });

  test('names what is wrong with a request and changes nothing', async () => {
    const { url } = await startHost();
    expect(await post(url, 'load', { model: 'alpha' })).toMatchObject({
      status: 400,
      value: { error: expect.stringContaining('modelId') },
    });
    expect((await post(url, 'load', { modelId: 'nope' })).value).toEqual({ error: 'no such model: nope' });
    expect((await post(url, 'no-such', {})).status).toBe(404);
    const broken = await fetch(`${url}/_emulator/activity`, { method: 'POST', body: '{' });
    expect(broken.status).toBe(400);
    const { effects } = await getJson(`${url}/_emulator/effects`, effectsView);
    expect(effects).toHaveLength(1);
  });

  test('restarts the host it is part of', async () => {
    const host = await startHost();
    host.addActivity(4);
    expect((await post(host.url, 'restart', {})).status).toBe(200);
    await host.records.until(({ kind, seq }) => kind === 'started' && seq > 1);
    expect((await getJson(`${host.url}/_emulator/state`, stateView)).lastActivityId).toBe(0);
  });
});
