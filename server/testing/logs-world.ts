import type { LogWish } from '#shared/schemas/live.ts';
import { LiveReader } from '#sync/live-reader.ts';
import { decodeLogFrame, type LogEntry, type LogFrame } from '#sync/log-frame.ts';
import { createLlamaSwapClient } from '../adapters/llama-swap-client.ts';
import { createLogStreamClient } from '../adapters/llama-swap-log-streams.ts';
import { systemClock } from '../adapters/system-clock.ts';
import type { HostFacts } from '../domain/host-facts.ts';
import type { HostConfig } from '../domain/ports.ts';
import type { EmulatedHost } from '../emulator/emulated-host.ts';
import { Collector } from '../services/collector.ts';
import type { LiveSubscriber } from '../services/live-group.ts';
import { LogHub } from '../services/log-hub.ts';
import { LogStreams } from '../services/log-streams.ts';
import { FleetMemory } from './fleet-memory.ts';
import { silentLog } from './silent-log.ts';

/** Somebody who watches logs and keeps what came. */
export class LogViewer implements LiveSubscriber {
  readonly frames: LogFrame[] = [];
  bufferedBytes = 0;
  bytes = 0;
  readonly #waiting = new Set<() => void>();

  send(frame: Uint8Array): void {
    this.bytes += frame.byteLength;
    const event = new LiveReader().accept(frame.subarray(1));
    const read = event.type === 'logs' ? decodeLogFrame(event.body) : null;
    if (read === null) throw new Error('no log frame');
    this.frames.push(read);
    for (const look of this.#waiting) look();
  }

  get entries(): readonly LogEntry[] {
    const from = this.frames.findLastIndex((frame) => frame.begins);
    return this.frames.slice(Math.max(0, from)).flatMap((frame) => frame.entries);
  }

  get lines(): readonly string[] {
    return this.entries.flatMap((entry) => (entry.type === 'line' ? [entry.text] : []));
  }

  /** Lines of a source that came, and those that were counted as left out. */
  counted(source: string): number {
    return this.entries
      .filter((entry) => entry.source === source)
      .reduce((sum, entry) => sum + (entry.type === 'line' ? 1 : (entry.count ?? 0)), 0);
  }

  get state(): string | null {
    return this.frames.at(-1)?.state ?? null;
  }

  /** Waits until `condition` holds, looked at after each frame. */
  async until(condition: () => boolean, timeoutMs = 10_000): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const look = () => {
      if (condition()) resolve();
    };
    this.#waiting.add(look);
    const timer = setTimeout(() => reject(new Error(`not seen: ${condition.toString()}`)), timeoutMs);
    look();
    await promise.finally(() => {
      clearTimeout(timer);
      this.#waiting.delete(look);
    });
  }
}

/** A real collector on an emulated host, with everything its log lines pass on their way to a socket. */
export function watchLogsOf(host: EmulatedHost) {
  const config: HostConfig = {
    id: 'marlin',
    label: 'Marlin',
    url: host.url,
    paused: false,
    managedByFile: false,
    demo: false,
    keySource: null,
  };
  const fleet = new FleetMemory();
  const listeners = new Set<(hostId: string) => void>();
  const hub = new LogHub({ clock: systemClock, secretsOf: () => ['swordfish'] });
  const reach = { url: host.url, key: () => null, clock: systemClock };
  const streams = new LogStreams({
    hub,
    watch: {
      facts: (hostId) => factsOf(config, fleet, hostId),
      onChange: (listener) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    },
    clientFor: () => createLogStreamClient(reach),
    clock: systemClock,
  });
  const tellAfter = new Proxy(fleet, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      return (...args: unknown[]): unknown => {
        const result: unknown = Reflect.apply(value, target, args);
        if (name === 'hostStatus' && args.length > 1) for (const listener of listeners) listener('marlin');
        return result;
      };
    },
  });
  const collector = new Collector({
    clientFor: () => createLlamaSwapClient(reach),
    sink: tellAfter,
    store: fleet,
    clock: systemClock,
    log: silentLog(),
    logs: hub,
    random: () => 0,
  });
  streams.start();
  collector.start([config]);
  return {
    hub,
    fleet,
    collector,
    connected: () => fleet.until(() => fleet.hostStatus('marlin')?.liveness === 'connected'),
    watch: (modelId: string | null = null): LogViewer => {
      const viewer = new LogViewer();
      const wish: LogWish = { hostId: 'marlin', modelId };
      hub.watch(viewer, wish);
      return viewer;
    },
    stop: (): void => {
      streams.stop();
      collector.stop();
      hub.stop();
    },
  };
}

function factsOf(host: HostConfig, fleet: FleetMemory, hostId: string): HostFacts {
  const status = fleet.hostStatus(hostId);
  return {
    host,
    liveness: status?.liveness ?? 'reconnecting',
    since: status?.since ?? 0,
    reason: null,
    current: true,
    models: fleet.models(hostId),
    inFlight: null,
    features: status?.features ?? [],
    listed: true,
    profile: null,
  };
}
