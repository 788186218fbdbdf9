import { setImmediate } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { z } from 'zod';
import type { PerformanceRow } from '#shared/schemas/performance.ts';
import { createLlamaSwapClient } from '../adapters/llama-swap-client.ts';
import { SqlitePerformanceQueries } from '../adapters/sqlite/performance-queries.ts';
import { mapPerformance } from '../domain/map-performance.ts';
import type { LlamaSwapClient } from '../domain/ports.ts';
import type { StoredPerformance } from '../domain/performance-ports.ts';
import { EmulatedHost, type EmulatedHostOptions } from '../emulator/emulated-host.ts';
import { Collector } from '../services/collector.ts';
import { must } from '#shared/lib/assert.ts';
import { historyRig, type HistoryRig } from './history-rig.ts';
import { hostConfig } from './host-config.ts';
import { ManualClock } from './manual-clock.ts';
import { silentLog } from './silent-log.ts';

/** How far time goes between two looks at what is under way. */
const STEP_MS = 2_500;
const counters = z.object({
  timestamp: z.string(),
  net_io: z.array(z.object({ bytes_recv: z.number(), bytes_sent: z.number() })),
});
const EVERYTHING = [{ fromSeq: 0, toSeq: Number.MAX_SAFE_INTEGER, hour: 0 }];

/** A collector that can be stopped and started again on the same database. */
export interface RunningCollector {
  readonly rig: HistoryRig;
  readonly collector: Collector;
  stop(): Promise<void>;
}

/**
 * Emulated hosts on real sockets and what keeps their samples on a real database, in time that a test moves: after each
 * step every request that is under way is waited for, so that no answer depends on how fast the machine is.
 */
export class PerformanceWorld {
  readonly clock = new ManualClock();
  readonly hosts = new Map<string, EmulatedHost>();
  readonly path: string;
  #outstanding = 0;

  constructor(path: string) {
    this.path = path;
  }

  async addHost(id: string, options: Omit<EmulatedHostOptions, 'config' | 'clock'>): Promise<EmulatedHost> {
    const config = { models: [{ id: 'coder', load: { durationMs: 200 } }] };
    const host = new EmulatedHost({ ...options, config, clock: this.clock });
    await host.start();
    onTestFinished(() => host.stop());
    this.hosts.set(id, host);
    return host;
  }

  /** Begins to collect, on what an earlier collector left. */
  start(options: { readonly perfRawHours?: number } = {}): RunningCollector {
    const { clock } = this;
    const rig = historyRig({ path: this.path, clock, ...options });
    for (const [id, host] of this.hosts) {
      if (!rig.registry.host(id)) rig.registry.insertHost(hostConfig(id, { url: host.url }), clock.now());
    }
    const collector = new Collector({
      clientFor: ({ url }) => this.#counted(createLlamaSwapClient({ url, key: () => null, clock })),
      sink: rig.recorder,
      performance: rig.performance,
      store: rig.connectors,
      clock,
      log: silentLog(),
      random: () => 0,
    });
    rig.performance.start();
    rig.upkeep.start();
    rig.sealer.start();
    collector.start(rig.registry.hosts());
    let stopped = false;
    const stop = async () => {
      if (stopped) return;
      stopped = true;
      collector.stop();
      await rig.stop();
    };
    onTestFinished(stop);
    return { rig, collector, stop };
  }

  /** Moves time, letting everything that falls due come to its end. */
  async pass(durationMs: number): Promise<void> {
    for (let left = durationMs; left > 0; left -= STEP_MS) {
      await this.settle();
      this.clock.advance(Math.min(left, STEP_MS));
    }
    await this.settle();
  }

  /** Waits until no request for samples is under way. */
  async settle(): Promise<void> {
    for (let idle = 0; idle < 3;) {
      await setImmediate();
      idle = this.#outstanding === 0 ? idle + 1 : 0;
    }
  }

  /** Every sample a host really took, mapped as the store has them. */
  truth(id: string): StoredPerformance {
    const { system, gpus } = must(this.hosts.get(id), id).llamaSwap.performance.truth();
    const mapped = must(mapPerformance({ sys_stats: system, gpu_stats: gpus }), 'rows');
    return {
      system: withoutRates(mapped.system),
      gpus: mapped.gpus.map(({ gpu, readings }) => ({ gpu, readings: readings.toSorted(byTime) })),
    };
  }

  /** Bytes a second in and out of each sample, from the counters of the wire: each since the one before. */
  truthRates(id: string): readonly (readonly [received: number | null, sent: number | null])[] {
    const { system } = must(this.hosts.get(id), id).llamaSwap.performance.truth();
    const rows = z.array(counters).parse(system);
    return rows.map((row, index) => {
      const before = rows[index - 1];
      const [now, last] = [row.net_io[0], before?.net_io[0]];
      if (!before || !now || !last) return [null, null];
      const seconds = (Date.parse(row.timestamp) - Date.parse(before.timestamp)) / 1000;
      return [
        Math.round((now.bytes_recv - last.bytes_recv) / seconds),
        Math.round((now.bytes_sent - last.bytes_sent) / seconds),
      ];
    });
  }

  /** What charts ask, in the thread that answers them; samples that wait are committed by whoever calls. */
  charts(): SqlitePerformanceQueries {
    const queries = new SqlitePerformanceQueries(this.path, { clock: this.clock, rawHours: 48 });
    onTestFinished(() => queries.stop());
    return queries;
  }

  #counted(client: LlamaSwapClient): LlamaSwapClient {
    const count = async <T>(call: Promise<T>): Promise<T> => {
      this.#outstanding += 1;
      try {
        return await call;
      } finally {
        this.#outstanding -= 1;
      }
    };
    return {
      ...client,
      probe: (known, signal) => count(client.probe(known, signal)),
      performance: (after, signal) => count(client.performance(after, signal)),
    };
  }
}

/** Everything stored of a host, but for the rates, which the wire does not have. */
export function storedSamples({ store }: HistoryRig, hostId: string): StoredPerformance {
  const { system, gpus } = store.performance.read(hostId, 0, Number.MAX_SAFE_INTEGER);
  return { system: withoutRates(system), gpus };
}

/** Every rollup, in order of receipt. */
export function storedRollups({ store }: HistoryRig): readonly PerformanceRow[] {
  return store.rollups.read(EVERYTHING);
}

function withoutRates(
  system: readonly Omit<StoredPerformance['system'][number], 'netInBytesPerSec' | 'netOutBytesPerSec'>[],
): StoredPerformance['system'] {
  return system.toSorted(byTime).map((sample) => ({
    at: sample.at,
    cpuPct: sample.cpuPct,
    memUsedMb: sample.memUsedMb,
    memTotalMb: sample.memTotalMb,
    swapUsedMb: sample.swapUsedMb,
    swapTotalMb: sample.swapTotalMb,
    loadAvg1: sample.loadAvg1,
    netInBytesPerSec: null,
    netOutBytesPerSec: null,
  }));
}

function byTime(a: { readonly at: number }, b: { readonly at: number }): number {
  return a.at - b.at;
}
