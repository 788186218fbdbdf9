import { describe, expect, it } from 'vitest';
import type { GpuSample, PerformanceRow, SystemSample } from '#shared/schemas/performance.ts';
import { encodeSnapshot } from './live-frame.ts';
import { LiveReader } from './live-reader.ts';
import { decodeSegment, encodeSegment } from './segment-codec.ts';

const at = Date.UTC(2026, 10, 30, 12);
const gpu = { key: 'GPU-1', id: 0, name: 'RTX 3090', uuid: 'GPU-1' };

const system: SystemSample = {
  at,
  cpuPct: 12.3,
  memUsedMb: 9_000,
  memTotalMb: 64_215,
  swapUsedMb: null,
  swapTotalMb: null,
  loadAvg1: 0.42,
  netInBytesPerSec: 0,
  netOutBytesPerSec: 1_200,
};
const card: GpuSample = {
  at,
  utilPct: 97,
  memUsedMb: 18_000,
  memTotalMb: 24_576,
  tempC: 66,
  memTempC: null,
  fanPct: 41,
  powerW: 287.4,
  stale: false,
};
const raw: PerformanceRow[] = [
  { hostId: 'box', gpu: null, sample: system },
  { hostId: 'box', gpu: null, sample: { ...system, at: at + 5_001, cpuPct: null, netInBytesPerSec: 40 } },
  { hostId: 'box', gpu, sample: { ...card, at: at + 110 } },
];
const rollups: PerformanceRow[] = [
  {
    hostId: 'box',
    gpu: null,
    sample: {
      ...system,
      samples: 60,
      cpuPctMax: 88.8,
      cpuPctP95: 70.1,
      memUsedMbMax: 9_100,
      netInBytesPerSecMax: 5,
      netOutBytesPerSecMax: null,
    },
  },
  {
    hostId: 'box',
    gpu,
    sample: {
      ...card,
      stale: true,
      samples: 12,
      utilPctMax: 100,
      utilPctP95: 99,
      memUsedMbMax: 18_100,
      memUsedMbMin: 450,
      tempCMax: 70,
      powerWMax: 350,
    },
  },
];

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
const bytes = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text, 'hex'));

/** Bytes as layout 1 wrote them. They stand in stored segments: they must read back for ever. */
const WRITTEN = {
  raw: '445301030301020402000241070103626f7801010a01054750552d310000010d010852545820333039300000010a01054750552d3100000107000300010100000a020080889cc5c568894e05000201017b060000a8460000070000d7f5030000040002000204000200020500002a0000050000000028060000b0090000080200ae899cc5c568040000ca07050000d08c0105000080c0010300004204000200010400009a03040000ba160400000000',
  rollups:
    '445301020201020402000100070103626f7801010a01054750552d310000010d010852545820333039300000010a01054750552d310000010700030001010000060200b0e7da050300007b040000a846050000d7f503040002000104000200010300002a0400000000040000b0090300003c040000f806040000bd050400008c47030000050400020001060200b0e7da05040000ca07050000d08c0105000080c0010300004204000200010400009a03040000ba16030000010300000c040000e807040000de07050000b48d01040000c20303000046040000ac1b',
  live: '6401030780889cc5c5680103626f7801c40e01007ca946d8f50300002b01b10901054750552d31085254582033303930010100cb07d18c0181c00143009b03bb1600',
};

describe('bytes of samples, layout 1', () => {
  it('[G9] of segments read back, and are written the same', () => {
    expect(hex(encodeSegment('perf-raw', raw))).toBe(WRITTEN.raw);
    expect(hex(encodeSegment('perf-5m', rollups))).toBe(WRITTEN.rollups);
    expect(decodeSegment(bytes(WRITTEN.raw)).rows).toEqual(raw);
    expect(decodeSegment(bytes(WRITTEN.rollups)).rows).toEqual(rollups);
  });

  it('[L11] of live frames read back, and are written the same', () => {
    const value = { observedAt: at + 900, system, gpus: [{ ...gpu, sample: card }] };
    const written = encodeSnapshot({ seq: 7, at }, ['box'], {
      topic: 'performance',
      patches: [{ index: 0, value }],
    });
    expect(hex(written)).toBe(WRITTEN.live);
    const reader = new LiveReader();
    reader.accept(bytes(WRITTEN.live).subarray(1));
    expect(reader.performance.get('box')).toEqual({ hostId: 'box', ...value });
  });
});
