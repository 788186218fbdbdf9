import { describe, expect, it, test } from 'vitest';
import { failureKindOf, failureReason } from '../connection-reason.ts';
import type { HostStatus, UpstreamFailure } from '../ports.ts';
import { hostConfig } from '../../testing/host-config.ts';
import { auditCheck } from './audit-check.ts';
import { certificateCheck } from './certificate-check.ts';
import { collectorCheck } from './collector-check.ts';
import { databaseCheck } from './database-check.ts';
import { hostChecks } from './host-checks.ts';
import { intentsCheck } from './intents-check.ts';
import { machineChecks, type MachineFacts } from './machine-checks.ts';
import { outboxCheck } from './outbox-check.ts';
import { segmentsCheck } from './segments-check.ts';
import { serverCheck } from './server-check.ts';
import { storeCheck } from './store-check.ts';
import { syncCheck, type SyncGauges } from './sync-check.ts';

const NOW = Date.UTC(2026, 10, 30, 14, 11);
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const GB = 1024 ** 3;

describe('the store', () => {
  const facts = {
    failure: null,
    rows: 3_412_008,
    sizeBytes: 214 * 1024 ** 2,
    lastCommitAt: NOW - 80,
    freeBytes: 61 * GB,
  };

  it('says rows, size, last commit and room', () => {
    expect(storeCheck(facts, NOW)).toEqual({
      name: 'store',
      title: 'Store',
      state: 'ok',
      detail: '3,412,008 rows of history, 214.0 MB. Last commit just now. 61.0 GB free.',
      remediation: null,
    });
  });

  it('leaves out what is not known', () => {
    const nothing = { failure: null, rows: null, sizeBytes: null, lastCommitAt: null, freeBytes: null };
    expect(storeCheck(nothing, NOW)).toMatchObject({ state: 'ok', detail: 'The database takes writes.' });
  });

  it('warns before the disk is full', () => {
    expect(storeCheck({ ...facts, freeBytes: GB / 2 }, NOW)).toMatchObject({
      state: 'warn',
      detail: expect.stringContaining('512.0 MB free'),
      remediation: expect.stringContaining('Free some disk space'),
    });
  });

  it('fails with the remedy for what is wrong', () => {
    const failure = { reason: 'full' as const, since: NOW - 14 * MINUTE };
    expect(storeCheck({ ...facts, failure }, NOW)).toMatchObject({
      state: 'fail',
      detail: expect.stringMatching(/^Nothing could be saved for 14 min \(full\)/),
      remediation: expect.stringContaining('Free some space'),
    });
  });
});

describe('hosts', () => {
  const status = (changes: Partial<HostStatus>): HostStatus => ({
    liveness: 'connected',
    since: NOW - 30 * MINUTE,
    lastSeenAt: NOW - 31 * MINUTE,
    reason: null,
    version: 'v250',
    attempt: null,
    nextAttemptAt: null,
    features: [],
    clockOffsetMs: 0,
    ...changes,
  });
  const host = (id: string, changes: Partial<HostStatus> = {}) => ({
    config: hostConfig(id),
    status: status(changes),
    logsDropped: 0,
  });

  it('that are well share one line, and every name is in it', () => {
    const names = Array.from({ length: 12 }, (_, index) => `box${index + 1}`);
    const checks = hostChecks(
      names.map((id) => ({ ...host(id), logsDropped: 100 })),
      NOW,
    );
    expect(checks).toEqual([
      {
        name: 'hosts',
        title: `Hosts ${names.join(', ')}`,
        state: 'ok',
        detail: 'Event streams open, 1,200 pieces of log skipped unread.',
        remediation: null,
      },
    ]);
  });

  it('that are not well have a line each, with reason, age, attempt and remedy', () => {
    const down = host('kestrel', { liveness: 'down', reason: failureReason(of('refused')), attempt: 22 });
    expect(hostChecks([down, host('bluefin')], NOW)).toEqual([
      {
        name: 'host:kestrel',
        title: 'Host kestrel',
        hostId: 'kestrel',
        standing: 'down',
        state: 'fail',
        detail:
          'Connection refused. llama-swap may have stopped; the machine answers. Down for 30 min, attempt 22. Last data 31 min ago.',
        remediation:
          'On kestrel: is llama-swap running (systemctl status llama-swap), and does it listen beyond localhost?',
      },
      expect.objectContaining({ name: 'hosts', title: 'Host bluefin', state: 'ok' }),
    ]);
  });

  test.each([
    ['reconnecting', 'warn'],
    ['asleep', 'ok'],
    ['down', 'fail'],
    ['unauthorized', 'fail'],
    ['incompatible', 'fail'],
  ] as const)('that are %s are said to be so: %s', (liveness, state) => {
    const [check] = hostChecks([host('tern', { liveness, lastSeenAt: null })], NOW);
    expect(check).toMatchObject({ name: 'host:tern', standing: liveness, state });
    expect(check?.remediation === null).toBe(state === 'ok');
  });

  it('that are paused or new are neither well nor ill', () => {
    const paused = { ...host('attic', { liveness: 'down' }), config: hostConfig('attic', { paused: true }) };
    expect(hostChecks([paused], NOW)).toMatchObject([{ state: 'ok', standing: 'paused' }]);
    expect(hostChecks([{ ...host('shed'), status: null }], NOW)).toMatchObject([{ state: 'warn' }]);
    expect(hostChecks([], NOW)).toMatchObject([{ name: 'hosts', state: 'ok', detail: 'None yet.' }]);
  });

  it('whose clock is off are warned of', () => {
    const [ahead] = hostChecks([host('owl', { clockOffsetMs: -3 * MINUTE })], NOW);
    expect(ahead).toMatchObject({
      state: 'warn',
      detail: "Its clock is 3 min ahead of the collector's.",
    });
    expect(hostChecks([host('owl', { clockOffsetMs: 2_000 })], NOW)).toMatchObject([{ state: 'ok' }]);
  });

  it('that refuse a key of the environment name the variable', () => {
    const tern = host('tern', { liveness: 'unauthorized', reason: failureReason(of('unauthorized')) });
    const config = hostConfig('tern', { keySource: 'env:TERN_KEY' });
    expect(hostChecks([{ ...tern, config }], NOW)[0]?.remediation).toContain('Set TERN_KEY');
  });

  /** One failure of each kind, as they come from a client. */
  function of(kind: UpstreamFailure['kind']): UpstreamFailure {
    switch (kind) {
      case 'unauthorized':
      case 'asleep':
        return { kind };
      case 'too_old':
        return { kind, version: 'v131' };
      case 'http':
        return { kind, status: 500, detail: 'oops' };
      default:
        return { kind, detail: 'a detail' };
    }
  }

  test.each([
    'refused',
    'dns',
    'unreachable',
    'reset',
    'unauthorized',
    'asleep',
    'not_llama_swap',
    'too_old',
    'http',
    'too_large',
    'malformed',
  ] as const)('a recorded reason still tells its kind: %s', (kind) => {
    const reason = failureReason(of(kind));
    expect(failureKindOf(reason)).toBe(kind);
    const [check] = hostChecks([host('tern', { liveness: 'down', reason })], NOW);
    expect(check?.remediation).toMatch(/\w{3}/);
  });
});

describe('sync', () => {
  const gauges: SyncGauges = {
    socketsByRole: { admin: 1, viewer: 3 },
    documents: [{ name: 'fleet@g1', sockets: 4, bytes: null, pendingStructs: false }],
    droppedWrites: 0,
    bufferedBytes: 0,
    shedFrames: 0,
    ends: {},
  };
  const sizes = [
    { kind: 'fleet', bytes: 41 * 1024 },
    { kind: 'tail', bytes: 96 * 1024 },
  ] as const;

  it('says sockets, what was left out, and sizes', () => {
    expect(syncCheck(gauges, sizes)).toMatchObject({
      state: 'ok',
      detail: '4 sockets, 0 shed frames, 0 refused writes, fleet 41 KB, tail 96 KB.',
    });
  });

  it('warns of a document that grew over its bound', () => {
    const check = syncCheck(gauges, [sizes[0], { kind: 'tail', bytes: 300 * 1024 }]);
    expect(check).toMatchObject({
      state: 'warn',
      detail: expect.stringContaining('The tail document is over its bound of 256 KB.'),
      remediation: expect.stringContaining('shrinks by itself'),
    });
  });

  it('warns of a document that waits for changes that never came', () => {
    const documents = [{ name: 'fleet@g1', sockets: 4, bytes: null, pendingStructs: true }];
    expect(syncCheck({ ...gauges, documents }, sizes)).toMatchObject({
      state: 'warn',
      detail: expect.stringMatching(/^fleet@g1 waits/),
    });
  });
});

test('segments: how many, how new, and why none is made', () => {
  const facts = {
    segments: 721,
    bytes: 40_055_603,
    sealedTo: NOW - HOUR,
    lastSealAt: NOW - 11 * MINUTE,
    failure: null,
  };
  expect(segmentsCheck(facts, NOW).detail).toBe('721 blobs, 38.2 MB. Last seal 11 min ago.');
  expect(segmentsCheck({ ...facts, lastSealAt: null }, NOW).detail).toContain('Last seal 1 h ago.');
  expect(segmentsCheck({ ...facts, lastSealAt: null, sealedTo: NOW + HOUR }, NOW).detail).toContain(
    'just now',
  );
  const none = { ...facts, segments: 0, bytes: 0, lastSealAt: null, sealedTo: null };
  expect(segmentsCheck(none, NOW)).toMatchObject({
    state: 'ok',
    detail: '0 blobs, 0 KB. Nothing was sealed yet.',
  });
  expect(segmentsCheck({ ...facts, failure: 'out of memory' }, NOW)).toMatchObject({
    state: 'warn',
    detail: expect.stringContaining('out of memory'),
  });
});

test('intents: what waits, what is overdue, what is unknown, what could not be written', () => {
  const facts = { open: 3, running: 1, overdue: 0, unknown: 0, unwritten: 0 };
  expect(intentsCheck(facts)).toMatchObject({
    state: 'ok',
    detail: '2 waiting, 1 running, 0 waiting past their deadline.',
  });
  expect(intentsCheck({ ...facts, overdue: 2 })).toMatchObject({
    state: 'warn',
    detail: expect.stringContaining('2 waiting past their deadline'),
  });
  expect(intentsCheck({ ...facts, unknown: 1 })).toMatchObject({
    state: 'warn',
    detail: expect.stringMatching(/^1 action of the last 24 h/),
  });
  expect(intentsCheck({ ...facts, unwritten: 1, overdue: 2 })).toMatchObject({ state: 'fail' });
});

test('the audit log: verified to where, when, and what is broken', () => {
  expect(auditCheck(null, NOW)).toMatchObject({ state: 'ok', detail: 'Its chain is being verified.' });
  const whole = { records: 1284, problem: null, at: NOW - 11 * MINUTE };
  expect(auditCheck(whole, NOW)).toMatchObject({
    state: 'ok',
    detail: 'Chain verified to 1,284, 11 min ago.',
  });
  expect(auditCheck({ ...whole, records: 7, problem: 'Record 8 was changed.' }, NOW)).toMatchObject({
    state: 'fail',
    detail: expect.stringMatching(/^Record 8 was changed\. 7 records up to there/),
  });
});

test('outboxes: sizes, the thread, a quarantine that is a day old at most', () => {
  const totals = { outboxes: 2, records: 14, bytes: 20_480, largestBytes: 16_384 };
  const thread = { pending: 0, replaced: 1 };
  const facts = { totals, lastQuarantine: null, thread };
  expect(outboxCheck(facts, NOW)).toMatchObject({
    state: 'ok',
    detail:
      '2 outboxes with 14 records, 20 KB in all, the largest 16 KB. Their thread has 0 to read and was replaced once.',
  });
  expect(outboxCheck({ ...facts, thread: null }, NOW).detail).not.toContain('thread');
  const none = { outboxes: 0, records: 0, bytes: 0, largestBytes: 0 };
  expect(outboxCheck({ ...facts, totals: none, thread: { pending: 0, replaced: 0 } }, NOW).detail).toBe(
    'None yet. Their thread has 0 to read and was never replaced.',
  );
  expect(outboxCheck({ ...facts, thread: { pending: 5000, replaced: 0 } }, NOW)).toMatchObject({
    state: 'warn',
  });
  const lastQuarantine = { label: 'ben-phone', reason: 'deadline', at: NOW - 2 * HOUR, count: 3 };
  expect(outboxCheck({ ...facts, lastQuarantine }, NOW)).toMatchObject({
    state: 'warn',
    detail: expect.stringMatching(
      /^The outbox of "ben-phone" was quarantined 3 times, last 2 h ago \(deadline\)/,
    ),
  });
  const old = { ...lastQuarantine, at: NOW - 2 * DAY };
  expect(outboxCheck({ ...facts, lastQuarantine: old }, NOW)).toMatchObject({ state: 'ok' });
});

test('the collector: what it listens to, and that it stood still', () => {
  const facts = { startedAt: NOW - 3 * HOUR, hosts: 7, paused: 1, stoodStill: null };
  expect(collectorCheck(facts, NOW)).toMatchObject({
    state: 'ok',
    detail: 'Listens to 6 hosts, 1 paused. Running for 3 h.',
  });
  const stoodStill = { at: NOW - 10 * MINUTE, lateMs: 14_000 };
  expect(collectorCheck({ ...facts, stoodStill }, NOW)).toMatchObject({
    state: 'warn',
    detail: expect.stringMatching(/^It stood still for 10 s, 10 min ago/),
  });
  const longAgo = { ...stoodStill, at: NOW - 2 * HOUR };
  expect(collectorCheck({ ...facts, stoodStill: longAgo }, NOW)).toMatchObject({ state: 'ok' });
});

describe('the certificate', () => {
  const check = (days: number) =>
    certificateCheck(
      {
        certificate: { names: ['drover.lan'], validFrom: NOW - 90 * DAY, validTo: NOW + days * DAY },
        publicUrl: null,
      },
      NOW,
    );

  it('is well, ends soon, or ended', () => {
    expect(check(60)).toMatchObject({
      state: 'ok',
      detail: 'drover.lan: expires on 29 Jan 2027, in 60 days.',
    });
    expect(check(4)).toMatchObject({
      state: 'warn',
      detail: 'drover.lan: expires on 4 Dec 2026, in 4 days.',
      remediation: expect.stringContaining('SIGHUP'),
    });
    expect(check(0.1)).toMatchObject({ state: 'warn', detail: expect.stringContaining('today') });
    expect(check(-1)).toMatchObject({ state: 'fail', detail: 'drover.lan: expired on 29 Nov 2026.' });
  });

  it('is not valid yet, cannot be read, or is somebody else’s', () => {
    const early = { names: [], validFrom: NOW + DAY, validTo: NOW + 90 * DAY };
    expect(certificateCheck({ certificate: early, publicUrl: null }, NOW)).toMatchObject({
      state: 'fail',
      remediation: expect.stringContaining('clock'),
    });
    const problem = 'the TLS key cannot be read';
    expect(certificateCheck({ certificate: { problem }, publicUrl: null }, NOW)).toMatchObject({
      state: 'fail',
      detail: expect.stringContaining(problem),
    });
    expect(certificateCheck({ certificate: null, publicUrl: 'https://box.ts.net' }, NOW).detail).toContain(
      'proxy',
    );
    expect(certificateCheck({ certificate: null, publicUrl: null }, NOW).detail).toContain('plain http');
  });
});

describe('the machine', () => {
  const facts: MachineFacts = {
    nodeVersion: '24.22.0',
    configFile: '/srv/drover/drover.yaml',
    unsetVariables: [],
    dataDir: '/srv/drover/data',
    folder: 'writable',
    freeBytes: 61 * GB,
    secrets: 'private',
  };
  const stateOf = (changes: Partial<MachineFacts>, name: string) =>
    machineChecks({ ...facts, ...changes }).find((check) => check.name === name)?.state;

  it('is well', () => {
    expect(machineChecks(facts).map(({ name, state }) => `${name} ${state}`)).toEqual([
      'node ok',
      'config ok',
      'data ok',
      'secrets ok',
    ]);
  });

  test.each([
    ['node', { nodeVersion: '22.1.0' }, 'fail'],
    ['config', { unsetVariables: ['TERN_KEY'] }, 'warn'],
    ['config', { configFile: null }, 'ok'],
    ['data', { folder: 'missing' }, 'warn'],
    ['data', { folder: 'readonly' }, 'fail'],
    ['secrets', { secrets: 'open' }, 'fail'],
    ['secrets', { secrets: 'none' }, 'ok'],
  ] as const)('%s with %j is %s', (name, changes, state) => {
    expect(stateOf(changes, name)).toBe(state);
  });
});

test('the server from beside it: answers, silent, closed to us, down, its port taken', () => {
  expect(
    serverCheck({ kind: 'answers', pid: 7, url: 'http://127.0.0.1:9503', startedAt: NOW - HOUR }, NOW),
  ).toMatchObject({ state: 'ok', detail: 'Process 7 answers at http://127.0.0.1:9503, running for 1 h.' });
  expect(serverCheck({ kind: 'silent', pid: 7, url: null, problem: 'no answer' }, NOW)).toMatchObject({
    state: 'fail',
    remediation: expect.stringContaining('kill 7'),
  });
  expect(serverCheck({ kind: 'unreadable', problem: 'EACCES: permission denied' }, NOW)).toMatchObject({
    state: 'fail',
    detail: expect.stringContaining('EACCES'),
    remediation: expect.stringContaining("Run it as the server's user"),
  });
  expect(serverCheck({ kind: 'keyless', pid: 7, url: 'http://127.0.0.1:9503' }, NOW)).toMatchObject({
    state: 'warn',
    detail: expect.stringContaining('Process 7 listens at http://127.0.0.1:9503'),
  });
  const address = '127.0.0.1:9503';
  expect(serverCheck({ kind: 'down', address, portTaken: false }, NOW)).toMatchObject({ state: 'warn' });
  expect(serverCheck({ kind: 'down', address, portTaken: true }, NOW)).toMatchObject({
    state: 'fail',
    remediation: expect.stringContaining('--port'),
  });
});

test('the database file: sound or damaged', () => {
  expect(databaseCheck('ok')).toMatchObject({ state: 'ok', remediation: null });
  expect(databaseCheck('row 3 missing from index')).toMatchObject({
    state: 'fail',
    detail: 'Damaged: row 3 missing from index',
    remediation: expect.stringContaining('drover restore'),
  });
});
