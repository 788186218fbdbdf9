import { describe, expect, test } from 'vitest';
import { ManualClock } from '../testing/manual-clock.ts';
import type { EmulatedHost } from './emulated-host.ts';
import type { Effect } from './records.ts';
import { answerOf, chat, open, startHost, twoModels } from './testing/host-fixture.ts';

function told(host: EmulatedHost): readonly string[] {
  return host.records
    .effectsAfter(0)
    .filter(({ kind }) => kind !== 'started')
    .map(({ kind, modelId, by }: Effect) => `${kind} ${modelId ?? '-'} ${by}`);
}

describe('models', () => {
  test('load on request, swap one for the other, and the effects say who caused it', async () => {
    const host = await startHost();
    await answerOf(`${host.url}/v1/chat/completions`, chat('alpha'));
    await answerOf(`${host.url}/upstream/beta/health`, {});
    await fetch(`${host.url}/api/models/unload/beta`, { method: 'POST' });
    expect(told(host)).toEqual([
      'loading alpha request',
      'loaded alpha request',
      'served alpha request',
      'unloading alpha swap',
      'unloaded alpha swap',
      'loading beta request',
      'loaded beta request',
      'served beta request',
      'unloading beta unload',
      'unloaded beta unload',
    ]);
  });

  test('wait in order of arrival: a swap lets the busy model finish, later requests for it come after', async () => {
    const host = await startHost();
    const order: string[] = [];
    const ask = async (model: string, tokens: number): Promise<void> => {
      await answerOf(
        `${host.url}/v1/chat/completions`,
        chat(model, 'x', { stream: true, max_tokens: tokens }),
      );
      order.push(model);
    };
    await host.load('alpha');
    const events = await open(`${host.url}/api/events`);
    const busy = ask('alpha', 200);
    await events.until(/upsert[^\n]*alpha/);
    const queued = ask('beta', 5);
    await events.until(/upsert[^\n]*beta/);
    const late = ask('alpha', 5);
    await Promise.all([busy, queued, late]);
    expect(order).toEqual(['alpha', 'beta', 'alpha']);
  });

  test('that fail to start say so in the era’s words, and leave nothing running', async () => {
    const host = await startHost();
    for (const [outcome, message] of [
      ['out-of-memory', 'upstream command exited prematurely'],
      ['exits', 'upstream command exited prematurely'],
    ] as const) {
      host.scriptStarts('alpha', [outcome]);
      const { status, text } = await answerOf(`${host.url}/v1/chat/completions`, chat('alpha'));
      expect({ status, text }).toEqual({
        status: 500,
        text: JSON.stringify({ error: `unspecific error: ${message}`, src: 'llama-swap' }),
      });
    }
    expect(await (await fetch(`${host.url}/running`)).json()).toEqual({ running: [] });
    expect((await answerOf(`${host.url}/v1/chat/completions`, chat('alpha'))).status).toBe(200);
  });

  test('that never get healthy time out, by the host’s clock', async () => {
    const clock = new ManualClock();
    const config = { ...twoModels(), healthCheckTimeoutMs: 15_000 };
    const host = await startHost({ clock, config });
    host.scriptStarts('alpha', ['never-healthy']);
    const loading = host.load('alpha');
    clock.advance(14_000);
    expect(host.llamaSwap.processes.get('alpha')?.state).toBe('starting');
    clock.advance(1000);
    expect(await loading).toBe('failed');
    expect(told(host).at(-1)).toBe('load_failed alpha script');
  });

  test('with a ttl unload when unused for so long', async () => {
    const clock = new ManualClock();
    const host = await startHost({
      clock,
      config: { models: [{ id: 'alpha', ttlSeconds: 6, load: { durationMs: 5 }, stopMs: 2 }] },
    });
    const loading = host.load('alpha');
    clock.advance(5);
    expect(await loading).toBe('ready');
    clock.advance(5000);
    expect(host.llamaSwap.processes.get('alpha')?.state).toBe('ready');
    clock.advance(2100);
    expect(told(host).slice(-2)).toEqual(['unloading alpha ttl', 'unloaded alpha ttl']);
  });

  test('whose ports are held by orphans of a killed llama-swap fail their next start, once', async () => {
    const host = await startHost();
    await host.load('alpha');
    await host.kill({ orphans: true });
    await host.start();
    expect(await host.load('alpha')).toBe('failed');
    expect(host.llamaSwap.logs.modelHistory('alpha')).toContain('EADDRINUSE');
    expect(await host.load('alpha')).toBe('ready');
  });

  test('in a persistent group stay while others take turns', async () => {
    const host = await startHost({
      config: {
        groups: [{ name: 'always', swap: false, exclusive: false, persistent: true }],
        models: [
          { id: 'embed', group: 'always', load: { durationMs: 1 } },
          ...['alpha', 'beta'].map((id) => ({ id, load: { durationMs: 1 }, stopMs: 1 })),
        ],
      },
    });
    for (const id of ['embed', 'alpha', 'beta']) await host.load(id);
    const running = [...host.llamaSwap.processes.values()].filter(({ state }) => state === 'ready');
    expect(running.map(({ config }) => config.id)).toEqual(['beta', 'embed']);
  });

  test('refuse more than their limit at once', async () => {
    const host = await startHost({
      config: { models: [{ id: 'alpha', concurrencyLimit: 1, load: { durationMs: 1 } }] },
    });
    await host.load('alpha');
    const first = await fetch(`${host.url}/v1/chat/completions`, chat('alpha', '[stall]', { stream: true }));
    const second = await fetch(`${host.url}/v1/chat/completions`, chat('alpha'));
    expect([second.status, second.headers.get('retry-after')]).toEqual([429, '1']);
    await first.body?.cancel();
  });
});
