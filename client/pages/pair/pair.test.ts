import { describe, expect, it, test } from 'vitest';
import type { ApiError } from '../../data/types.ts';
import { defaultDeviceName } from './device-name.ts';
import { pairProblem, waitWords } from './pair-words.ts';
import { pairingCodeOf } from './pairing-code.ts';
import { scannedCode } from './scan-code.ts';

function refusal(code: string, more: Partial<ApiError> = {}): ApiError {
  return { ok: false, status: 403, code, message: 'm', retryAfterMs: null, details: [], ...more };
}

test.each([
  ['#pair=K7QM-4T2X', 'K7QM-4T2X'],
  ['#pair=k7qm-4t2x', 'k7qm-4t2x'],
  ['#pair=', null],
  ['#main', null],
  ['', null],
])('the fragment %s holds the code %s', (hash, code) => {
  expect(pairingCodeOf(hash)).toBe(code);
});

describe('refusals in words', () => {
  test('stand at the code when the code is at fault', () => {
    expect(pairProblem(refusal('bad_code'))).toMatchObject({ field: 'code', waitMs: null });
    expect(pairProblem(refusal('code_used')).words).toContain('already used');
  });

  test('too many tries say how long to wait', () => {
    expect(pairProblem(refusal('rate_limited', { retryAfterMs: 40_000 })).waitMs).toBe(40_000);
    expect(pairProblem(refusal('rate_limited')).waitMs).toBe(60_000);
    expect(waitWords(39_400)).toBe('Too many tries. Next one in 40 s.');
  });

  test('no answer is not the fault of the code', () => {
    expect(pairProblem(refusal('network', { status: null })).field).toBe('form');
  });

  test('a refused name stands at the name', () => {
    const details = [{ path: 'body.label', message: 'a name is needed' }];
    expect(pairProblem(refusal('bad_request', { details }))).toMatchObject({
      field: 'label',
      words: 'a name is needed',
    });
  });
});

test('the name to start from says what the device is', () => {
  expect(defaultDeviceName('Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)')).toBe('iphone');
  expect(defaultDeviceName('Mozilla/5.0 (Linux; Android 16; Pixel) Chrome/148 Mobile')).toBe('android-phone');
  expect(defaultDeviceName('curl/8')).toBe('browser');
});

describe('a scanned text', () => {
  it('is a pairing link or a code, and nothing else', () => {
    expect(scannedCode('https://drover.lan/#pair=K7QM-4T2X')).toBe('K7QM-4T2X');
    expect(scannedCode(' K7QM-4T2X\n')).toBe('K7QM-4T2X');
    expect(scannedCode('https://drover.lan/settings')).toBe(null);
    expect(scannedCode('WIFI:T:WPA;S:guest network;;')).toBe(null);
    expect(scannedCode('')).toBe(null);
  });
});
