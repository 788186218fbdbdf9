import type { HostFeatures, HostStatus, UpstreamFailure, UpstreamResult } from './ports.ts';
import type { HostHardware, Liveness } from '#shared/schemas/host.ts';
import { featureWords } from './feature-words.ts';
import { firstContactReason, pausedReason } from './connection-reason.ts';

/** Timers of one connection: each runs once, and setting it again replaces it. */
export type ConnectionTimer = 'retry' | 'tick' | 'open';

/** What is known of the way to a host, whatever the connection does now. */
export interface Link {
  readonly liveness: Liveness;
  readonly since: number;
  /** Last byte or answer of the host itself; never touched by an attempt, only by what came back. */
  readonly lastSeenAt: number | null;
  readonly reason: string | null;
  readonly version: string | null;
  /** Kept over reconnects: the probes of a build already known are skipped. */
  readonly features: HostFeatures | null;
  /** Feature words of an earlier run, until the first probe. */
  readonly knownWords: readonly string[];
  /** What an earlier run learned of the machine, until the first probe. */
  readonly knownHardware: HostHardware | null;
  readonly clockOffsetMs: number | null;
  /** Attempts that failed since the connection last was stable. */
  readonly failures: number;
  /** Number of the newest stream; every stream has its own, so that late events of an old one are told apart. */
  readonly stream: number;
}

interface Waiting {
  readonly link: Link;
  readonly nextAttemptAt: number;
}

/** States of a connection with what each of them carries. */
export interface ConnectionStates {
  readonly paused: { readonly kind: 'paused'; readonly link: Link };
  /** A stream was asked for; headers have not come. `nextAttemptAt` is when this attempt was due. */
  readonly connecting: {
    readonly kind: 'connecting';
    readonly link: Link;
    readonly nextAttemptAt: number | null;
  };
  /** The stream is open; the probes run beside it. */
  readonly probing: {
    readonly kind: 'probing';
    readonly link: Link;
    readonly nextAttemptAt: number | null;
  };
  readonly connected: {
    readonly kind: 'connected';
    readonly link: Link;
    readonly connectedAt: number;
    /** Stream whose events count; `link.stream` is larger while a replacement opens. */
    readonly current: number;
    /** Last byte on the stream itself: pings and their answers never move it. */
    readonly streamSeenAt: number;
    /** When an answering host's silent stream was last checked, and when it was last replaced. */
    readonly checkedAt: number;
    readonly replacedAt: number;
    readonly pingedAt: number;
    readonly pingPending: boolean;
    readonly missedPings: number;
    /** Whether the host's access log was seen on the stream: its log level may hide it. */
    readonly accessLogSeen: boolean;
  };
  readonly reconnecting: Waiting & { readonly kind: 'reconnecting' };
  /** The circuit is open: one trial every 30 s. */
  readonly down: Waiting & { readonly kind: 'down' };
  readonly asleep: Waiting & { readonly kind: 'asleep' };
  readonly unauthorized: Waiting & { readonly kind: 'unauthorized' };
  readonly incompatible: Waiting & { readonly kind: 'incompatible' };
}
/** Name of a state. */
export type ConnectionKind = keyof ConnectionStates;
/** See {@link ConnectionStates}. */
export type ConnectionState = ConnectionStates[ConnectionKind];

/** How a stream ended. */
export type StreamEnd =
  | { readonly why: 'end' | 'overload' | 'aborted' }
  | { readonly why: 'failed'; readonly failure: UpstreamFailure };

/** What can happen to a connection. */
export interface ConnectionEvents {
  readonly resume: { readonly type: 'resume' };
  readonly pause: { readonly type: 'pause' };
  /** The host's address or key changed: what was learned of it counts no more. */
  readonly reconfigured: { readonly type: 'reconfigured' };
  /** The whole process stood still: sockets opened before it are not to be trusted. */
  readonly woke: { readonly type: 'woke' };
  readonly retryDue: { readonly type: 'retryDue' };
  /** No headers within the deadline. */
  readonly openOverdue: { readonly type: 'openOverdue' };
  readonly tick: { readonly type: 'tick' };
  readonly opened: {
    readonly type: 'opened';
    readonly stream: number;
    readonly clockOffsetMs: number | null;
  };
  readonly bytes: { readonly type: 'bytes'; readonly stream: number };
  readonly accessLog: { readonly type: 'accessLog'; readonly stream: number };
  readonly closed: { readonly type: 'closed'; readonly stream: number; readonly end: StreamEnd };
  readonly probed: {
    readonly type: 'probed';
    readonly stream: number;
    readonly result: UpstreamResult<HostFeatures>;
  };
  readonly pinged: {
    readonly type: 'pinged';
    readonly stream: number;
    readonly result: UpstreamResult<null>;
  };
  /** Outcome of a logged request whose own log line had to come back: `silent` when it did not. */
  readonly checked: {
    readonly type: 'checked';
    readonly stream: number;
    readonly outcome: 'heard' | 'silent' | 'failed';
  };
}
/** Name of an event. */
export type ConnectionEventType = keyof ConnectionEvents;
/** See {@link ConnectionEvents}. */
export type ConnectionEvent = ConnectionEvents[ConnectionEventType];

/** What the shell does for the machine. */
export type ConnectionCommand =
  | { readonly do: 'openStream' | 'closeStream' | 'probe' | 'ping' | 'checkStream'; readonly stream: number }
  /** A stream became the one that counts: drop in-flight rows, replace models, resynchronise activity. */
  | { readonly do: 'beginEpoch'; readonly stream: number }
  /** Probes are done: activity can be listed. */
  | { readonly do: 'synchronise'; readonly stream: number; readonly features: HostFeatures }
  /** No stream counts any more. `hostEnded`: the host itself closed it, so nothing happened there unseen. */
  | { readonly do: 'endEpoch'; readonly hostEnded: boolean }
  | { readonly do: 'schedule'; readonly timer: ConnectionTimer; readonly delayMs: number }
  | { readonly do: 'cancel'; readonly timer: ConnectionTimer };

/** A transition's outcome. */
export interface ConnectionStep {
  readonly state: ConnectionState;
  readonly commands: readonly ConnectionCommand[];
}

/** Time and chance, as inputs: epoch milliseconds and 0 ≤ jitter < 1. */
export interface Moment {
  readonly now: number;
  readonly jitter: number;
}

/** A connection before its first attempt; `last` is what an earlier run recorded. */
export function initialConnection(last: HostStatus | null, now: number): ConnectionState {
  // Down stays down until an attempt succeeds; every other liveness of an earlier run is only history.
  const wasDown = last?.liveness === 'down';
  const wasPaused = last?.reason === pausedReason;
  return {
    kind: 'paused',
    link: {
      liveness: wasDown ? 'down' : 'reconnecting',
      since: wasDown || wasPaused ? last.since : now,
      lastSeenAt: last?.lastSeenAt ?? null,
      reason: wasDown ? last.reason : firstContactReason,
      version: last?.version ?? null,
      features: null,
      knownWords: last?.features ?? [],
      knownHardware: last?.hardware ?? null,
      clockOffsetMs: last?.clockOffsetMs ?? null,
      failures: 0,
      stream: 0,
    },
  };
}

/** The status as it is recorded and shown. */
export function statusOf(state: ConnectionState): HostStatus {
  const { link } = state;
  // An attempt under way keeps the time it was due at: its outcome is news, its begin is not.
  const nextAttemptAt = 'nextAttemptAt' in state ? state.nextAttemptAt : null;
  const hardware = link.features ? link.features.machine : link.knownHardware;
  const counts = link.liveness === 'reconnecting' || link.liveness === 'down';
  return {
    liveness: link.liveness,
    since: link.since,
    lastSeenAt: link.lastSeenAt,
    reason: link.reason,
    version: link.version,
    attempt: counts && link.failures > 0 ? link.failures : null,
    nextAttemptAt: counts ? nextAttemptAt : null,
    features: link.features ? featureWords(link.features) : [...link.knownWords],
    clockOffsetMs: link.clockOffsetMs,
    ...(hardware && { hardware }),
  };
}
