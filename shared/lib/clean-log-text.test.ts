import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { cleanLogText, withoutColours } from './clean-log-text.ts';

test.each([
  ['\u001b[1;31mCUDA error\u001b[0m: x', '\u001b[1;31mCUDA error\u001b[0m: x'],
  ['\u001b[2K\u001b[1Gdone\u001b]0;title\u0007 \u001b(B', 'done '],
  ['10 %\r55 %\r100 %\r', '100 %'],
  ['a\tb\u0000\u0008c\u001b', 'a\tbc'],
  ['\u001b[38:5:208mx', 'x'],
  // A secret may be cut by colours: those of its line go.
  ['\u001b[32m--api-key\u001b[0m \u001b[1msk-secret-in-cmd\u001b[0m', '--api-key [REDACTED]'],
])('%j is shown as %j', (line, expected) => {
  expect(cleanLogText(line)).toBe(expected);
});

test('a long line is cut, whatever it holds', () => {
  const line = cleanLogText(`\u001b[31m${'ä\u001b[0m\u001b[31m'.repeat(9_000)}`);
  expect(line.length).toBeLessThanOrEqual(2_000);
});

test('what is shown has no terminal code but colours, and doing it twice changes nothing', () => {
  const piece = fc.constantFrom(
    '\u001b',
    '[',
    '31',
    'm',
    ';',
    ':',
    '0',
    'K',
    'text',
    '\r',
    '\u009b',
    ']',
    '\u0007',
    ' ',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
      const shown = cleanLogText(pieces.join(''));
      expect(withoutColours(shown)).not.toMatch(/[^\t\u0020-\u007e]/);
      expect(cleanLogText(shown)).toBe(shown);
    }),
  );
});

test('known keys are taken out', () => {
  expect(cleanLogText('sent \u001b[1mswordfish\u001b[0m', ['swordfish'])).toBe('sent [REDACTED]');
});
