import { describe, expect, it, onTestFinished } from 'vitest';
import { captureSettings } from '../domain/drover-yaml.ts';
import type { HostFacts } from '../domain/host-facts.ts';
import { createLlamaSwapClient } from '../adapters/llama-swap-client.ts';
import { systemClock } from '../adapters/system-clock.ts';
import { createCaptures } from '../captures.ts';
import { ERAS, traitsOf, type Era } from '../emulator/era.ts';
import { chat, startHost, twoModels } from '../emulator/testing/host-fixture.ts';
import { must } from '#shared/lib/assert.ts';
import { StopStack } from '../stop-stack.ts';
import { silentLog } from '../testing/silent-log.ts';
import { historyRig } from '../testing/history-rig.ts';

const STREAM = { stream: true, stream_options: { include_usage: true } };

/** A host that answered, its rows in a real store, and the service in front of both. */
async function world(
  era: Era,
  options: { readonly captureBufferBytes?: number; readonly facts?: Partial<HostFacts> } = {},
) {
  const { captureBufferBytes = 5_000_000 } = options;
  const host = await startHost({ era, config: { ...twoModels(), captureBufferBytes } });
  const rig = historyRig();
  const { store } = rig;
  const log = silentLog();
  const stops = new StopStack(log);
  onTestFinished(() => stops.unwind());
  const config = {
    id: 'box',
    label: 'box',
    url: host.url,
    paused: false,
    managedByFile: false,
    demo: false,
    keySource: null,
  };
  const facts: HostFacts = {
    host: config,
    liveness: 'connected',
    since: 0,
    reason: null,
    current: true,
    models: [],
    inFlight: null,
    features: ['activity'],
    listed: true,
    profile: null,
    ...options.facts,
  };
  const fleet = { hosts: () => [], models: () => [] };
  const captures = createCaptures({
    config: { captures: captureSettings.parse({}) },
    truth: { ...rig, cache: Object.assign(Object.create(null), fleet) },
    watch: { facts: (id) => (id === 'box' ? facts : null) },
    hosts: { keyOf: () => 'swordfish' },
    clock: systemClock,
    log,
    stops,
  });
  const client = createLlamaSwapClient({ url: host.url, key: () => null, clock: systemClock });
  onTestFinished(() => client.close());
  const ask = async (
    content: string,
    more: object = {},
    sent: Readonly<Record<string, string>> = {},
  ): Promise<number> => {
    const { headers, ...request } = chat('alpha', content, { ...more });
    const reply = await fetch(`${host.url}/v1/chat/completions`, {
      ...request,
      headers: { ...Object.fromEntries(new Headers(headers)), ...sent },
    });
    await reply.text();
    const signal = AbortSignal.timeout(5000);
    const probed = await client.probe(null, signal);
    if (!probed.ok) throw new Error('no features');
    const listed =
      probed.value.activity === 'activity'
        ? await client.activityAfter(null, { limit: 50, features: probed.value }, signal)
        : await client.metrics(signal);
    if (!listed.ok) throw new Error('no rows');
    const rows = 'rows' in listed.value ? listed.value.rows : listed.value;
    store.activity.insert(
      rows.map((row) => ({ type: 'request' as const, hostId: 'box', idEpoch: 0, ...row })),
      Date.now(),
    );
    return must(rows.at(-1), 'a row').id;
  };
  const asked = () => host.records.requests.filter(({ path }) => path.startsWith('/api/captures/')).length;
  const open = (id: number, idEpoch = 0) => captures.open({ hostId: 'box', idEpoch, id });
  return { host, store, captures, ask, asked, open };
}

describe.each(ERAS.filter((era) => traitsOf(era).captures !== null))('a capture of an emulated %s', (era) => {
  it('holds a streamed chat with its reasoning and a tool call, and is fetched once', async () => {
    const { ask, asked, open } = await world(era);
    const id = await ask('[reason] [tool] swordfish, please', STREAM);
    const [first, second] = await Promise.all([open(id), open(id)]);
    expect(second).toEqual(first);
    expect(asked()).toBe(1);
    expect(first.row).toMatchObject({ id, modelId: 'alpha', hasCapture: true });
    expect(first.answer?.turns[0]?.parts).toEqual([
      { kind: 'reasoning', text: 'let me think' },
      { kind: 'tool-call', callId: 'call_1', name: 'get_weather', arguments: '{"city":"Zürich"}' },
    ]);
    expect(first.answer).toMatchObject({
      finishReason: 'tool_calls',
      notes: [],
      usage: { outputTokens: 12 },
    });
    expect(first.request.body).toMatchObject({ text: expect.stringContaining('[REDACTED], please') });
    expect(first.redactions).toBeGreaterThan(0);
    expect(await open(id)).toEqual({ ...first, fetchedAt: first.fetchedAt });
    expect(asked()).toBe(1);
  });

  it('says who sent the request, which is known of its row from then on', async () => {
    const { ask, open, store } = await world(era);
    const id = await ask('hello', {}, { 'X-Drover-Source': 'opencode' });
    const key = { hostId: 'box', idEpoch: 0, id };
    // A host that says itself where its rows came from is not contradicted.
    const source = traitsOf(era).activityRow.source ? 'ip:127.0.0.1' : 'opencode';
    const named = { source, sourceCertainty: 'exact' };
    expect((await open(id)).row).toMatchObject(named);
    expect(store.captures.row(key)).toMatchObject(named);
    expect((await open(id)).row).toMatchObject(named);
    const other = await ask('hello');
    expect((await open(other)).row.source).not.toBe('opencode');
  });

  it('that was pushed out is gone, and the reason names the buffer', async () => {
    const { ask, open } = await world(era, { captureBufferBytes: 3000 });
    const id = await ask('first');
    for (let more = 0; more < 6; more += 1) await ask('more');
    await expect(open(id)).rejects.toMatchObject({
      code: 'capture_gone',
      message: expect.stringMatching(
        /pushed out by newer ones: 6 requests ended on box since.*captureBuffer/,
      ),
    });
  });

  it('is not kept where captures are off, and the host is not even asked', async () => {
    const { ask, asked, open } = await world(era, { captureBufferBytes: 0 });
    let id = 0;
    for (let more = 0; more < 6; more += 1) id = await ask('more');
    await expect(open(id)).rejects.toMatchObject({
      code: 'capture_gone',
      message: expect.stringMatching(/switched off on box.*captureBuffer/),
    });
    expect(asked()).toBe(0);
  });
});

it('a host that has restarted has another request under that number: it is not shown', async () => {
  const { host, ask, open } = await world('v217');
  const id = await ask('mine');
  await host.stop();
  await host.start();
  // The connection of before is kept alive on this side only.
  await fetch(host.url).catch(() => null);
  await fetch(`${host.url}/v1/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'alpha', prompt: 'of somebody else' }),
  });
  await expect(open(id)).rejects.toMatchObject({
    code: 'capture_gone',
    message: expect.stringMatching(/another request/),
  });
});

it('a host that sleeps, or is behind a wake-on-LAN proxy, is never asked', async () => {
  for (const facts of [{ liveness: 'asleep' as const }, { features: ['wol-proxy'] }]) {
    const { ask, asked, open } = await world('v250', { facts });
    const id = await ask('hello');
    await expect(open(id)).rejects.toMatchObject({ message: expect.stringMatching(/wake/) });
    expect(asked()).toBe(0);
  }
});

it('a request nobody knows, and an answer that is no capture', async () => {
  const { host, ask, open } = await world('v250');
  await expect(open(999)).rejects.toMatchObject({ code: 'not_found' });
  const id = await ask('hello');
  host.setFrontDoor({ kind: 'html' });
  await expect(open(id)).rejects.toMatchObject({ code: 'upstream_failed' });
});

it('a capture of 20 MB is cut to its size, and the server goes on meanwhile', async () => {
  const { host, ask, open, store } = await world('v250', { captureBufferBytes: 60_000_000 });
  host.scriptAnswers('alpha', [{ promptTokens: 10 }]);
  const id = await ask('lorem ipsum '.repeat((20 * 1024 * 1024) / 12), STREAM);
  const capture = await open(id);
  expect(capture.request.body).toMatchObject({ kind: 'text', omittedBytes: expect.any(Number) });
  expect(capture.request.body.kind === 'text' ? capture.request.body.sizeBytes : 0).toBeGreaterThan(
    20_000_000,
  );
  expect(store.captures.totals().bytes).toBeLessThanOrEqual(256 * 1024);
}, 60_000);
