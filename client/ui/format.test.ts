import { describe, expect, test } from 'vitest';
import {
  formatAge,
  formatAgo,
  formatBytes,
  formatCount,
  formatDay,
  formatDuration,
  formatElapsed,
  formatKibibytes,
  formatMoment,
  formatRate,
  formatStamp,
  formatTime,
  plural,
} from './format.ts';

const S = 1000;
const MIN = 60 * S;
const H = 60 * MIN;
const at = new Date(2026, 10, 30, 14, 11, 4).getTime();

describe('ages', () => {
  test.each([
    [-3 * S, 'just now'],
    [4.9 * S, 'just now'],
    [5 * S, '5 s'],
    [44 * S, '40 s'],
    [59 * S, '55 s'],
    [MIN, '1 min'],
    [59.9 * MIN, '59 min'],
    [2 * H, '2 h'],
    [2 * H + 4 * MIN, '2 h 04 min'],
    [25 * H, '1 d'],
  ])('%d ms reads %s: only begun, 5 s, minutes, hours and minutes, days', (ms, words) => {
    expect(formatAge(ms)).toBe(words);
  });

  test('a stamp has seconds while it is younger than a minute, and a date after a day', () => {
    expect(formatStamp(at - 42 * S, at)).toBe('14:10:22, 40 s ago');
    expect(formatStamp(at - 19 * MIN, at)).toBe('13:52, 19 min ago');
    expect(formatStamp(at - 40 * H, at)).toBe('Sat 28 Nov, 22:11');
    expect(formatStamp(at, at)).toBe('14:11:04, just now');
  });

  test('a moment of yesterday that is younger than a day carries its date', () => {
    expect(formatStamp(at - 20 * H, at)).toBe('Sun 29 Nov, 18:11, 20 h ago');
    expect(formatAgo(at - 30 * H, at)).toBe(formatMoment(at - 30 * H, at));
  });

  test('a clock ahead of ours never gives a negative age', () => {
    expect(formatAgo(at + MIN, at)).toBe('just now');
  });
});

test('times are 24 h in the zone of the device, days carry the year when it is another one', () => {
  expect(formatTime(at)).toBe('14:11:04');
  expect(formatDay(at, at)).toBe('Mon 30 Nov');
  expect(formatDay(new Date(2025, 0, 3).getTime(), at)).toBe('Fri 3 Jan 2025');
});

test('elapsed time runs in minutes and seconds', () => {
  expect(formatElapsed(7 * S)).toBe('0:07');
  expect(formatElapsed(118 * S)).toBe('1:58');
  expect(formatElapsed(H + 2 * MIN + 3 * S)).toBe('1:02:03');
});

test.each([
  [null, '–'],
  [0, '0 ms'],
  [9, '9 ms'],
  [2200, '2.2 s'],
  [58_900, '58.9 s'],
  [59_990, '1 min 00 s'],
  [192_000, '3 min 12 s'],
  [3_840_000, '1 h 04 min'],
])('a duration of %s reads %s', (ms, words) => {
  expect(formatDuration(ms)).toBe(words);
});

test('unknown is a dash, zero is a zero', () => {
  expect(formatCount(null)).toBe('–');
  expect(formatCount(0)).toBe('0');
  expect(formatCount(3880)).toBe('3,880');
  expect(formatRate(null)).toBe('–');
  expect(formatRate(Number.NaN)).toBe('–');
  expect(formatRate(0)).toBe('0.0');
  expect(formatRate(52.14)).toBe('52.1');
  expect(formatRate(1912.4)).toBe('1,912');
  expect(formatBytes(null)).toBe('–');
  expect(formatBytes(18_400_000)).toBe('18.4 MB');
  expect(formatBytes(12_000)).toBe('12 kB');
  expect(formatBytes(10_737_400_000)).toBe('10.7 GB');
  expect(plural(1, 'host')).toBe('1 host');
  expect(plural(0, 'host')).toBe('0 hosts');
});

test('traffic is in binary units', () => {
  expect([0, 640, 18_432, 2_516_582].map(formatKibibytes)).toEqual(['0 B', '640 B', '18 KiB', '2.4 MiB']);
});
