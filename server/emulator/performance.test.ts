import { describe, expect, it, onTestFinished } from 'vitest';
import { must } from '#shared/lib/assert.ts';
import { mapPerformance } from '../domain/map-performance.ts';
import { ManualClock } from '../testing/manual-clock.ts';
import { EmulatedHost } from './emulated-host.ts';
import { ERAS } from './era.ts';

async function sampled(era: (typeof ERAS)[number], gpus: number) {
  const clock = new ManualClock();
  const host = new EmulatedHost({ era, gpus, clock, config: { models: [] } });
  await host.start();
  onTestFinished(() => host.stop());
  clock.advance(16_000);
  const get = async (path: string) => {
    const reply = await fetch(`${host.url}${path}`, { headers: { accept: 'application/json' } });
    return { status: reply.status, body: (await reply.text()) || 'null' };
  };
  return { host, get };
}

describe.each(ERAS)('samples of an emulated %s', (era) => {
  it.each([0, 1, 4])(
    'with %d cards are those that were taken, and unknown where a card cannot tell',
    async (count) => {
      const { host, get } = await sampled(era, count);
      const { traits } = host;
      const reply = await get('/api/performance');
      expect(reply.status).toBe(traits.performance === 'none' ? 404 : 200);
      expect((await get('/api/hardware')).status).toBe(traits.hardware ? 200 : 404);
      if (traits.performance === 'none') return;
      const listed = must(mapPerformance(JSON.parse(reply.body)), 'samples');
      const truth = JSON.parse((await get('/_emulator/performance')).body);
      expect(listed).toEqual(mapPerformance({ sys_stats: truth.system, gpu_stats: truth.gpus }));
      expect(listed.system).toHaveLength(3);
      expect(listed.gpus.map(({ readings }) => readings.length)).toEqual(
        Array.from({ length: count }, () => 4),
      );
      expect(listed.gpus.map(({ readings }) => readings[0]?.memTotalMb === null)).toEqual(
        [false, true, false, false].slice(0, count),
      );
    },
  );
});
