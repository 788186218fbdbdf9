import type { SystemSample } from '#shared/schemas/performance.ts';
import type { NetCounter, PerformanceCursor, SystemReading } from './performance-readings.ts';

/** Readings further apart say little about the time between them. */
const MAX_GAP_MS = 600_000;
/**
 * What passes these passes a card of the machine too, or never leaves it: containers, bridges, tunnels, VLANs, bonds.
 */
const VIRTUAL =
  /^(lo|ifb|veth|docker|br-|virbr|vnet|tap|tun|utun|wg|tailscale|zt|cni|flannel|cali|dummy|bond)|[.:@]/;

/** Turns readings, in the order they were taken, into samples; `before` is the last reading of the time before. */
export function withRates(
  readings: readonly SystemReading[],
  before: PerformanceCursor['counters'],
): { readonly samples: readonly SystemSample[]; readonly counters: PerformanceCursor['counters'] } {
  let last = before;
  const samples = readings.map(({ net, ...reading }): SystemSample => {
    const now = { at: reading.at, net: counted(net) };
    const rates = last === null ? null : ratesSince(last, now);
    last = now;
    return {
      ...reading,
      netInBytesPerSec: rates?.received ?? null,
      netOutBytesPerSec: rates?.sent ?? null,
    };
  });
  return { samples, counters: last };
}

type Counters = NonNullable<PerformanceCursor['counters']>;

function ratesSince(last: Counters, now: Counters): { received: number | null; sent: number | null } | null {
  const elapsedMs = now.at - last.at;
  if (elapsedMs <= 0 || elapsedMs > MAX_GAP_MS) return null;
  const known = new Map(last.net.map((counter) => [counter.name, counter]));
  const both = now.net.filter(({ name }) => known.has(name));
  if (both.length === 0) return null;
  const rate = (of: 'received' | 'sent'): number | null => {
    const deltas = both.map((counter) => counter[of] - (known.get(counter.name)?.[of] ?? 0));
    // A counter that went back wrapped or began anew: how much passed between is not known. Past 2^53 it is not exact.
    if (deltas.some((delta) => delta < 0) || !both.every((counter) => Number.isSafeInteger(counter[of])))
      return null;
    return Math.round((deltas.reduce((sum, delta) => sum + delta, 0) * 1000) / elapsedMs);
  };
  return { received: rate('received'), sent: rate('sent') };
}

function counted(net: readonly NetCounter[]): readonly NetCounter[] {
  const physical = net.filter(({ name }) => !VIRTUAL.test(name));
  return physical.length > 0 ? physical : net;
}
