import type { HostObserver } from '../domain/host-facts.ts';
import type { LogStreamClient } from '../domain/log-ports.ts';
import type { Clock, HostConfig } from '../domain/ports.ts';
import { LogArchive, type LogArchiveOptions } from './log-archive.ts';
import { LogHub } from './log-hub.ts';
import { LogStreams } from './log-streams.ts';

/** What logs are made of. */
export interface LogsOptions {
  readonly watch: Pick<HostObserver, 'facts' | 'onChange'>;
  /** A client of its own for each stream that is opened. */
  readonly clientFor: (host: HostConfig) => LogStreamClient;
  /** The key of ours that a host may repeat; null: it has none. */
  readonly keyOf: (hostId: string) => string | null;
  readonly clock: Clock;
  /** Where lines are kept, and how much of them. */
  readonly archive: Omit<LogArchiveOptions, 'hub' | 'clock'>;
}

/** The newest log lines of every host, and the streams that bring some of them. */
export function createLogs({ watch, clientFor, keyOf, clock, archive: kept }: LogsOptions) {
  const hub = new LogHub({ clock, secretsOf: (hostId) => [keyOf(hostId)].flatMap((key) => key ?? []) });
  const streams = new LogStreams({ hub, watch, clientFor, clock });
  const archive = new LogArchive({ ...kept, hub, clock });
  return {
    hub,
    archive,
    start: (hostIds: readonly string[]): void => {
      streams.start();
      archive.start(hostIds);
    },
    stop: (): void => {
      archive.stop();
      streams.stop();
      hub.stop();
    },
  };
}
