import type { EraTraits } from './era.ts';
import type { HostTime } from './host-time.ts';
import { gpuWire, systemWire, type CardReading, type MachineReading } from './sample-wire.ts';

/** A GPU of the emulated machine. Zeroes in its samples mean "unknown", as on the wire. */
export interface GpuSpec {
  readonly name: string;
  readonly uuid: string;
  readonly memTotalMb: number;
  /** False: the vendor's tool reports no memory, fan or power (GB10). */
  readonly known: boolean;
  readonly architecture: string;
  readonly powerLimitWatts: number;
}

/** Live load the samples are made from. */
export interface MachineLoad {
  /** Memory of loaded models per GPU, in order of the GPUs. */
  readonly vramUsedMb: readonly number[];
  readonly inFlight: number;
}

const PRESETS: readonly Omit<GpuSpec, 'uuid'>[] = [
  {
    name: 'NVIDIA GeForce RTX 3090',
    memTotalMb: 24_576,
    known: true,
    architecture: 'Ampere',
    powerLimitWatts: 350,
  },
  { name: 'NVIDIA GB10', memTotalMb: 0, known: false, architecture: '[N/A]', powerLimitWatts: 0 },
  {
    name: 'NVIDIA GeForce RTX 4090',
    memTotalMb: 24_564,
    known: true,
    architecture: 'Ada Lovelace',
    powerLimitWatts: 450,
  },
  { name: 'NVIDIA RTX A6000', memTotalMb: 49_140, known: true, architecture: 'Ampere', powerLimitWatts: 300 },
];

/** `count` (0–4) different GPUs; the second one has unknown values, as in the recordings. */
export function presetGpus(count: number): readonly GpuSpec[] {
  return PRESETS.slice(0, count).map((preset, index) => ({
    ...preset,
    uuid: `GPU-${String(index + 1).repeat(8)}-2222-3333-4444-${'5'.repeat(11)}${index}`,
  }));
}

interface GpuSample {
  readonly at: number;
  readonly wire: Readonly<Record<string, unknown>>;
}

/** A made-up moment of the past. */
export interface PastSample {
  readonly at: number;
  readonly machine: MachineReading;
  /** In order of the GPUs. */
  readonly cards: readonly CardReading[];
}

/** What was really sampled, whatever the wire still shows: rows as they were on the wire, oldest first. */
export interface SampledTruth {
  readonly system: readonly Readonly<Record<string, unknown>>[];
  readonly gpus: readonly Readonly<Record<string, unknown>>[];
}

const HOUR_MS = 3_600_000;
/** Rows of truth kept of machine and cards: an hour of four cards, with room to spare. */
const TRUTH_ROWS = 5_000;
const FIRST_GPU_SAMPLE_MS = 250;

/** CPU, memory and GPU samples every few seconds, one hour of them; GPUs share one ring, so many cards keep less. */
export class Performance {
  readonly #traits: EraTraits;
  readonly #time: HostTime;
  #gpus: readonly GpuSpec[];
  readonly #cores: number;
  readonly #everyMs: number;
  readonly #load: () => MachineLoad;
  #system: GpuSample[] = [];
  #gpuSamples: GpuSample[] = [];
  readonly #truth: { readonly system: GpuSample[]; readonly gpus: GpuSample[] } = { system: [], gpus: [] };
  #stop: () => void = () => {};
  #step = 0;
  /** What the machine's interface has carried; less of it is a counter that wrapped or began anew. */
  netBytes = 309_498_747;
  /** The vendor's tool died: old rows stay, no new ones come. */
  gpuStalled = false;

  constructor(options: {
    readonly traits: EraTraits;
    readonly time: HostTime;
    readonly gpus: readonly GpuSpec[];
    readonly cores: number;
    readonly everyMs: number;
    readonly load: () => MachineLoad;
  }) {
    this.#traits = options.traits;
    this.#time = options.time;
    this.#gpus = options.gpus;
    this.#cores = options.cores;
    this.#everyMs = options.everyMs;
    this.#load = options.load;
  }

  start(): void {
    if (this.#traits.performance === 'none') return;
    // The vendor's tool needs a moment to start; the system's first sample comes a whole interval later.
    const stopFirst = this.#time.clock.after(FIRST_GPU_SAMPLE_MS, () => this.#sampleGpus());
    const stopTimer = this.#time.clock.every(this.#everyMs, () => {
      this.#sampleSystem();
      this.#sampleGpus();
    });
    this.#stop = () => {
      stopFirst();
      stopTimer();
    };
  }

  stop(): void {
    this.#stop();
  }

  /** Body of `/api/performance`; `after` is strict, by the host's clock. */
  body(after: number | null): Readonly<Record<string, unknown>> {
    const pick = (samples: readonly GpuSample[]): readonly unknown[] | null => {
      const rows = after === null ? samples : samples.filter((sample) => sample.at > after);
      return rows.length === 0 && after === null ? null : rows.map((sample) => sample.wire);
    };
    return {
      ...(this.#traits.performance === 'with-enabled' ? { enabled: true } : {}),
      gpu_stats: pick(this.#gpuSamples),
      sys_stats: pick(this.#system),
    };
  }

  /** What was really sampled since the start. */
  truth(): SampledTruth {
    const wires = (rows: readonly GpuSample[]) => rows.map(({ wire }) => wire);
    return { system: wires(this.#truth.system), gpus: wires(this.#truth.gpus) };
  }

  /** A past that was sampled before the process began, oldest first: it is listed until new samples push it out. */
  seed(past: readonly PastSample[]): void {
    for (const { at, machine, cards } of past) {
      this.netBytes = Math.max(this.netBytes, machine.bytes);
      this.#system.push({ at, wire: systemWire(this.#time.nanoStamp(at), machine) });
      for (const [id, gpu] of this.#gpus.entries()) {
        const reading = cards[id];
        if (reading) this.#gpuSamples.push({ at, wire: gpuWire(this.#time.nanoStamp(at), id, gpu, reading) });
      }
    }
  }

  /** Cards are put in or taken out: what was sampled of them stays listed. */
  setGpus(gpus: readonly GpuSpec[]): void {
    this.#gpus = gpus;
  }

  /** The newest sample of the system and of each GPU. */
  latest(): {
    readonly system: Readonly<Record<string, unknown>> | null;
    readonly gpus: readonly Readonly<Record<string, unknown>>[];
  } {
    return {
      system: this.#system.at(-1)?.wire ?? null,
      gpus: this.#gpuSamples.slice(-this.#gpus.length).map((sample) => sample.wire),
    };
  }

  #sampleSystem(): void {
    const at = this.#time.now();
    this.#step += 1;
    const busy = this.#load().inFlight > 0 ? 35 : 2;
    this.netBytes += busy * 40_000;
    const cores = Array.from({ length: this.#cores }, (_, core) => busy + this.#wave(core) * 6 + 0.25);
    const reading = { cores, memUsedMb: 718 + busy * 40, load: busy, bytes: this.netBytes };
    this.#keep('system', { at, wire: systemWire(this.#time.nanoStamp(at), reading) });
  }

  #sampleGpus(): void {
    if (this.gpuStalled) return;
    const load = this.#load();
    const busy = load.inFlight > 0;
    const at = this.#time.now();
    for (const [id, gpu] of this.#gpus.entries()) {
      const wave = this.#wave(id);
      const reading = {
        utilPct: busy ? Math.round(55 + wave * 40) : 0,
        memUsedMb: Math.round(450 + (load.vramUsedMb[id] ?? 0) + wave * 60),
        tempC: Math.round(44 + (busy ? 18 : 0) + wave * 4),
        fanPct: busy ? 58 : 41,
        powerW: Math.round((busy ? 0.7 : 0.12) * gpu.powerLimitWatts + wave * 20),
      };
      this.#keep('gpus', { at, wire: gpuWire(this.#time.nanoStamp(at), id, gpu, reading) });
    }
  }

  #keep(of: 'system' | 'gpus', sample: GpuSample): void {
    push(of === 'system' ? this.#system : this.#gpuSamples, HOUR_MS / this.#everyMs, sample);
    push(this.#truth[of], TRUTH_ROWS, sample);
  }

  #wave(phase: number): number {
    return (Math.sin(this.#step / 5 + phase) + 1) / 2;
  }
}

function push(ring: GpuSample[], capacity: number, sample: GpuSample): void {
  ring.push(sample);
  if (ring.length > capacity) ring.shift();
}
