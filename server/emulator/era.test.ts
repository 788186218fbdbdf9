import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { parseMessages } from './conformance/recording.ts';
import type { EmulatedHost } from './emulated-host.ts';
import { ERAS, parseEra, type Era } from './era.ts';
import { answerOf, chat, getJson, open, startHost } from './testing/host-fixture.ts';

const rowsView = z.array(
  z.looseObject({ id: z.number(), duration_ms: z.number(), has_capture: z.boolean() }),
);
const captureView = z.object({ req_body: z.string().nullable(), resp_body: z.string().nullable() });
const total = z.object({ total: z.number() });

/** A vLLM that answers in 200 ms, and tells no times of its own. */
function slowModel(era: Era, captureBufferBytes = 5_000_000): Promise<EmulatedHost> {
  return startHost({
    era,
    config: {
      captureBufferBytes,
      models: [{ id: 'alpha', backend: 'vllm', load: { durationMs: 5 }, stopMs: 2, tokensPerSecond: 100 }],
    },
  });
}

test('an era is read from the command line by its own name only', () => {
  expect(ERAS.map((era) => parseEra(era))).toEqual(ERAS.map((era) => ({ ok: true, era })));
  expect(parseEra('250')).toEqual({
    ok: false,
    message: 'unknown era "250"; use one of v150 v200 v217 v228 v235 v240 v250 main v262',
  });
});

describe('what recordings of one story do not tell apart', () => {
  test.each([
    ['v200', [1, 1, 0, 0]],
    ['v217', [1, 1, 0, 0]],
    ['v228', [1, 2, 1, 0]],
  ] as const)('two requests at once are counted by %s as %j', async (era, expected) => {
    const host = await slowModel(era);
    await host.load('alpha');
    const events = await open(`${host.url}/api/events`);
    await events.until(/inflight/);
    const ask = (tokens: number) =>
      answerOf(`${host.url}/v1/chat/completions`, chat('alpha', 'x', { stream: true, max_tokens: tokens }));
    await Promise.all([ask(10), ask(30)]);
    const counts = () =>
      parseMessages(events.text())
        .filter(({ type }) => type === 'inflight')
        .map(({ data }) => total.parse(data).total);
    await expect.poll(counts).toEqual([0, ...expected]);
  });

  test.each([
    ['v200', false],
    ['v217', true],
    ['v228', true],
  ] as const)('the time before the first byte counts as duration on %s: %s', async (era, counts) => {
    const host = await slowModel(era);
    await host.load('alpha');
    await answerOf(`${host.url}/v1/chat/completions`, chat('alpha', 'x', { max_tokens: 20 }));
    const [row] = await getJson(`${host.url}/api/metrics`, rowsView);
    // 20 tokens of 10 ms; where only what follows the first byte counts, nothing is left.
    expect((row?.duration_ms ?? 0) >= 200).toBe(counts);
  });

  test.each([
    ['v200', { has_capture: true, status: 404 }],
    ['v217', { has_capture: false, status: 404 }],
    ['v228', { has_capture: false, status: 404 }],
  ] as const)('a conversation that was evicted is still promised by %s: %j', async (era, expected) => {
    const host = await slowModel(era, 3_000);
    await host.load('alpha');
    for (let count = 0; count < 4; count += 1) {
      await answerOf(`${host.url}/v1/chat/completions`, chat('alpha', 'x', { max_tokens: 2 }));
    }
    const [row] = await getJson(`${host.url}/api/metrics`, rowsView);
    const { status } = await fetch(`${host.url}/api/captures/0`);
    expect({ has_capture: row?.has_capture, status }).toEqual(expected);
  });

  test.each([
    ['v217', 'empty'],
    ['v228', 'none'],
    ['v235', 'request'],
  ] as const)('of an answer that failed %s keeps: %s', async (era, kept) => {
    const host = await slowModel(era);
    await host.load('alpha');
    await answerOf(`${host.url}/v1/chat/completions`, chat('alpha', '[e500]'));
    const reply = await fetch(`${host.url}/api/captures/0`);
    const capture = reply.status === 200 ? captureView.parse(await reply.json()) : null;
    expect(capture?.resp_body ?? null).toBeNull();
    expect(capture === null ? 'none' : capture.req_body === null ? 'empty' : 'request').toBe(kept);
  });
});
