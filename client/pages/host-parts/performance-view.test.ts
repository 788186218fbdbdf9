import { expect, test } from 'vitest';
import type { LiveGpu, LivePerformance } from '#shared/schemas/performance.ts';
import { hostOf } from '../../data/testing/fleet.ts';
import { shortGpuName } from './gpu-name.ts';
import { performanceView } from './performance-view.ts';

/** The host's own clock is a day behind. */
const HOST_AT = 1_000_000;
const OBSERVED_AT = HOST_AT + 86_400_000;

function gpuOf(change: Partial<LiveGpu> = {}, sample: Partial<LiveGpu['sample']> = {}): LiveGpu {
  return {
    key: 'GPU-1',
    id: 0,
    name: 'NVIDIA GeForce RTX 3090',
    uuid: 'GPU-1',
    ...change,
    sample: {
      at: HOST_AT,
      utilPct: 61,
      memUsedMb: 21_914,
      memTotalMb: 24_576,
      tempC: 66,
      memTempC: null,
      fanPct: 40,
      powerW: 280,
      stale: false,
      ...sample,
    },
  };
}

const SYSTEM = {
  at: HOST_AT,
  cpuPct: 4,
  memUsedMb: 40_000,
  memTotalMb: 122_880,
  swapUsedMb: null,
  swapTotalMb: null,
  loadAvg1: 1,
  netInBytesPerSec: null,
  netOutBytesPerSec: null,
};

function performanceOf(gpus: readonly LiveGpu[], system: typeof SYSTEM | null = SYSTEM): LivePerformance {
  return { hostId: 'bluefin', observedAt: OBSERVED_AT, system, gpus: [...gpus] };
}

const ACCELERATOR = {
  kind: 'gpu',
  model: 'NVIDIA GB10',
  architecture: null,
  memoryKind: 'unified',
  memoryMb: null,
  driver: null,
  powerLimitW: null,
};
const HARDWARE = {
  os: null,
  kernel: null,
  architecture: null,
  environment: null,
  cpu: { model: null, sockets: null, cores: null, threads: null },
  memoryMb: null,
  accelerators: [ACCELERATOR],
};
const HOST = hostOf({ id: 'bluefin', features: ['activity', 'performance'] });

function view(
  performance: LivePerformance | null,
  change: { age?: number; isPast?: boolean; isAway?: boolean; host?: typeof HOST } = {},
) {
  const { age = 0, isPast = false, isAway = false, host = HOST } = change;
  return performanceView({ host, performance, isPast, isAway, now: OBSERVED_AT + age });
}

test('a card shows its memory in GiB under the name people use, with its number where there are several', () => {
  const [one] = view(performanceOf([gpuOf()])).gpus;
  expect(one).toMatchObject({ name: 'RTX 3090', memory: '21.4 / 24 GiB', freshness: 'live', stamp: null });
  expect(one?.share).toBeCloseTo(0.8917, 3);
  const two = view(performanceOf([gpuOf(), gpuOf({ key: 'GPU-2', id: 1 })])).gpus;
  expect(two.map(({ name, number }) => name + number)).toEqual(['RTX 3090 · 0', 'RTX 3090 · 1']);
  expect(shortGpuName('AMD Radeon(TM) 8060S Graphics')).toBe('8060S');
  expect(shortGpuName('NVIDIA')).toBe('NVIDIA');
});

test('a sample is live for 15 s by when it was received, then stamped, and stale past a minute', () => {
  const ages = [14_999, 15_000, 59_999, 60_000].map((age) => view(performanceOf([gpuOf()]), { age }).gpus[0]);
  expect(ages.map((gpu) => gpu?.freshness)).toEqual(['live', 'ageing', 'ageing', 'stale']);
  expect(ages[0]?.stamp).toBeNull();
  expect(ages[1]?.stamp).toMatch(/^as of \d\d:\d\d:\d\d, 15 s ago$/);
});

test('a card that fell silent beside a machine that goes on is stale alone', () => {
  const frozen = gpuOf({ key: 'GPU-2', id: 1 }, { at: HOST_AT - 20_000, stale: true });
  const [moving, still] = view(performanceOf([gpuOf(), frozen])).gpus;
  expect(moving?.freshness).toBe('live');
  expect(still).toMatchObject({ freshness: 'stale', memory: '21.4 / 24 GiB' });
  expect(still?.stamp).toContain('stands still');
});

test('on a card of the past all is stale and the stamp is the card’s', () => {
  expect(view(performanceOf([gpuOf()]), { isPast: true }).gpus[0]).toMatchObject({
    freshness: 'stale',
    stamp: null,
  });
});

test('unknown is a dash and an empty track, never 0', () => {
  const [gpu] = view(performanceOf([gpuOf({}, { memUsedMb: null })])).gpus;
  expect(gpu).toMatchObject({ memory: '– / 24 GiB', share: null, freshness: 'unknown' });
  expect(view(performanceOf([gpuOf({}, { memUsedMb: null, memTotalMb: null })])).gpus[0]?.memory).toBe('–');
  expect(view(performanceOf([gpuOf({}, { memUsedMb: 0 })])).gpus[0]?.memory).toBe('0 / 24 GiB');
});

test('a card without memory of its own shows what it shares with the machine', () => {
  const host = { ...HOST, hardware: HARDWARE };
  const silent = gpuOf({ name: 'NVIDIA GB10' }, { memUsedMb: null, memTotalMb: null });
  const shared = { name: 'GB10, unified', memory: '39.1 / 120 GiB', freshness: 'live' };
  expect(view(performanceOf([silent]), { host }).gpus).toMatchObject([shared]);
  expect(view(performanceOf([]), { host }).gpus).toMatchObject([shared]);
  expect(
    view(performanceOf([gpuOf({ name: 'Apple M3 Ultra' }, { memTotalMb: 196_608 })])).gpus[0]?.name,
  ).toBe('M3 Ultra, unified');
});

test('without samples the reason is said, and cards that are known to be there wait with an empty track', () => {
  expect(view(null)).toMatchObject({ gpus: [], note: 'no samples yet' });
  expect(view(null, { isAway: true }).note).toBe('memory not known without the collector');
  expect(view(performanceOf([]))).toMatchObject({ gpus: [], note: 'GPU memory not reported' });
  expect(view(null, { host: { ...HOST, features: ['activity'] } }).note).toBe('memory not reported');
  expect(view(null, { host: { ...HOST, features: [] } }).note).toBeNull();
  expect(view(null, { host: { ...HOST, features: ['performance', 'wol-proxy'] } }).note).toContain('wake');
  const accelerators = [{ ...ACCELERATOR, model: 'RTX 4090', memoryKind: 'dedicated', memoryMb: 24_576 }];
  const awaiting = { ...HOST, hardware: { ...HARDWARE, accelerators } };
  expect(view(null, { host: awaiting }).gpus).toMatchObject([
    { memory: '– / 24 GiB', stamp: 'no samples yet' },
  ]);
});
