import type { ConnectionCommand, ConnectionStates, ConnectionStep } from './connection-state.ts';

/** How often a connection is looked at. */
export const TICK_MS = 5_000;
/** Timers and clocks differ by a little. */
const TICK_SLACK_MS = 500;
/** A ping has to be answered within this: two of them and the pause between stay under 15 s. */
export const PING_DEADLINE_MS = 4_000;
/** Hosts before v167 have no probe that leaves their log alone. */
export const LOGGED_PING_PERIOD_MS = 60_000;
/** Silence after which an answering host's stream is checked with one logged request. */
export const SILENCE_MS = 60_000;
/** Silence after which a stream that cannot be checked is replaced; no stream is replaced more often than this. */
export const REPLACE_MS = 300_000;
/** Headers of `/api/events` have to come within this. */
export const OPEN_DEADLINE_MS = 20_000;

type Connected = ConnectionStates['connected'];

/** The watchdogs of an open stream, each tick: a ping beside it, a check or a replacement when it is silent. */
export function checkConnection(state: Connected, now: number): ConnectionStep {
  const commands: ConnectionCommand[] = [{ do: 'schedule', timer: 'tick', delayMs: TICK_MS }];
  const next = isStable(state, now) ? { ...state, link: { ...state.link, failures: 0 } } : state;
  const features = next.link.features;
  // Behind a wake-on-LAN proxy any request but /api/events would wake the host right after it fell asleep.
  const pinged = features?.wolProxy ? next : pingWhenDue(next, now, commands);
  const watched = watchSilence(pinged, now);
  return { state: watched.state, commands: [...commands, ...watched.commands] };
}

/** Opens a new stream beside the old one; the old one goes when the new one is open, so that nothing is missed. */
export function replaceStream(state: Connected, now: number): ConnectionStep {
  if (state.link.stream !== state.current || now - state.replacedAt < REPLACE_MS)
    return { state, commands: [] };
  const stream = state.link.stream + 1;
  return {
    state: { ...state, link: { ...state.link, stream }, replacedAt: now },
    commands: [
      { do: 'openStream', stream },
      { do: 'schedule', timer: 'open', delayMs: OPEN_DEADLINE_MS },
    ],
  };
}

/** A connection that held for a while: its end is a new story, not one more failure of the last. */
export function isStable(state: Connected, now: number): boolean {
  return now - state.connectedAt >= 10_000;
}

function pingWhenDue(state: Connected, now: number, commands: ConnectionCommand[]): Connected {
  const periodMs = hasUnloggedPing(state) ? TICK_MS : LOGGED_PING_PERIOD_MS;
  // A tick that comes a moment early must not put the ping off to the next one.
  if (state.pingPending || now - state.pingedAt < periodMs - TICK_SLACK_MS) return state;
  commands.push({ do: 'ping', stream: state.current });
  return { ...state, pingPending: true, pingedAt: now };
}

function watchSilence(state: Connected, now: number): ConnectionStep {
  const silentMs = now - state.streamSeenAt;
  const features = state.link.features;
  // From v259 the stream carries no logs, and a log level may hide access lines: no request comes back to prove it.
  const checkable = state.accessLogSeen && !features?.logStream && !features?.wolProxy;
  if (!checkable) return silentMs >= REPLACE_MS ? replaceStream(state, now) : { state, commands: [] };
  // A logged ping comes back on the stream by itself; only its absence is worth one more request.
  const patienceMs = hasUnloggedPing(state) ? SILENCE_MS : SILENCE_MS + LOGGED_PING_PERIOD_MS / 4;
  if (silentMs < patienceMs || now - state.checkedAt < SILENCE_MS) return { state, commands: [] };
  return { state: { ...state, checkedAt: now }, commands: [{ do: 'checkStream', stream: state.current }] };
}

function hasUnloggedPing(state: Connected): boolean {
  return state.link.features?.wolHealth === true || state.link.features?.performance === true;
}
