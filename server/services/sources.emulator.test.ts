import { afterEach, describe, expect, it } from 'vitest';
import { createLlamaSwapClient } from '../adapters/llama-swap-client.ts';
import { systemClock } from '../adapters/system-clock.ts';
import { EmulatedHost } from '../emulator/emulated-host.ts';
import { ERAS, type Era } from '../emulator/era.ts';
import { FleetMemory } from '../testing/fleet-memory.ts';
import { hostConfig } from '../testing/host-config.ts';
import { silentLog } from '../testing/silent-log.ts';
import { Collector } from './collector.ts';

const stops: (() => unknown)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0).toReversed()) await stop();
});

/** A host of an era with one loaded model, and a collector that listens to it. */
async function world(era: Era) {
  const models = [{ id: 'coder', load: { durationMs: 5 }, tokensPerSecond: 100 }];
  const host = new EmulatedHost({ era, gpus: 0, config: { models } });
  await host.start();
  stops.push(() => host.stop());
  await host.load('coder');
  const fleet = new FleetMemory();
  const collector = new Collector({
    clientFor: () => createLlamaSwapClient({ url: host.url, key: () => null, clock: systemClock }),
    sink: fleet,
    store: fleet,
    clock: systemClock,
    log: silentLog(),
    random: () => 0,
  });
  collector.start([hostConfig('box', { url: host.url })]);
  stops.push(() => collector.stop());
  await fleet.until(() => fleet.listings > 0);
  /** Asks for an answer of so many tokens, at 100 a second. */
  const ask = async (
    headers: Readonly<Record<string, string>>,
    { tokens = 30, path = '/v1/chat/completions' } = {},
  ): Promise<void> => {
    const body = JSON.stringify({
      model: 'coder',
      messages: [{ role: 'user', content: 'hello' }],
      prompt: 'hello',
      input: 'hello',
      max_tokens: tokens,
      stream: true,
      stream_options: { include_usage: true },
    });
    const init = { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body };
    await (await fetch(`${host.url}${path}`, init)).text();
  };
  const found = (): readonly string[] =>
    fleet.requests('box').map(({ source, sourceCertainty }) => `${source ?? '–'} ${sourceCertainty}`);
  const rows = (count: number) => fleet.until(() => fleet.requests('box').length === count);
  return { host, fleet, ask, found, rows };
}

const EXPECTED: Readonly<Record<Era, readonly [named: string, session: string, bare: string]>> = {
  v150: ['– unknown', '– unknown', '– unknown'],
  v200: ['– unknown', '– unknown', '– unknown'],
  v217: ['– unknown', '– unknown', '– unknown'],
  v228: ['– unknown', '– unknown', '– unknown'],
  v235: ['– unknown', '– unknown', '– unknown'],
  v240: ['bench matched', 'sess-42 matched', 'ip:127.0.0.1 matched'],
  v250: ['bench matched', 'sess-42 matched', 'ip:127.0.0.1 matched'],
  main: ['bench matched', 'sess-42 matched', 'ip:127.0.0.1 matched'],
  v262: ['bench matched', 'sess-42 matched', 'ip:127.0.0.1 exact'],
};

describe('whom a request came from', () => {
  it.each(ERAS)('is told as far as the wire of %s allows', async (era) => {
    const { ask, found, rows } = await world(era);
    // Within a second they could not be told apart by their times: by their paths they can.
    await ask({ 'X-Drover-Source': 'bench', 'X-Session-ID': 's' }, { path: '/v1/chat/completions' });
    await ask({ 'x-session-id': 'sess-42' }, { path: '/v1/completions' });
    await ask({}, { path: '/v1/embeddings' });
    await rows(3);
    expect(found()).toEqual(EXPECTED[era]);
  });

  it('stands with the running request', async () => {
    const { ask, fleet } = await world('v250');
    const asked = ask({ 'X-Drover-Source': 'bench' });
    await fleet.until(() => fleet.inFlights.some((now) => now?.requests?.length === 1));
    expect(fleet.inFlights.at(-1)?.requests).toMatchObject([{ source: 'bench' }]);
    await asked;
  });

  it('is unknown for twins of different callers, and known for twins of one', async () => {
    const { ask, found, rows } = await world('v250');
    await Promise.all([ask({ 'X-Drover-Source': 'a' }), ask({ 'X-Drover-Source': 'b' })]);
    await rows(2);
    expect(found()).toEqual(['– unknown', '– unknown']);
    // Later than what a second of rounding could mix up with them.
    await new Promise((resolve) => setTimeout(resolve, 2_000));
    await Promise.all([ask({ 'X-Drover-Source': 'c' }), ask({ 'X-Drover-Source': 'c' })]);
    await rows(4);
    expect(found().slice(2)).toEqual(['c matched', 'c matched']);
  }, 30_000);

  it('is told by the duration where requests began together: the row waits for the one that still runs', async () => {
    const { ask, found, rows } = await world('v250');
    await Promise.all([
      ask({ 'X-Drover-Source': 'short' }, { tokens: 40 }),
      ask({ 'X-Drover-Source': 'long' }, { tokens: 240 }),
    ]);
    await rows(2);
    expect(found()).toEqual(['short matched', 'long matched']);
  }, 30_000);
});
