import { describe, expect, it } from 'vitest';
import type { HealthCheck } from '../schemas/info.ts';
import {
  checkTitle,
  checkWord,
  failedFirst,
  healthStatus,
  healthSummary,
  healthText,
  redactReport,
} from './health-words.ts';

function check(name: string, changes: Partial<HealthCheck> = {}): HealthCheck {
  return { name, state: 'ok', detail: `${name} is well.`, remediation: null, ...changes };
}

const CHECKS = [
  check('sync'),
  check('certificate', { state: 'warn', remediation: 'Renew it.' }),
  check('host:osprey', { title: 'Host osprey', standing: 'asleep' }),
  check('host:kestrel', { title: 'Host kestrel', state: 'fail', standing: 'down', remediation: 'Start it.' }),
];

describe('health in words', () => {
  it('puts what failed first and keeps the order of equals', () => {
    expect(failedFirst(CHECKS).map(({ name }) => name)).toEqual([
      'host:kestrel',
      'certificate',
      'sync',
      'host:osprey',
    ]);
  });

  it('has one word for each state', () => {
    expect(CHECKS.map((one) => checkWord(one))).toEqual(['OK', 'Warning', 'Asleep', 'Failed']);
    expect(checkWord(check('host:attic', { standing: 'paused' }))).toBe('Paused');
    expect(checkTitle(check('sync'))).toBe('sync');
  });

  it('sums up', () => {
    expect(healthSummary(CHECKS)).toBe('1 failed, 1 warning');
    expect(healthSummary([check('sync'), check('store')])).toBe('2 checks, all OK');
    expect(healthSummary([])).toBe('no checks');
    expect(healthStatus(CHECKS)).toBe('degraded');
    expect(healthStatus([check('sync')])).toBe('ok');
    expect(healthStatus([check('store', { state: 'fail' })])).toBe('failed');
  });

  it('shortens nothing in its text', () => {
    const detail = 'x'.repeat(5000);
    expect(healthText([check('sync', { detail, state: 'warn', remediation: 'Wait.' })])).toBe(
      `Warning  sync: ${detail}\n         → Wait.`,
    );
  });
});

describe('a report to hand on', () => {
  it.each([
    ['at http://kestrel.lan:8080/x, since', 'at http://[address], since'],
    ['192.168.1.44:8080 and 10.0.0.7', '[address] and [address]'],
    ['listens at fe80::1ff:fe23:4567:890a', 'listens at [address]'],
    ['From /home/ana/drover/drover.yaml.', 'From [path]'],
    ['box.tail1a2b.ts.net: expires on 4 Dec', '[address]: expires on 4 Dec'],
    ['Authorization: Bearer abcdef1234', 'Authorization: [REDACTED]'],
    ['key sk-1234567890abcdef was refused', 'key [REDACTED] was refused'],
  ])('takes places and secrets out of %j', (text, redacted) => {
    expect(redactReport(text)).toBe(redacted);
  });

  it.each([
    'Its llama-swap is v131; Drover needs v140 or later.',
    '3,412,008 rows of history, 214.0 MB. Last commit just now. 61.0 GB free.',
    'Node 24.22.0. 4 sockets, 0 shed frames, at 14:00:02.',
    'Down 2 h 14 min, attempt 22/30.',
  ])('leaves %j as it is', (text) => {
    expect(redactReport(text)).toBe(text);
  });
});
