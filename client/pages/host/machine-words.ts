import type { GpuSample, SystemSample } from '#shared/schemas/performance.ts';
import { UNKNOWN } from '../../ui/format.ts';
import { formatGib } from '../host-parts/performance-view.ts';

/** What a card does besides holding memory: `61 %`, `66 °C`, `280 W`, `fan 40 %`. */
export function gpuFacts({ utilPct, tempC, powerW, fanPct }: GpuSample): readonly string[] {
  const facts = [whole(utilPct, '%'), whole(tempC, '°C'), whole(powerW, 'W')];
  return fanPct === null ? facts : [...facts, `fan ${whole(fanPct, '%')}`];
}

/** What the machine around the cards does: `CPU 4 %`, `memory 39.1 / 120 GiB`, `load 1.2`. */
export function systemFacts({ cpuPct, memUsedMb, memTotalMb, loadAvg1 }: SystemSample): readonly string[] {
  const used = memUsedMb === null ? UNKNOWN : formatGib(memUsedMb);
  const memory = memTotalMb === null ? used : `${used} / ${formatGib(memTotalMb)}`;
  const facts = [`CPU ${whole(cpuPct, '%')}`, `memory ${memory} GiB`];
  return loadAvg1 === null ? facts : [...facts, `load ${loadAvg1.toFixed(1)}`];
}

function whole(value: number | null, unit: string): string {
  return `${value === null ? UNKNOWN : Math.round(value)} ${unit}`;
}
