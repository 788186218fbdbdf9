import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  initialConnection,
  statusOf,
  type ConnectionCommand,
  type ConnectionEvent,
  type ConnectionState,
} from './connection-state.ts';
import { transition } from './connection-transitions.ts';
import type { HostFeatures, UpstreamFailure } from './ports.ts';

const START = 1_000_000;
const FEATURES: HostFeatures = {
  version: 'v250',
  commit: 'abc',
  buildDate: '2026-08-14',
  activity: 'activity',
  activityRange: false,
  activitySource: false,
  performance: true,
  wolHealth: true,
  profiles: true,
  profileList: null,
  hardware: true,
  bootMarker: null,
  machine: null,
  logStream: false,
  inFlightTrusted: true,
  modelLogs: true,
  wolProxy: false,
};
const REFUSED: UpstreamFailure = { kind: 'refused', detail: 'ECONNREFUSED' };

/** Drives the machine as a shell would, with time in hand. */
class Drive {
  state: ConnectionState;
  now: number;
  commands: readonly ConnectionCommand[] = [];
  readonly all: ConnectionCommand[] = [];

  constructor(state: ConnectionState = initialConnection(null, START), now = START) {
    this.state = state;
    this.now = now;
  }
  at(afterMs: number, event: ConnectionEvent, jitter = 0.5): this {
    this.now += afterMs;
    const step = transition(this.state, event, { now: this.now, jitter });
    this.state = step.state;
    this.commands = step.commands;
    this.all.push(...step.commands);
    return this;
  }
  get stream(): number {
    return this.state.link.stream;
  }
  did(): string[] {
    return this.commands.map((command) =>
      'timer' in command ? `${command.do} ${command.timer}` : command.do,
    );
  }
  fails(failure: UpstreamFailure): this {
    return this.at(10, { type: 'closed', stream: this.stream, end: { why: 'failed', failure } });
  }
  connects(features: HostFeatures = FEATURES): this {
    if (this.state.kind === 'paused') this.at(0, { type: 'resume' });
    this.at(5, { type: 'opened', stream: this.stream, clockOffsetMs: 12 });
    return this.at(5, {
      type: 'probed',
      stream: this.stream,
      result: { ok: true, value: features, clockOffsetMs: null },
    });
  }
  ticks(count: number): this {
    for (let tick = 0; tick < count; tick += 1) this.at(5_000, { type: 'tick' });
    return this;
  }
  answers(): this {
    return this.at(1, {
      type: 'pinged',
      stream: this.stream,
      result: { ok: true, value: null, clockOffsetMs: null },
    });
  }
}

describe('a connection', () => {
  it('opens the event stream first, probes beside it, and is connected when the probes are through', () => {
    const drive = new Drive().at(0, { type: 'resume' });
    expect(drive.did()).toEqual(['cancel retry', 'openStream', 'schedule open']);
    expect(statusOf(drive.state)).toMatchObject({ liveness: 'reconnecting', lastSeenAt: null });
    drive.at(5, { type: 'opened', stream: 1, clockOffsetMs: 12 });
    expect(drive.did()).toEqual(['cancel open', 'beginEpoch', 'probe']);
    drive.at(5, { type: 'probed', stream: 1, result: { ok: true, value: FEATURES, clockOffsetMs: null } });
    expect(drive.did()).toEqual(['synchronise', 'schedule tick']);
    expect(statusOf(drive.state)).toMatchObject({
      liveness: 'connected',
      since: START + 10,
      lastSeenAt: START + 10,
      reason: null,
      version: 'v250',
      clockOffsetMs: 12,
      attempt: null,
      nextAttemptAt: null,
    });
  });

  it('backs off with jitter from 0.5 s, and is down after five failures, since then, asked every 30 s', () => {
    const drive = new Drive().at(0, { type: 'resume' });
    const delays: number[] = [];
    const words: string[] = [];
    const begins: number[] = [];
    for (let failure = 0; failure < 7; failure += 1) {
      drive.fails(REFUSED);
      const { nextAttemptAt, attempt } = statusOf(drive.state);
      delays.push((nextAttemptAt ?? 0) - drive.now);
      expect(attempt).toBe(failure + 1);
      words.push(statusOf(drive.state).liveness);
      begins.push(statusOf(drive.state).since);
      drive.at(delays.at(-1) ?? 0, { type: 'retryDue' });
    }
    expect(words.join(' ')).toBe('reconnecting reconnecting reconnecting reconnecting down down down');
    expect(new Set(begins.slice(4)).size).toBe(1);
    expect(begins[4]).toBeGreaterThan(START);
    expect(delays).toEqual([500, 750, 1_500, 3_000, 31_500, 31_500, 31_500]);
    expect(statusOf(drive.state)).toMatchObject({
      liveness: 'down',
      lastSeenAt: null,
      reason: 'Connection refused. llama-swap may have stopped; the machine answers.',
    });
    drive.connects();
    expect(statusOf(drive.state)).toMatchObject({ liveness: 'connected', since: drive.now });
  });

  it('stays down since when it was when a trial fails, over a restart of the collector too', () => {
    const last = { ...statusOf(new Drive().state), liveness: 'down' as const, since: 7, lastSeenAt: 5 };
    const drive = new Drive(initialConnection(last, START)).at(0, { type: 'resume' }).fails(REFUSED);
    expect(statusOf(drive.state)).toMatchObject({ liveness: 'down', since: 7, lastSeenAt: 5 });
  });

  it('reconnects soon after the host closes the stream, and says so', () => {
    const drive = new Drive().connects().ticks(3);
    drive.at(10, { type: 'closed', stream: 1, end: { why: 'end' } });
    expect(drive.did()).toEqual([
      'cancel retry',
      'cancel open',
      'cancel tick',
      'closeStream',
      'endEpoch',
      'schedule retry',
    ]);
    expect(drive.commands).toContainEqual({ do: 'endEpoch', hostEnded: true });
    expect(statusOf(drive.state)).toMatchObject({
      liveness: 'reconnecting',
      reason: 'The event stream closed.',
      nextAttemptAt: drive.now + 500,
    });
  });

  it('counts on over a host that accepts and closes at once', () => {
    const drive = new Drive();
    for (let round = 0; round < 5; round += 1) {
      drive.connects().at(10, { type: 'closed', stream: drive.stream, end: { why: 'end' } });
      if (round < 4) drive.at(9_000, { type: 'retryDue' });
    }
    expect(statusOf(drive.state).liveness).toBe('down');
  });

  it.each([
    ['asleep', { kind: 'asleep' }, 30_000],
    ['unauthorized', { kind: 'unauthorized' }, 60_000],
    ['incompatible', { kind: 'not_llama_swap', detail: 'an HTML page' }, 60_000],
    ['incompatible', { kind: 'too_old', version: 'v131' }, 60_000],
  ] as const)('is %s after %o, and asks again with the event stream only', (liveness, failure, atLeastMs) => {
    const drive = new Drive().at(0, { type: 'resume' }).fails(failure);
    expect(statusOf(drive.state)).toMatchObject({ liveness, attempt: null, nextAttemptAt: null });
    expect(drive.did()).toEqual([
      'cancel retry',
      'cancel open',
      'cancel tick',
      'closeStream',
      'schedule retry',
    ]);
    drive.at(atLeastMs, { type: 'retryDue' });
    expect(drive.did()).toEqual(['cancel retry', 'openStream', 'schedule open']);
    expect(statusOf(drive.state).liveness).toBe(liveness);
  });

  it('takes a 401 for an answer of the host, and a 204 for its proxy’s', () => {
    const refused = new Drive().at(0, { type: 'resume' }).fails({ kind: 'unauthorized' });
    expect(statusOf(refused.state).lastSeenAt).toBe(refused.now);
    const asleep = new Drive().at(0, { type: 'resume' }).fails({ kind: 'asleep' });
    expect(statusOf(asleep.state).lastSeenAt).toBeNull();
  });

  it('opens again at once after an overload, but not in a circle', () => {
    const drive = new Drive()
      .connects()
      .ticks(3)
      .at(1, { type: 'closed', stream: 1, end: { why: 'overload' } });
    expect(drive.did()).toContain('openStream');
    drive.connects().at(1, { type: 'closed', stream: 2, end: { why: 'overload' } });
    expect(drive.did()).toContain('schedule retry');
  });

  it('closes and opens everything when the process stood still, from any state', () => {
    const connected = new Drive().connects().at(60_000, { type: 'woke' });
    expect(connected.did()).toEqual([
      'cancel retry',
      'cancel open',
      'cancel tick',
      'closeStream',
      'endEpoch',
      'cancel retry',
      'openStream',
      'schedule open',
    ]);
    const waiting = new Drive().at(0, { type: 'resume' }).fails(REFUSED).at(60_000, { type: 'woke' });
    expect(waiting.did()).toContain('openStream');
    expect(new Drive().at(0, { type: 'woke' }).did()).toEqual([]);
  });

  it('paused, does nothing and says why; resumed, starts over', () => {
    const drive = new Drive().connects().at(1, { type: 'pause' });
    expect(statusOf(drive.state)).toMatchObject({
      liveness: 'reconnecting',
      reason: 'Monitoring is paused.',
    });
    expect(drive.at(60_000, { type: 'retryDue' }).did()).toEqual([]);
    expect(drive.at(0, { type: 'resume' }).did()).toContain('openStream');
  });

  it('forgets what it learned of a host whose address changed', () => {
    const drive = new Drive().connects().at(1, { type: 'reconfigured' });
    expect(drive.state.link).toMatchObject({ features: null, version: null });
    expect(drive.did()).toContain('openStream');
  });

  it('closes a stream that opens when it is no longer wanted', () => {
    const drive = new Drive().at(0, { type: 'resume' }).at(20_000, { type: 'openOverdue' });
    expect(drive.at(1, { type: 'opened', stream: 1, clockOffsetMs: null }).did()).toEqual(['closeStream']);
  });
});

describe('the watchdogs', () => {
  it('find a half-open socket within 15 s: two pings without an answer', () => {
    const drive = new Drive().connects().ticks(1).answers();
    const diedAt = drive.now;
    drive.ticks(1);
    expect(drive.did()).toContain('ping');
    const timeout = { ok: false, failure: { kind: 'timeout', detail: '4 s' } } as const;
    drive.at(4_000, { type: 'pinged', stream: 1, result: timeout });
    expect(drive.did()).toEqual(['ping']);
    drive.at(4_000, { type: 'pinged', stream: 1, result: timeout });
    expect(drive.state.kind).toBe('reconnecting');
    expect(drive.now - diedAt).toBeLessThanOrEqual(15_000);
    expect(statusOf(drive.state).reason).toBe('No answer: machine off, or network.');
  });

  it('forgive one lost ping when the stream speaks', () => {
    const drive = new Drive().connects().ticks(1);
    const timeout = { ok: false, failure: { kind: 'timeout', detail: '4 s' } } as const;
    drive.at(4_000, { type: 'pinged', stream: 1, result: timeout });
    drive.at(100, { type: 'bytes', stream: 1 });
    drive.at(3_900, { type: 'pinged', stream: 1, result: timeout });
    expect(drive.state.kind).toBe('connected');
  });

  it('ping old hosts, whose log it fills, once a minute only', () => {
    const drive = new Drive().connects({ ...FEATURES, wolHealth: false, performance: false });
    drive.ticks(11);
    expect(drive.all.filter((command) => command.do === 'ping')).toEqual([]);
    expect(drive.ticks(1).did()).toContain('ping');
  });

  it('check a stream that is silent for 60 s with one request that must come back', () => {
    const drive = new Drive().connects().at(1, { type: 'accessLog', stream: 1 });
    for (let tick = 0; tick < 11; tick += 1) drive.ticks(1).answers();
    expect(drive.all.some((command) => command.do === 'checkStream')).toBe(false);
    expect(drive.ticks(1).did()).toContain('checkStream');
    drive.at(5_000, { type: 'checked', stream: 1, outcome: 'silent' });
    expect(drive.did()).toEqual(['openStream', 'schedule open']);
    expect(statusOf(drive.state).liveness).toBe('connected');
    // New before old: the old one goes when the new one is there.
    drive.at(10, { type: 'opened', stream: 2, clockOffsetMs: null });
    expect(drive.commands).toEqual([
      { do: 'cancel', timer: 'open' },
      { do: 'closeStream', stream: 1 },
      { do: 'beginEpoch', stream: 2 },
      { do: 'probe', stream: 2 },
    ]);
    expect(drive.at(1, { type: 'closed', stream: 1, end: { why: 'aborted' } }).state.kind).toBe('connected');
    // Silent again a minute later: not before five minutes are over.
    drive.at(60_000, { type: 'checked', stream: 2, outcome: 'silent' });
    expect(drive.did()).toEqual([]);
    drive.at(240_000, { type: 'checked', stream: 2, outcome: 'silent' });
    expect(drive.did()).toEqual(['openStream', 'schedule open']);
  });

  it('leave a stream alone whose check came back', () => {
    const drive = new Drive().connects().at(1, { type: 'accessLog', stream: 1 });
    for (let tick = 0; tick < 12; tick += 1) drive.ticks(1).answers();
    drive.at(50, { type: 'bytes', stream: 1 }).at(1, { type: 'checked', stream: 1, outcome: 'heard' });
    expect(drive.did()).toEqual([]);
  });

  it.each([
    ['that carries no logs (v259+)', { ...FEATURES, logStream: true }, true],
    ['whose log level hides requests', FEATURES, false],
    ['behind a wake-on-LAN proxy', { ...FEATURES, wolProxy: true }, true],
  ])('replace a stream %s after five silent minutes', (_name, features, accessLog) => {
    const drive = new Drive().connects(features);
    if (accessLog) drive.at(0, { type: 'accessLog', stream: 1 });
    for (let tick = 0; tick < 59; tick += 1) drive.ticks(1).answers();
    expect(drive.all.some((command) => command.do === 'checkStream')).toBe(false);
    expect(drive.all.filter((command) => command.do === 'openStream')).toHaveLength(1);
    expect(drive.ticks(1).did()).toContain('openStream');
  });

  it('never ask anything of a host behind a wake-on-LAN proxy', () => {
    const drive = new Drive().connects({ ...FEATURES, wolProxy: true }).ticks(200);
    expect(drive.all.filter((command) => command.do === 'ping' || command.do === 'checkStream')).toEqual([]);
  });
});

describe('whatever happens', () => {
  const failure: fc.Arbitrary<UpstreamFailure> = fc.constantFrom<UpstreamFailure[]>(
    REFUSED,
    { kind: 'timeout', detail: '' },
    { kind: 'reset', detail: '' },
    { kind: 'asleep' },
    { kind: 'not_llama_swap', detail: '' },
    { kind: 'http', status: 502, detail: '' },
  );
  const stream = fc.integer({ min: 1, max: 6 });
  const event: fc.Arbitrary<ConnectionEvent> = fc.oneof(
    fc.constantFrom<ConnectionEvent[]>(
      { type: 'resume' },
      { type: 'pause' },
      { type: 'reconfigured' },
      { type: 'woke' },
      { type: 'retryDue' },
      { type: 'openOverdue' },
      { type: 'tick' },
    ),
    fc.record({ type: fc.constant('opened' as const), stream, clockOffsetMs: fc.constant(null) }),
    fc.record({ type: fc.constantFrom('bytes' as const, 'accessLog' as const), stream }),
    fc.record({
      type: fc.constant('closed' as const),
      stream,
      end: fc.record({ why: fc.constant('failed' as const), failure }),
    }),
    fc.record({
      type: fc.constant('closed' as const),
      stream,
      end: fc.record({ why: fc.constantFrom('end' as const, 'overload' as const) }),
    }),
    fc.record({
      type: fc.constant('probed' as const),
      stream,
      result: fc.oneof(
        fc.constant({ ok: true as const, value: FEATURES, clockOffsetMs: null }),
        fc.record({ ok: fc.constant(false as const), failure }),
      ),
    }),
    fc.record({
      type: fc.constant('pinged' as const),
      stream,
      result: fc.record({ ok: fc.constant(false as const), failure }),
    }),
    fc.record({
      type: fc.constant('checked' as const),
      stream,
      outcome: fc.constantFrom('heard' as const, 'silent' as const, 'failed' as const),
    }),
  );

  it('no attempt moves lastSeenAt, since never runs ahead, and every stream opened is closed or counts', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(event, fc.integer({ min: 0, max: 40_000 })), { maxLength: 80 }),
        (events) => {
          const drive = new Drive();
          const open = new Set<number>();
          for (const [next, afterMs] of events) {
            const before = statusOf(drive.state);
            drive.at(afterMs, next);
            const after = statusOf(drive.state);
            for (const command of drive.commands) {
              if (command.do === 'openStream') open.add(command.stream);
              if (command.do === 'closeStream') open.delete(command.stream);
            }
            if (next.type === 'closed') open.delete(next.stream);
            const answered =
              next.type === 'opened' ||
              next.type === 'bytes' ||
              next.type === 'probed' ||
              next.type === 'checked';
            expect(answered || after.lastSeenAt === before.lastSeenAt).toBe(true);
            expect(after.since).toBeLessThanOrEqual(drive.now);
            expect(after.liveness !== before.liveness || after.since === before.since).toBe(true);
            expect(open.size).toBeLessThanOrEqual(2);
            const mayBeOpen = ['connecting', 'probing', 'connected'].includes(drive.state.kind);
            expect(mayBeOpen || open.size === 0).toBe(true);
          }
        },
      ),
      { numRuns: 500 },
    );
  });
});
