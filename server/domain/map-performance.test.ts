import { describe, expect, it } from 'vitest';
import { must } from '#shared/lib/assert.ts';
import { recordedBody } from '../testing/recordings.ts';
import { mapPerformance } from './map-performance.ts';

function recorded(version: string) {
  return must(mapPerformance(JSON.parse(recordedBody(version, '/api/performance'))), version);
}

const gpuRow = {
  timestamp: '2026-11-30T02:26:21.664299435-08:00',
  id: 0,
  name: 'RTX',
  uuid: 'GPU-1',
  temp_c: 51,
  vram_temp_c: 0,
  gpu_util_pct: 0,
  mem_util_pct: 73.2,
  mem_used_mb: 18_000,
  mem_total_mb: 24_576,
  fan_speed_pct: 41,
  power_draw_w: 210.04,
};
const systemRow = {
  timestamp: '2026-11-30T02:26:26.5-08:00',
  cpu_util_per_core: [10, 20.26],
  mem_total_mb: 24_105,
  mem_used_mb: 414,
  mem_free_mb: 23_691,
  swap_total_mb: 0,
  swap_used_mb: 0,
  load_avg_1: 0,
  load_avg_5: 0.08,
  load_avg_15: 0.09,
  net_io: [{ name: 'eth0', bytes_recv: 10, bytes_sent: 20 }],
};
const map = (json: unknown) => must(mapPerformance(json), 'an answer');

describe.each(['v217', 'v228', 'v235', 'v240', 'v250', 'main'])('recording %s', (version) => {
  it('gives every row of machine and cards, in order of time', () => {
    const raw: { sys_stats: unknown[]; gpu_stats: unknown[] } = JSON.parse(
      recordedBody(version, '/api/performance'),
    );
    const { system, gpus, unreadable } = recorded(version);
    expect(system).toHaveLength(raw.sys_stats.length);
    expect(gpus.flatMap(({ readings }) => readings)).toHaveLength(raw.gpu_stats.length);
    expect(unreadable).toBe(0);
    const times = system.map(({ at }) => at);
    expect(times).toEqual([...times].sort((a, b) => a - b));
  });

  it('keeps both cards apart by uuid and knows nothing where the tool wrote zeroes', () => {
    const [known, blank] = recorded(version).gpus;
    expect(known?.gpu).toEqual({
      key: 'GPU-11111111-2222-3333-4444-555555555555',
      id: 0,
      name: 'NVIDIA GeForce RTX 3090',
      uuid: 'GPU-11111111-2222-3333-4444-555555555555',
    });
    expect(known?.readings[0]).toMatchObject({
      utilPct: 0,
      memUsedMb: 18_000,
      memTotalMb: 24_576,
      powerW: 210,
    });
    expect(known?.readings[0]?.memTempC).toBeNull();
    expect(blank?.readings[0]).toMatchObject({
      utilPct: 0,
      memUsedMb: null,
      memTotalMb: null,
      tempC: 44,
      fanPct: null,
      powerW: null,
    });
  });
});

describe('mapPerformance', () => {
  it('reads null lists, empty lists and a disabled monitor as no rows', () => {
    const nothing = { enabled: true, system: [], gpus: [], unreadable: 0 };
    expect(mapPerformance({ enabled: true, sys_stats: null, gpu_stats: null })).toEqual(nothing);
    expect(mapPerformance({ sys_stats: [], gpu_stats: [] })).toEqual(nothing);
    expect(mapPerformance({ enabled: false })).toEqual({ ...nothing, enabled: false });
  });

  it.each([[null], ['text'], [[]], [{ sys_stats: 'x', gpu_stats: null }]])('refuses %j', (json) => {
    expect(mapPerformance(json)).toBeNull();
  });

  it('loses only the rows that cannot be read', () => {
    const rows = [{ ...systemRow, timestamp: 'yesterday' }, 7, systemRow];
    const { system, unreadable } = map({ sys_stats: rows, gpu_stats: [null, gpuRow] });
    expect(system).toHaveLength(1);
    expect(unreadable).toBe(3);
  });

  it('averages cores and takes 0 for unknown where no machine has 0', () => {
    const [reading] = map({ sys_stats: [systemRow] }).system;
    expect(reading).toMatchObject({ cpuPct: 15.1, memUsedMb: 414, swapUsedMb: null, loadAvg1: 0 });
    const windows = { ...systemRow, load_avg_5: 0, load_avg_15: 0, cpu_util_per_core: null, mem_total_mb: 0 };
    const [blank] = map({ sys_stats: [windows] }).system;
    expect(blank).toMatchObject({ cpuPct: null, memUsedMb: null, memTotalMb: null, loadAvg1: null });
  });

  it('takes values out of any range as unknown', () => {
    const odd = { ...gpuRow, gpu_util_pct: 250, power_draw_w: -3, mem_used_mb: 1e300, temp_c: 'hot' };
    expect(map({ gpu_stats: [odd] }).gpus[0]?.readings[0]).toMatchObject({
      utilPct: null,
      powerW: null,
      memUsedMb: null,
      tempC: null,
    });
  });

  it('keys cards without uuid by number, and twins with one uuid by both', () => {
    const macos = map({ gpu_stats: [{ ...gpuRow, uuid: '' }] });
    expect(macos.gpus.map(({ gpu }) => gpu.key)).toEqual(['id:0']);
    const renumbered = { ...gpuRow, id: 1, timestamp: '2026-11-30T02:26:26.6-08:00' };
    expect(map({ gpu_stats: [gpuRow, renumbered] }).gpus.map(({ gpu }) => gpu)).toMatchObject([
      { key: 'GPU-1', id: 1 },
    ]);
    const twins = map({ gpu_stats: [gpuRow, { ...gpuRow, id: 1 }] });
    expect(twins.gpus.map(({ gpu }) => gpu.key)).toEqual(['GPU-1#0', 'GPU-1#1']);
  });

  it('tells time whatever the zone it is written in, over a change of summer time too', () => {
    const summer = { ...systemRow, timestamp: '2026-11-01T01:59:59.9-07:00' };
    const winter = { ...systemRow, timestamp: '2026-11-01T01:00:04.9-08:00' };
    const { system } = map({ sys_stats: [summer, winter] });
    expect(system.map(({ at }) => at)).toEqual([
      Date.UTC(2026, 10, 1, 8, 59, 59, 900),
      Date.UTC(2026, 10, 1, 9, 0, 4, 900),
    ]);
  });
});
