import type { HostObserver } from '../domain/host-facts.ts';
import type { LogStreamClient } from '../domain/log-ports.ts';
import type { Clock, HostConfig } from '../domain/ports.ts';
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
}

/** The newest log lines of every host, and the streams that bring some of them. */
export function createLogs({ watch, clientFor, keyOf, clock }: LogsOptions) {
  const hub = new LogHub({ clock, secretsOf: (hostId) => [keyOf(hostId)].flatMap((key) => key ?? []) });
  const streams = new LogStreams({ hub, watch, clientFor, clock });
  return {
    hub,
    start: (): void => streams.start(),
    stop: (): void => {
      streams.stop();
      hub.stop();
    },
  };
}
