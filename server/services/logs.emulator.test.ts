import { monitorEventLoopDelay } from 'node:perf_hooks';
import { afterEach, describe, expect, it } from 'vitest';
import { EmulatedHost } from '../emulator/emulated-host.ts';
import { ERAS, traitsOf, type Era } from '../emulator/era.ts';
import { watchLogsOf } from '../testing/logs-world.ts';

const stops: (() => unknown)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0).toReversed()) await stop();
});

async function watched(era: Era) {
  const models = [
    { id: 'coder', load: { durationMs: 20 } },
    { id: 'org/chat [1m]', load: { durationMs: 20 } },
  ];
  const host = new EmulatedHost({ era, gpus: 0, config: { models } });
  await host.start();
  stops.push(() => host.stop());
  host.llamaSwap.logs.proxy('INFO', 'said before anybody listened');
  const world = watchLogsOf(host);
  stops.push(() => world.stop());
  await world.connected();
  return { host, ...world };
}

const asked = (host: EmulatedHost, path: string): number =>
  host.records.requests.filter((request) => request.path.startsWith(path)).length;

describe.each(ERAS)('logs of an emulated %s', (era) => {
  const hasStream = traitsOf(era).logs.eventsRoute;

  it('are shown from the tail on, without a secret, and asked for only while somebody watches', async () => {
    const { host, hub, watch } = await watched(era);
    expect(asked(host, '/api/events/logs?')).toBe(0);
    const viewer = watch();
    await viewer.until(() => viewer.lines.some((line) => line.includes('said before anybody listened')));
    const old = viewer.entries.find((entry) => entry.type === 'line' && entry.text.includes('said before'));
    expect(old?.at).toBeNull();
    host.llamaSwap.logs.write('upstream', 'load_tensors: \u001b[31m3');
    host.llamaSwap.logs.write('upstream', '4%\u001b[0m with swordfish\nno end yet');
    await viewer.until(() => viewer.lines.some((line) => line.includes('[REDACTED]')));
    const line = viewer.entries.findLast((entry) => entry.source === 'upstream');
    expect(line).toMatchObject({ type: 'line', text: 'load_tensors: 34% with [REDACTED]' });
    expect(line?.at).toBeGreaterThan(0);
    expect(viewer.state).toBe('live');
    expect(asked(host, '/api/events/logs?')).toBe(hasStream ? 1 : 0);
    const late = watch();
    await late.until(() => late.lines.length === viewer.lines.length);
    expect(late.lines).toEqual(viewer.lines);
    hub.watch(viewer, null);
    hub.watch(late, null);
    host.llamaSwap.logs.write('upstream', ', nobody looks\n');
    const again = watch();
    await again.until(() => again.lines.includes('no end yet, nobody looks'));
    expect(again.lines.filter((text) => text.includes('said before'))).toHaveLength(1);
  });
});

describe('the log of one model', () => {
  it.each(ERAS.filter((era) => traitsOf(era).logs.perModel === 'kept'))(
    'comes from its own stream on %s',
    async (era) => {
      const { host, watch } = await watched(era);
      await host.load('org/chat [1m]');
      host.llamaSwap.logs.write('upstream', 'its own\n', 'org/chat [1m]');
      host.llamaSwap.logs.write('upstream', 'of another\n', 'coder');
      const viewer = watch('org/chat [1m]');
      await viewer.until(() => viewer.lines.includes('its own'));
      host.llamaSwap.logs.write('upstream', 'and now\n', 'org/chat [1m]');
      await viewer.until(() => viewer.lines.includes('and now'));
      expect(viewer.lines).not.toContain('of another');
      expect(viewer.entries.at(-1)).toMatchObject({ source: 'org/chat [1m]', text: 'and now' });
    },
  );

  it('is not asked for where the version has none that outlives a stop', async () => {
    const { host, watch } = await watched('v217');
    const viewer = watch('coder');
    await viewer.until(() => viewer.state === 'not-offered');
    expect(asked(host, '/logs/stream')).toBe(0);
  });
});

it('a host that comes back brings its tail again: no line twice, and what was missed is there', async () => {
  const { host, watch } = await watched('v250');
  host.llamaSwap.logs.write('upstream', 'one\ntwo\n');
  const viewer = watch();
  await viewer.until(() => viewer.lines.includes('two'));
  host.cutEvents();
  host.llamaSwap.logs.write('upstream', 'three\n');
  await viewer.until(() => viewer.lines.includes('three'), 20_000);
  expect(viewer.lines.filter((line) => ['one', 'two', 'three'].includes(line))).toEqual([
    'one',
    'two',
    'three',
  ]);
});

it('50,000 lines a second neither block the loop nor grow memory; each line is shown or counted', async () => {
  const { host, collector, watch } = await watched('v250');
  const viewer = watch();
  await viewer.until(() => viewer.frames.length > 0);
  const before = viewer.counted('upstream');
  const frame = (line: number): string => {
    const data = JSON.stringify({
      source: 'upstream',
      data: `slot update: task ${line} ${'x'.repeat(60)}\n`,
    });
    return `event:message\ndata:${JSON.stringify({ type: 'logData', data })}\n\n`;
  };
  const burst = 5_000;
  const bursts = 20;
  const prepared = Array.from({ length: bursts }, (_, index) =>
    Array.from({ length: burst }, (_line, line) => frame(index * burst + line)).join(''),
  );
  const heapBefore = process.memoryUsage().heapUsed;
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  for (const bytes of prepared) {
    host.injectFrame(bytes);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  await viewer.until(() => viewer.lines.at(-1)?.includes(`task ${burst * bursts - 1} `) === true, 30_000);
  delay.disable();
  // Half a second on a machine that does other things; a loop that waits for 50,000 lines stands for seconds.
  expect(delay.percentile(99) / 1e6).toBeLessThan(250);
  expect(viewer.counted('upstream') - before).toBe(burst * bursts);
  expect(viewer.lines.length).toBeLessThan(burst * bursts);
  expect(viewer.bytes).toBeLessThan(12 * 1024 * 1024);
  expect(process.memoryUsage().heapUsed - heapBefore).toBeLessThan(160 * 1024 * 1024);
  expect(collector.status('marlin')?.liveness).toBe('connected');
}, 60_000);

it('a reader that does not read is left out first, and told how many lines it missed', async () => {
  const { host, watch } = await watched('v250');
  const [slow, quick] = [watch(), watch()];
  await slow.until(() => slow.frames.length > 0);
  const before = slow.counted('upstream');
  slow.bufferedBytes = 300 * 1024;
  for (let round = 0; round < 10; round += 1) {
    host.floodLogs({ lines: 400 });
    const seen = quick.counted('upstream');
    await quick.until(() => quick.counted('upstream') >= seen + 400);
  }
  const frames = slow.frames.length;
  slow.bufferedBytes = 0;
  await slow.until(() => slow.counted('upstream') - before >= 4_000);
  expect(slow.counted('upstream') - before).toBe(4_000);
  expect(slow.frames.length - frames).toBe(1);
  expect(slow.entries.find((entry) => entry.type === 'dropped')).toMatchObject({ count: 3_500 });
});
