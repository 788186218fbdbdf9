import { expect, test } from 'vitest';
import { cleanLogLine } from './clean-log-line.ts';

test('terminal codes are taken out', () => {
  expect(cleanLogLine('\u001b[36mbuild\u001b[0m: 6123\r')).toBe('build: 6123');
  expect(cleanLogLine('\u001b]0;title\u0007text\u0000')).toBe('text');
});

test('secrets are taken out before the line is cut', () => {
  const line = `${'x'.repeat(480)} --api-key ${'s'.repeat(100)}`;
  expect(cleanLogLine(line)).not.toContain('sss');
  expect(cleanLogLine(line).length).toBeLessThanOrEqual(500);
});

test('a colour code inside a flag does not hide its secret', () => {
  expect(cleanLogLine('run --api-key \u001b[1mabcdefgh\u001b[0m')).toBe('run --api-key [REDACTED]');
});
