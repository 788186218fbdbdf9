import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { boundedText } from './bounded-text.ts';

test('short text stays as it is, also outside ASCII', () => {
  expect(boundedText('模型 ü 🦙', 20)).toBe('模型 ü 🦙');
});

test('long text is cut at a whole character and says so', () => {
  expect(boundedText('abcdef', 4)).toBe('abc…');
  expect(boundedText('ab🦙🦙', 4)).toBe('ab…');
});

test('NULs and lone surrogates become U+FFFD', () => {
  expect(boundedText('a\0b\ud800c', 10)).toBe('a\uFFFDb\uFFFDc');
});

test('whatever comes, the result is well formed, free of NUL and within its bound', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.integer({ min: 1, max: 20 }), (text, maxLength) => {
      const bounded = boundedText(text, maxLength);
      expect(bounded.length).toBeLessThanOrEqual(maxLength);
      expect(bounded.isWellFormed()).toBe(true);
      expect(bounded).not.toContain('\0');
    }),
  );
});
