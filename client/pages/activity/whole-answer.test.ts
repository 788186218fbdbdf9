import { expect, test } from 'vitest';
import { wholeAnswer } from './whole-answer.ts';

const AWAY = 'The collector is away.';
const answered = { askedAt: 1_780_000_000_000, problem: null, countsProblem: null };

test('the collector answers, and is waited for while nothing is wrong', () => {
  expect(wholeAnswer(answered)).toEqual({ answeredBy: 'collector', problem: null });
  expect(wholeAnswer({ ...answered, askedAt: null })).toEqual({ answeredBy: 'collector', problem: null });
});

test('this device answers only while the collector has answered nothing', () => {
  expect(wholeAnswer({ ...answered, askedAt: null, problem: AWAY })).toEqual({
    answeredBy: 'device',
    problem: AWAY,
  });
  expect(wholeAnswer({ ...answered, problem: AWAY })).toEqual({ answeredBy: 'collector', problem: AWAY });
});

test('that nothing could be counted is said, after what is worse', () => {
  const uncounted = { ...answered, countsProblem: 'Too busy.' };
  expect(wholeAnswer(uncounted).problem).toBe('The requests could not be counted. Too busy.');
  expect(wholeAnswer({ ...uncounted, problem: AWAY }).problem).toBe(AWAY);
});
