import type { Performance } from './performance.ts';

const MIB = 1024 * 1024;

/** Text of Prometheus `/metrics` (v212+): the newest samples only, nothing about requests or models. */
export function prometheusText(performance: Performance): string {
  const { system, gpus } = performance.latest();
  const lines: string[] = [];
  const metric = (
    name: string,
    help: string,
    type: 'gauge' | 'counter',
    samples: readonly string[],
  ): void => {
    if (samples.length === 0) return;
    lines.push(`# HELP llamaswap_${name} ${help}`, `# TYPE llamaswap_${name} ${type}`);
    lines.push(...samples.map((sample) => `llamaswap_${name}${sample}`));
  };
  if (system) {
    const cores = Array.isArray(system['cpu_util_per_core']) ? system['cpu_util_per_core'] : [];
    metric(
      'cpu_util_percent',
      'CPU utilization per core (0-100)',
      'gauge',
      cores.map((value, core) => `{core="${core}"} ${goFloat(value)}`),
    );
    for (const [key, name, help] of [
      ['mem_total_mb', 'memory_total_bytes', 'Total memory in bytes'],
      ['mem_used_mb', 'memory_used_bytes', 'Used memory in bytes'],
      ['mem_free_mb', 'memory_free_bytes', 'Free memory in bytes'],
      ['swap_total_mb', 'swap_total_bytes', 'Total swap in bytes'],
      ['swap_used_mb', 'swap_used_bytes', 'Used swap in bytes'],
    ] as const) {
      metric(name, help, 'gauge', [` ${Number(system[key]) * MIB}`]);
    }
    metric(
      'load_average',
      'Load average',
      'gauge',
      ['1', '5', '15'].map((span) => `{interval="${span}m"} ${goFloat(system[`load_avg_${span}`])}`),
    );
    const interfaces = Array.isArray(system['net_io']) ? system['net_io'] : [];
    metric(
      'network_bytes_total',
      'Total network bytes transferred',
      'counter',
      interfaces.flatMap((one) => [
        `{interface="${one.name}",direction="recv"} ${one.bytes_recv}`,
        `{interface="${one.name}",direction="sent"} ${one.bytes_sent}`,
      ]),
    );
  }
  for (const [key, name, help, factor] of [
    ['temp_c', 'gpu_temperature_celsius', 'GPU temperature in Celsius', 1],
    ['vram_temp_c', 'gpu_vram_temperature_celsius', 'GPU VRAM temperature in Celsius', 1],
    ['gpu_util_pct', 'gpu_util_percent', 'GPU utilization percent (0-100)', 1],
    ['mem_util_pct', 'gpu_memory_util_percent', 'GPU memory utilization percent (0-100)', 1],
    ['mem_used_mb', 'gpu_memory_used_bytes', 'GPU memory used in bytes', MIB],
    ['mem_total_mb', 'gpu_memory_total_bytes', 'GPU memory total in bytes', MIB],
    ['fan_speed_pct', 'gpu_fan_speed_percent', 'GPU fan speed percent (0-100)', 1],
    ['power_draw_w', 'gpu_power_draw_watts', 'GPU power draw in watts', 1],
  ] as const) {
    metric(
      name,
      help,
      'gauge',
      gpus.map(
        (gpu) =>
          `{id="${String(gpu['id'])}",name="${String(gpu['name'])}",uuid="${String(gpu['uuid'])}"} ` +
          goFloat(Number(gpu[key]) * factor),
      ),
    );
  }
  return lines.length === 0 ? '' : `${lines.join('\n')}\n`;
}

/** `%g`-like: large values in exponent form, as Go's Prometheus client prints them. */
function goFloat(value: unknown): string {
  const number = Number(value);
  if (Math.abs(number) < 1e21 && Math.abs(number) < 1e6) return String(number);
  const [mantissa = '0', exponent = '+0'] = number.toExponential().split('e');
  const digits = exponent.slice(1).padStart(2, '0');
  return `${mantissa}e${exponent.startsWith('-') ? '-' : '+'}${digits}`;
}
