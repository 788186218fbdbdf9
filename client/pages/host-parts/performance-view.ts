import type { Host, HostHardware } from '#shared/schemas/host.ts';
import type { LiveGpu, LivePerformance } from '#shared/schemas/performance.ts';
import { UNKNOWN, formatStamp } from '../../ui/format.ts';
import { isUnifiedByName, shortGpuName } from './gpu-name.ts';

/** Samples come every 5 s: for so long one stands for now. */
const LIVE_MS = 15_000;
/** Past this a sample is what was. */
const STALE_MS = 60_000;
const MIB_PER_GIB = 1024;

/** How far a sample may be believed; `unknown`: there is none, or it does not say. */
export type SampleFreshness = 'live' | 'ageing' | 'stale' | 'unknown';

/** A card, or the memory it shares with its machine, as a gauge shows it. */
export interface GpuView {
  readonly key: string;
  readonly name: string;
  /** Which one, where there are several: ` · 0`. */
  readonly number: string;
  /** `21.4 / 24 GiB`, `– / 24 GiB`, `–`. */
  readonly memory: string;
  /** 0 to 1; null: not known. */
  readonly share: number | null;
  readonly freshness: SampleFreshness;
  /** As of when, where that is not now; or why nothing is known. */
  readonly stamp: string | null;
  readonly sample: LiveGpu['sample'] | null;
}

/** What is known of a host's machine now. */
export interface PerformanceView {
  readonly gpus: readonly GpuView[];
  /** Said instead of gauges: why there are none. */
  readonly note: string | null;
  readonly systemFreshness: SampleFreshness;
  readonly systemStamp: string | null;
}

/** What it is derived from. `isPast`: the host's card speaks of the past, and its stamp is the one that counts. */
export interface PerformanceFacts {
  readonly host: Pick<Host, 'features' | 'hardware'>;
  readonly performance: LivePerformance | null;
  readonly isPast: boolean;
  /** Nobody can be asked: what this page was not told is not known, whether or not there is any. */
  readonly isAway: boolean;
  readonly now: number;
}

/** Derives the gauges of a host at `now` (collector time). */
export function performanceView(facts: PerformanceFacts): PerformanceView {
  const { host, performance } = facts;
  const hardware = host.hardware?.accelerators ?? [];
  const system = performance?.system ?? null;
  const age = system === null ? null : ageOf(facts, system.at);
  const base = {
    systemFreshness: age === null ? ('unknown' as const) : freshnessOf(age, facts.isPast),
    systemStamp: age === null ? null : stampOf(age, facts),
  };
  if (performance !== null && performance.gpus.length > 0) {
    const isMany = performance.gpus.length > 1;
    const gpus = performance.gpus.map((gpu) => gpuView(gpu, hardware, isMany, facts));
    return { ...base, note: null, gpus };
  }
  const unified = hardware.find(({ memoryKind }) => memoryKind === 'unified');
  if (system !== null && unified) {
    const name = `${shortGpuName(unified.model ?? 'GPU')}, unified`;
    const { memUsedMb, memTotalMb } = system;
    const one = { key: 'unified', name, number: '', stamp: base.systemStamp, sample: null };
    return {
      ...base,
      note: null,
      gpus: [{ ...one, ...memoryOf(memUsedMb, memTotalMb, base.systemFreshness) }],
    };
  }
  const awaited = performance === null && host.features.includes('performance') ? hardware : [];
  return {
    ...base,
    note: awaited.length > 0 ? null : noteOf(facts),
    gpus: awaited.map((card, index) => awaitedGpu(card, index, facts)),
  };
}

function gpuView(
  { key, id, name, sample }: LiveGpu,
  hardware: HostHardware['accelerators'],
  isMany: boolean,
  facts: PerformanceFacts,
): GpuView {
  const known = hardware.filter(({ model }) => model === name).at(0);
  const isUnified = known?.memoryKind === 'unified' || isUnifiedByName(name);
  const age = ageOf(facts, sample.at);
  // A card that fell silent beside a machine that goes on is stale alone, however young its last sample.
  const freshness = sample.stale ? 'stale' : freshnessOf(age, facts.isPast);
  const shared = isUnified && sample.memTotalMb === null ? (facts.performance?.system ?? null) : null;
  const { memUsedMb, memTotalMb } = shared ?? sample;
  const total = memTotalMb ?? known?.memoryMb ?? null;
  return {
    key,
    name: `${shortGpuName(name)}${isUnified ? ', unified' : ''}`,
    number: isMany && id !== null ? ` · ${id}` : '',
    ...memoryOf(memUsedMb, total, freshness),
    stamp: sample.stale ? `stands still, ${stampWords(age, facts)}` : stampOf(age, facts),
    sample,
  };
}

/** A card that is known to be there and of which no sample came yet. */
function awaitedGpu(
  { model, memoryMb }: HostHardware['accelerators'][number],
  index: number,
  { isAway }: PerformanceFacts,
): GpuView {
  return {
    key: `awaited:${index}`,
    name: shortGpuName(model ?? 'GPU'),
    number: '',
    ...memoryOf(null, memoryMb, 'unknown'),
    stamp: isAway ? 'needs the collector' : 'no samples yet',
    sample: null,
  };
}

function memoryOf(
  usedMb: number | null,
  totalMb: number | null,
  freshness: SampleFreshness,
): Pick<GpuView, 'memory' | 'share' | 'freshness'> {
  if (usedMb === null) {
    const memory = totalMb === null ? UNKNOWN : `${UNKNOWN} / ${formatGib(totalMb)} GiB`;
    return { memory, share: null, freshness: 'unknown' };
  }
  if (totalMb === null || totalMb <= 0) return { memory: `${formatGib(usedMb)} GiB`, share: null, freshness };
  const share = Math.min(1, Math.max(0, usedMb / totalMb));
  return { memory: `${formatGib(usedMb)} / ${formatGib(totalMb)} GiB`, share, freshness };
}

/** Why there is no gauge, in words; null while it is too early to say. */
function noteOf({ host, performance, isAway }: PerformanceFacts): string | null {
  if (performance !== null) return 'GPU memory not reported';
  if (host.features.includes('wol-proxy')) return 'memory not asked: that would wake it';
  if (host.features.includes('performance'))
    return isAway ? 'memory not known without the collector' : 'no samples yet';
  return host.features.length === 0 ? null : 'memory not reported';
}

/** Age on the collector's clock of a sample taken by the host's own: they all came at one moment, the newest just then. */
function ageOf({ performance, now }: PerformanceFacts, at: number): number {
  if (performance === null) return Number.POSITIVE_INFINITY;
  const newest = Math.max(performance.system?.at ?? 0, ...performance.gpus.map(({ sample }) => sample.at));
  return Math.max(0, now - performance.observedAt + (newest - at));
}

function freshnessOf(age: number, isPast: boolean): SampleFreshness {
  if (isPast || age >= STALE_MS) return 'stale';
  return age < LIVE_MS ? 'live' : 'ageing';
}

function stampOf(age: number, facts: PerformanceFacts): string | null {
  return facts.isPast || age < LIVE_MS ? null : stampWords(age, facts);
}

function stampWords(age: number, { now }: PerformanceFacts): string {
  return `as of ${formatStamp(now - age, now)}`;
}

/** `21.4`, `24`, `141`: tenths where they matter. */
export function formatGib(mib: number): string {
  const tenths = Math.round((mib / MIB_PER_GIB) * 10) / 10;
  return tenths >= 100 || Number.isInteger(tenths) ? String(Math.round(tenths)) : tenths.toFixed(1);
}
