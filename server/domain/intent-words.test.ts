import { describe, expect, it } from 'vitest';
import { requestsRunning, spanWords } from './intent-words.ts';

describe('words of an intent', () => {
  it('never says that something took no time', () => {
    expect([0.4, 280, 999, 1000, 8700, 90_000, 3 * 3_600_000].map(spanWords)).toEqual([
      '1 ms',
      '280 ms',
      '999 ms',
      '1 s',
      '9 s',
      '2 min',
      '3 h',
    ]);
    expect(spanWords(0)).toBe('0 s');
  });

  it('counts what runs now, and says when nobody does', () => {
    expect([0, 1, 2, null].map(requestsRunning)).toEqual([
      '0 requests run there',
      '1 request runs there',
      '2 requests run there',
      'how many requests run there is not known',
    ]);
  });
});
