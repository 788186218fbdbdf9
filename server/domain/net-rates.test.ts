import { describe, expect, it } from 'vitest';
import type { SystemReading } from './performance-readings.ts';
import { withRates } from './net-rates.ts';

const blank = { cpuPct: null, memUsedMb: null, memTotalMb: null, swapUsedMb: null, swapTotalMb: null };

function reading(at: number, counters: Record<string, [number, number]>): SystemReading {
  const net = Object.entries(counters).map(([name, [received, sent]]) => ({ name, received, sent }));
  return { at, ...blank, loadAvg1: null, net };
}
function rates(readings: readonly SystemReading[], before: Parameters<typeof withRates>[1] = null) {
  return withRates(readings, before).samples.map((sample) => [
    sample.netInBytesPerSec,
    sample.netOutBytesPerSec,
  ]);
}

describe('network rates', () => {
  it('are since the reading before, which may lie before a restart', () => {
    const readings = [
      reading(0, { eth0: [1000, 100] }),
      reading(5000, { eth0: [6000, 600] }),
      reading(10_000, { eth0: [6000, 600] }),
    ];
    expect(rates(readings)).toEqual([
      [null, null],
      [1000, 100],
      [0, 0],
    ]);
    const first = withRates(readings.slice(0, 2), null);
    expect(rates(readings.slice(2), first.counters)).toEqual([[0, 0]]);
  });

  it('are unknown where a counter wrapped or began anew, in its own direction only', () => {
    const readings = [reading(0, { eth0: [2 ** 32 - 1, 5] }), reading(5000, { eth0: [10, 10] })];
    expect(rates(readings)[1]).toEqual([null, 1]);
  });

  it('are unknown past what a double counts exactly, over long gaps and when time stands or goes back', () => {
    expect(rates([reading(0, { eth0: [0, 0] }), reading(5000, { eth0: [2 ** 60, 0] })])[1]).toEqual([
      null,
      0,
    ]);
    for (const at of [700_000, 0, -5000]) {
      expect(rates([reading(0, { eth0: [0, 0] }), reading(at, { eth0: [9, 9] })])[1]).toEqual([null, null]);
    }
  });

  it('count an interface from its second reading, and traffic of bridges and tunnels once', () => {
    const readings = [
      reading(0, { eth0: [0, 0], docker0: [0, 0] }),
      reading(1000, { eth0: [10, 1], docker0: [10, 1], eth1: [1e9, 1e9] }),
      reading(2000, { eth0: [20, 2], docker0: [20, 2], eth1: [1e9 + 5, 1e9 + 5] }),
    ];
    expect(rates(readings).slice(1)).toEqual([
      [10, 1],
      [15, 6],
    ]);
    const container = [reading(0, { veth1: [0, 0] }), reading(1000, { veth1: [7, 8] })];
    expect(rates(container)[1]).toEqual([7, 8]);
  });
});
