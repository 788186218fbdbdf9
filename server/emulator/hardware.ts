import type { EraTraits } from './era.ts';
import type { GpuSpec } from './performance.ts';

/** Body of `/api/hardware` (v247+), taken once per process start; unknown is null. */
export function hardwareBody(
  traits: EraTraits,
  machine: {
    readonly capturedAt: string;
    readonly cores: number;
    readonly gpus: readonly GpuSpec[];
  },
): Readonly<Record<string, unknown>> {
  return {
    schema_version: 1,
    captured_at: machine.capturedAt,
    capture: {
      scope: 'inference_host',
      method: 'detected',
      detector: { name: 'llama-swap', version: traits.version?.version ?? 'unknown' },
    },
    architecture: { name: 'x86_64', raw_name: 'amd64' },
    operating_system: { family: 'linux', name: 'debian', version: '12.11', kernel: '6.12.48-generic' },
    environment: { kind: 'container', name: 'Docker', version: null },
    cpu: {
      vendor: 'AuthenticAMD',
      model: 'AMD EPYC',
      socket_count: 1,
      physical_core_count: machine.cores,
      logical_thread_count: machine.cores,
    },
    memory: { capacity_bytes: 25_769_402_368 },
    accelerators: machine.gpus.map((gpu, index) => ({
      index,
      kind: 'gpu',
      vendor: 'NVIDIA',
      model: gpu.name,
      architecture: gpu.architecture,
      memory: { kind: 'dedicated', capacity_bytes: gpu.known ? gpu.memTotalMb * 1024 * 1024 : null },
      driver: { name: 'NVIDIA', version: '570.86.15' },
      power_limit_watts: gpu.known ? gpu.powerLimitWatts : null,
    })),
  };
}
