import { backoffDelayMs } from '#shared/lib/backoff.ts';
import type { Liveness } from '#shared/schemas/host.ts';
import { failureReason, pausedReason, reopeningReason } from './connection-reason.ts';
import type {
  ConnectionCommand,
  ConnectionEvents,
  ConnectionState,
  ConnectionStep,
  Link,
  Moment,
} from './connection-state.ts';
import type { UpstreamFailure } from './ports.ts';
import { isStable, OPEN_DEADLINE_MS } from './stream-watch.ts';

/** Bounds of the backoff between attempts. */
export const BACKOFF = { minMs: 500, maxMs: 30_000 } as const;
/** Failures in a row after which the circuit opens and the host is `down`. */
export const BREAKER_FAILURES = 5;
/** A trial of an open circuit, and a look at a sleeping host: never more often than this. */
export const TRIAL_MS = 30_000;
/** How often a host that refused our key, or is no llama-swap, is asked again. */
export const REFUSED_RETRY_MS = 60_000;

export function stay(state: ConnectionState): ConnectionStep {
  return { state, commands: [] };
}

export function closeStray(state: ConnectionState, event: { readonly stream: number }): ConnectionStep {
  return { state, commands: [{ do: 'closeStream', stream: event.stream }] };
}

/** Everything that is open or set for a state, ended. */
function teardown(state: ConnectionState, hostEnded: boolean): ConnectionCommand[] {
  const commands: ConnectionCommand[] = [
    { do: 'cancel', timer: 'retry' },
    { do: 'cancel', timer: 'open' },
    { do: 'cancel', timer: 'tick' },
  ];
  if (state.kind === 'connected' && state.current !== state.link.stream) {
    commands.push({ do: 'closeStream', stream: state.current });
  }
  if (state.kind === 'connecting' || state.kind === 'probing' || state.kind === 'connected') {
    commands.push({ do: 'closeStream', stream: state.link.stream });
  }
  if (state.kind === 'probing' || state.kind === 'connected') commands.push({ do: 'endEpoch', hostEnded });
  return commands;
}

export function attempt(link: Link, dueAt: number | null = null): ConnectionStep {
  const stream = link.stream + 1;
  return {
    state: { kind: 'connecting', link: { ...link, stream }, nextAttemptAt: dueAt },
    commands: [
      { do: 'cancel', timer: 'retry' },
      { do: 'openStream', stream },
      { do: 'schedule', timer: 'open', delayMs: OPEN_DEADLINE_MS },
    ],
  };
}

export function pause(state: ConnectionState, _event: unknown, { now }: Moment): ConnectionStep {
  const link: Link = {
    ...state.link,
    ...liveness(state.link, 'reconnecting', pausedReason, now),
    failures: 0,
  };
  return { state: { kind: 'paused', link }, commands: teardown(state, false) };
}

export function forget(state: ConnectionState): ConnectionStep {
  return { state: { kind: 'paused', link: { ...state.link, ...unknownHost } }, commands: [] };
}

const unknownHost = {
  features: null,
  knownWords: [],
  knownHardware: null,
  version: null,
  clockOffsetMs: null,
  failures: 0,
} as const;

export function reconnectNow(why: 'woke' | 'reconfigured') {
  return (state: ConnectionState, _event: unknown, { now }: Moment): ConnectionStep => {
    const learned = why === 'reconfigured' ? { ...state.link, ...unknownHost } : state.link;
    const next = attempt({ ...learned, ...liveness(state.link, 'reconnecting', reopeningReason[why], now) });
    return { state: next.state, commands: [...teardown(state, false), ...next.commands] };
  };
}

export function ended(
  state: ConnectionState,
  end: ConnectionEvents['closed']['end'],
  moment: Moment,
): ConnectionStep {
  if (end.why === 'failed') return fail(state, end.failure, moment);
  if (end.why === 'overload' && state.kind === 'connected' && isStable(state, moment.now)) {
    const link = {
      ...state.link,
      ...liveness(state.link, 'reconnecting', reopeningReason.overload, moment.now),
    };
    const next = attempt(link);
    return { state: next.state, commands: [...teardown(state, false), ...next.commands] };
  }
  const reason = end.why === 'overload' ? reopeningReason.overload : reopeningReason.end;
  return wait(state, { reason, moment, hostEnded: end.why === 'end' });
}

/** An attempt or a connection failed: where to go, and when to try again. */
export function fail(state: ConnectionState, failure: UpstreamFailure, moment: Moment): ConnectionStep {
  const reason = failureReason(failure);
  const { now, jitter } = moment;
  const hostEnded = failure.kind === 'reset';
  const rest = (kind: 'asleep' | 'unauthorized' | 'incompatible', delayMs: number): ConnectionStep => {
    // A 401 is an answer of the host; a 204 is its proxy's, and a stranger's page is nobody's.
    const lastSeenAt = kind === 'unauthorized' ? now : state.link.lastSeenAt;
    const link = { ...state.link, ...liveness(state.link, kind, reason, now), lastSeenAt, failures: 0 };
    return waitFor(
      state,
      { kind, link, nextAttemptAt: now + Math.round(delayMs * (1 + jitter / 10)) },
      { now, hostEnded },
    );
  };
  switch (failure.kind) {
    case 'asleep':
      return rest('asleep', TRIAL_MS);
    case 'unauthorized':
      return rest('unauthorized', REFUSED_RETRY_MS);
    case 'not_llama_swap':
    case 'too_old':
      return rest('incompatible', REFUSED_RETRY_MS);
    case 'refused':
    case 'dns':
    case 'timeout':
    case 'reset':
    case 'unreachable':
    case 'tls':
    case 'http':
    case 'too_large':
    case 'malformed':
      return wait(state, { reason, moment, hostEnded });
  }
}

function wait(
  state: ConnectionState,
  options: { reason: string; moment: Moment; hostEnded: boolean },
): ConnectionStep {
  const { reason, hostEnded } = options;
  const { now, jitter } = options.moment;
  const failures = (state.kind === 'connected' && isStable(state, now) ? 0 : state.link.failures) + 1;
  // A trial of a host that is down leaves it down, since when it was, whatever the trial ran into.
  const kind = state.link.liveness === 'down' || failures >= BREAKER_FAILURES ? 'down' : 'reconnecting';
  const delayMs =
    kind === 'down' ? Math.round(TRIAL_MS * (1 + jitter / 10)) : backoffDelayMs(failures, jitter, BACKOFF);
  const link = { ...state.link, ...liveness(state.link, kind, reason, now), failures };
  return waitFor(state, { kind, link, nextAttemptAt: now + delayMs }, { now, hostEnded });
}

function waitFor(
  state: ConnectionState,
  next: Extract<ConnectionState, { nextAttemptAt: number }>,
  { now, hostEnded }: { now: number; hostEnded: boolean },
): ConnectionStep {
  return {
    state: next,
    commands: [
      ...teardown(state, hostEnded),
      { do: 'schedule', timer: 'retry', delayMs: next.nextAttemptAt - now },
    ],
  };
}

export function endedByHost(end: ConnectionEvents['closed']['end']): boolean {
  return end.why === 'end' || (end.why === 'failed' && end.failure.kind === 'reset');
}

export function seen(link: Link, { now }: Moment): Link {
  return { ...link, lastSeenAt: now };
}

export function liveness(
  link: Link,
  next: Liveness,
  reason: string | null,
  now: number,
): Pick<Link, 'liveness' | 'since' | 'reason'> {
  return { liveness: next, since: link.liveness === next ? link.since : now, reason };
}
