import { describe, expect, test } from 'vitest';
import { must } from '#shared/lib/assert.ts';
import { z } from 'zod';
import { answerOf, chat, getJson, open, startHost } from './testing/host-fixture.ts';

const page = z.object({ data: z.array(z.unknown()) });
const streamsView = z.object({
  streams: z.array(
    z.looseObject({
      completionId: z.string(),
      writes: z.array(z.object({ at: z.number(), token: z.boolean() })),
    }),
  ),
});

describe('answers of models', () => {
  test('that die end early and well-formed, and the row knows no tokens', async () => {
    const host = await startHost();
    const { status, text } = await answerOf(
      `${host.url}/v1/chat/completions`,
      chat('alpha', '[die]', { stream: true }),
    );
    expect(status).toBe(200);
    expect(text).not.toContain('[DONE]');
    const row = host.llamaSwap.activity.rows.at(-1);
    expect([row?.status, row?.tokens.output]).toEqual([200, 0]);
    expect(host.llamaSwap.processes.get('alpha')?.state).toBe('stopped');
  });

  test('that are cut reset the connection', async () => {
    const host = await startHost();
    await expect(
      answerOf(`${host.url}/v1/chat/completions`, chat('alpha', '[cut]', { stream: true })),
    ).rejects.toThrow('terminated');
  });

  test('can be cancelled while they stall, by id', async () => {
    const host = await startHost();
    const events = await open(`${host.url}/api/events`);
    const answer = answerOf(`${host.url}/v1/chat/completions`, chat('alpha', '[stall]', { stream: true }));
    await events.until(/upsert/);
    await events.until(/text\/event-stream/);
    const cancelled = await fetch(`${host.url}/api/inflight/1/cancel`, { method: 'POST' });
    expect(await cancelled.json()).toEqual({ msg: 'ok' });
    expect((await answer).status).toBe(200);
    await events.until(/remove/);
    const effect = host.records.effectsAfter(0).find(({ kind }) => kind === 'cancelled');
    expect(effect).toMatchObject({ modelId: 'alpha', by: 'api', detail: '1' });
  });

  test('are cancelled when their reader leaves; from v251 before an answer that is a 499', async () => {
    const host = await startHost({ era: 'v262' });
    host.scriptStarts('alpha', ['never-healthy']);
    const leave = new AbortController();
    const events = await open(`${host.url}/api/events`);
    const answer = fetch(`${host.url}/v1/chat/completions`, { ...chat('alpha'), signal: leave.signal });
    await events.until(/upsert/);
    leave.abort();
    await expect(answer).rejects.toThrow('aborted');
    await events.until(/"activity"/);
    const { data } = await getJson(`${host.url}/api/metrics/activity`, page);
    expect(data[0]).toMatchObject({
      resp_status_code: 499,
      error_msg: 'client disconnected before response',
      has_capture: false,
      src: 'ip:127.0.0.1',
    });
  });

  test('record when each token was written, at the pace that was asked', async () => {
    const host = await startHost({
      config: { models: [{ id: 'alpha', load: { durationMs: 1 }, tokensPerSecond: 200 }] },
    });
    const init = chat('alpha', 'x', {
      stream: true,
      max_tokens: 40,
      stream_options: { include_usage: true },
    });
    const { text } = await answerOf(`${host.url}/v1/chat/completions`, {
      ...init,
      headers: { 'content-type': 'application/json', 'x-request-id': 'mine' },
    });
    const { streams } = await getJson(`${host.url}/_emulator/streams`, streamsView);
    const stream = must(streams[0], 'a stream');
    expect(stream).toMatchObject({ clientRequestId: 'mine', modelId: 'alpha', end: 'complete' });
    expect(text).toContain(stream.completionId);
    const tokens = stream.writes.filter(({ token }) => token);
    expect(tokens).toHaveLength(40);
    const spanMs = must(tokens.at(-1), 'last').at - must(tokens[0], 'first').at;
    // 39 intervals of 5 ms; late is possible on a busy machine, early is not.
    expect(spanMs).toBeGreaterThan(190);
    expect(text).toContain('"completion_tokens":40');
  });

  test('differ as prompts ask: reasoning, tool calls, no usage, vLLM', async () => {
    const host = await startHost({
      config: {
        models: ['alpha', 'vllm'].map((id) => ({
          id,
          backend: id === 'vllm' ? 'vllm' : 'llama.cpp',
          load: { durationMs: 1 },
          stopMs: 1,
          tokensPerSecond: 2000,
        })),
      },
    });
    const ask = async (model: string, prompt: string): Promise<string> =>
      (
        await answerOf(
          `${host.url}/v1/chat/completions`,
          chat(model, prompt, { stream: true, stream_options: { include_usage: true } }),
        )
      ).text;
    expect(await ask('alpha', '[reason]')).toContain('reasoning_content');
    expect(await ask('alpha', '[tool]')).toContain('"finish_reason":"tool_calls"');
    const bare = await ask('alpha', '[nousage]');
    expect(bare).not.toContain('usage');
    expect(bare).not.toContain('timings');
    const vllm = await ask('vllm', '[vmetrics]');
    expect(vllm).toContain('"metrics"');
    expect(vllm).not.toContain('timings');
  });
});
