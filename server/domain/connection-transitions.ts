import { reopeningReason } from './connection-reason.ts';
import type {
  ConnectionEvent,
  ConnectionEvents,
  ConnectionEventType,
  ConnectionKind,
  ConnectionState,
  ConnectionStates,
  ConnectionStep,
  Link,
  Moment,
} from './connection-state.ts';
import {
  attempt,
  closeStray,
  ended,
  endedByHost,
  fail,
  forget,
  liveness,
  pause,
  reconnectNow,
  seen,
  stay,
} from './connection-steps.ts';
import { checkConnection, replaceStream, TICK_MS } from './stream-watch.ts';

type Handler<K extends ConnectionKind, E extends ConnectionEventType> = (
  state: ConnectionStates[K],
  event: ConnectionEvents[E],
  moment: Moment,
) => ConnectionStep;

type Row<K extends ConnectionKind> = { readonly [E in ConnectionEventType]: Handler<K, E> };

/** Every state × every event: one that is missing does not compile. */
type Table = { readonly [K in ConnectionKind]: Row<K> };

const waitingRow = {
  resume: stay,
  pause,
  reconfigured: reconnectNow('reconfigured'),
  woke: (state: ConnectionState) => attempt(state.link),
  retryDue: (state: ConnectionState) =>
    attempt(state.link, 'nextAttemptAt' in state ? state.nextAttemptAt : null),
  openOverdue: stay,
  tick: stay,
  opened: closeStray,
  bytes: stay,
  accessLog: stay,
  closed: stay,
  probed: stay,
  pinged: stay,
  checked: stay,
} as const;

const table: Table = {
  paused: {
    ...waitingRow,
    resume: (state) => attempt(state.link),
    pause,
    reconfigured: forget,
    woke: stay,
    retryDue: stay,
  },
  reconnecting: waitingRow,
  down: waitingRow,
  asleep: waitingRow,
  unauthorized: waitingRow,
  incompatible: waitingRow,
  connecting: {
    ...waitingRow,
    reconfigured: reconnectNow('reconfigured'),
    woke: reconnectNow('woke'),
    retryDue: stay,
    openOverdue: (state, _event, moment) =>
      fail(state, { kind: 'timeout', detail: 'no answer to the event stream' }, moment),
    opened(state, event, moment) {
      if (event.stream !== state.link.stream) return closeStray(state, event);
      const clockOffsetMs = event.clockOffsetMs ?? state.link.clockOffsetMs;
      const link = { ...state.link, lastSeenAt: moment.now, clockOffsetMs };
      return {
        state: { kind: 'probing', link, nextAttemptAt: state.nextAttemptAt },
        commands: [
          { do: 'cancel', timer: 'open' },
          { do: 'beginEpoch', stream: link.stream },
          { do: 'probe', stream: link.stream },
        ],
      };
    },
    bytes: stay,
    closed: (state, event, moment) =>
      event.stream === state.link.stream ? ended(state, event.end, moment) : stay(state),
  },
  probing: {
    ...waitingRow,
    reconfigured: reconnectNow('reconfigured'),
    woke: reconnectNow('woke'),
    retryDue: stay,
    bytes: (state, event, moment) =>
      event.stream === state.link.stream ? stay({ ...state, link: seen(state.link, moment) }) : stay(state),
    closed: (state, event, moment) =>
      event.stream === state.link.stream ? ended(state, event.end, moment) : stay(state),
    probed(state, event, moment) {
      if (event.stream !== state.link.stream) return stay(state);
      const { result } = event;
      if (!result.ok) return fail(state, result.failure, moment);
      const { now } = moment;
      const link: Link = {
        ...state.link,
        ...liveness(state.link, 'connected', null, now),
        lastSeenAt: now,
        version: result.value.version,
        features: result.value,
        clockOffsetMs: result.clockOffsetMs ?? state.link.clockOffsetMs,
      };
      return {
        state: {
          kind: 'connected',
          link,
          connectedAt: now,
          current: link.stream,
          streamSeenAt: now,
          checkedAt: now,
          replacedAt: 0,
          pingedAt: now,
          pingPending: false,
          missedPings: 0,
          accessLogSeen: false,
        },
        commands: [
          { do: 'synchronise', stream: link.stream, features: result.value },
          { do: 'schedule', timer: 'tick', delayMs: TICK_MS },
        ],
      };
    },
  },
  connected: {
    ...waitingRow,
    reconfigured: reconnectNow('reconfigured'),
    woke: reconnectNow('woke'),
    retryDue: stay,
    openOverdue: (state, _event, moment) =>
      state.link.stream === state.current
        ? stay(state)
        : fail(state, { kind: 'timeout', detail: 'no answer to a new event stream' }, moment),
    tick: (state, _event, moment) => checkConnection(state, moment.now),
    opened(state, event, { now }) {
      if (event.stream !== state.link.stream || event.stream === state.current)
        return closeStray(state, event);
      return {
        state: {
          ...state,
          link: { ...state.link, lastSeenAt: now },
          current: event.stream,
          streamSeenAt: now,
          checkedAt: now,
          missedPings: 0,
        },
        commands: [
          { do: 'cancel', timer: 'open' },
          { do: 'closeStream', stream: state.current },
          { do: 'beginEpoch', stream: event.stream },
          // The build is probed again: a restart may have put another one there.
          { do: 'probe', stream: event.stream },
        ],
      };
    },
    bytes: (state, event, moment) =>
      event.stream === state.current
        ? stay({ ...state, link: seen(state.link, moment), streamSeenAt: moment.now, missedPings: 0 })
        : stay(state),
    accessLog: (state, event) =>
      event.stream === state.current ? stay({ ...state, accessLogSeen: true }) : stay(state),
    closed(state, event, moment) {
      const { current, link } = state;
      if (event.stream !== current && event.stream !== link.stream) return stay(state);
      // The old stream ended while its replacement opens: the replacement decides.
      if (event.stream === current && link.stream !== current) {
        return {
          state: {
            kind: 'connecting',
            nextAttemptAt: null,
            link: { ...link, ...liveness(link, 'reconnecting', reopeningReason.end, moment.now) },
          },
          commands: [
            { do: 'cancel', timer: 'tick' },
            { do: 'endEpoch', hostEnded: endedByHost(event.end) },
          ],
        };
      }
      return ended(state, event.end, moment);
    },
    probed(state, event, moment) {
      if (event.stream !== state.current) return stay(state);
      const { result } = event;
      if (!result.ok) return fail(state, result.failure, moment);
      const link: Link = {
        ...seen(state.link, moment),
        version: result.value.version,
        features: result.value,
        clockOffsetMs: result.clockOffsetMs ?? state.link.clockOffsetMs,
      };
      return {
        state: { ...state, link },
        commands: [{ do: 'synchronise', stream: state.current, features: result.value }],
      };
    },
    pinged(state, event, moment) {
      if (event.stream !== state.current) return stay(state);
      if (event.result.ok) {
        return stay({ ...state, link: seen(state.link, moment), pingPending: false, missedPings: 0 });
      }
      const { failure } = event.result;
      if (failure.kind === 'unauthorized') return fail(state, failure, moment);
      const missedPings = state.missedPings + 1;
      // One lost answer is a busy host; two in a row with no byte on the stream between is a dead way.
      if (missedPings >= 2) return fail(state, failure, moment);
      return {
        state: { ...state, pingPending: true, missedPings, pingedAt: moment.now },
        commands: [{ do: 'ping', stream: state.current }],
      };
    },
    checked(state, event, moment) {
      if (event.stream !== state.current) return stay(state);
      const answered = event.outcome !== 'failed';
      const link = answered ? seen(state.link, moment) : state.link;
      // Bytes since the check prove the stream as well as its own log line would have.
      const heard = state.streamSeenAt > state.checkedAt;
      if (event.outcome !== 'silent' || heard) return stay({ ...state, link });
      return replaceStream({ ...state, link }, moment.now);
    },
  },
};

/** Next state and what to do, for any event in any state. */
export function transition(state: ConnectionState, event: ConnectionEvent, moment: Moment): ConnectionStep {
  return cell(row(state.kind), event.type)(state, event, moment);
}

// Two look-ups, each generic in one key: so the compiler follows that a cell takes what its keys say.
function row<K extends ConnectionKind>(kind: K): Row<K> {
  return table[kind];
}

function cell<K extends ConnectionKind, E extends ConnectionEventType>(
  cells: Row<K>,
  type: E,
): Handler<K, E> {
  return cells[type];
}
