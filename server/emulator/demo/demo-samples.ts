import { resolveConfig, type ModelConfig } from '../config.ts';
import type { PastSample } from '../performance.ts';
import { SeededRandom } from '../seeded-random.ts';
import type { DemoRow } from './demo-history.ts';
import type { DemoHostSpec } from './demo-hosts.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const ROTATION_MS = 7_200_000;
/** Memory a card holds without any model. */
const IDLE_MB = 450;
const IDLE_C = 39;
const BUSY_C = 74;
/** How much of the way to its new temperature a card goes in a minute. */
const WARMS = 0.35;

/**
 * The day of samples that goes with a made-up day of requests, one a minute: busy where they ran, memory as the model of
 * the hour takes it, temperature behind both.
 */
export function demoSamples(
  host: DemoHostSpec,
  rows: readonly DemoRow[],
  now: number,
): readonly PastSample[] {
  const { models } = resolveConfig(host.config);
  const random = new SeededRandom(host.requestsPerDay);
  const first = Math.ceil((now - DAY_MS) / MINUTE_MS) * MINUTE_MS;
  const busy = busyShares(rows, first, now);
  const temperatures = host.gpus.map(() => IDLE_C);
  let bytes = 0;
  return busy.map((share, minute) => {
    const at = first + minute * MINUTE_MS;
    bytes += Math.round((2 + 33 * share) * 480_000);
    const residentMb = memoryOf(host, models, at) / Math.max(1, host.gpus.length);
    const cards = host.gpus.map((gpu, index) => {
      const target = IDLE_C + (BUSY_C - IDLE_C) * share + index * 2;
      const tempC = (temperatures[index] ?? IDLE_C) + (target - (temperatures[index] ?? IDLE_C)) * WARMS;
      temperatures[index] = tempC;
      return {
        utilPct: Math.min(100, Math.round(share * (88 + random.next() * 12))),
        memUsedMb: Math.round(IDLE_MB + residentMb + share * 200),
        tempC: Math.round(tempC + random.next()),
        fanPct: Math.round(Math.max(30, tempC - 8)),
        powerW: Math.round(gpu.powerLimitWatts * (0.08 + 0.74 * share) + random.next() * 6),
      };
    });
    const cores = Array.from({ length: host.cpuCores }, () => 2 + 26 * share + random.next() * 5);
    return {
      at,
      machine: { cores, memUsedMb: 3_000 + Math.round(share * 900), load: 2 + 33 * share, bytes },
      cards,
    };
  });
}

/** How much of each minute up to `now` some request ran. */
function busyShares(rows: readonly DemoRow[], first: number, now: number): number[] {
  const shares = Array.from({ length: Math.floor((now - first) / MINUTE_MS) }, () => 0);
  for (const { endedAt, durationMs } of rows) {
    for (let from = endedAt - durationMs; from < endedAt;) {
      const minute = Math.floor((from - first) / MINUTE_MS);
      const to = Math.min(endedAt, first + (minute + 1) * MINUTE_MS);
      const known = shares[minute];
      if (known !== undefined) shares[minute] = Math.min(1, known + (to - from) / MINUTE_MS);
      from = to;
    }
  }
  return shares;
}

/** Small models stay loaded; the big ones take turns. */
function memoryOf(host: DemoHostSpec, models: readonly ModelConfig[], at: number): number {
  const big = host.rotation[Math.floor(at / ROTATION_MS) % host.rotation.length];
  return models.reduce(
    (sum, { id, group, vramMb }) => (group !== 'default' || id === big ? sum + vramMb : sum),
    0,
  );
}
