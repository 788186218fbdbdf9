import type { CodeStanding } from '../domain/pairing-policy.ts';
import { AppError } from '../errors.ts';

/** For whoever waits to be let in, and waited too long. */
export function tooLate(): AppError {
  return new AppError('gone', 'This request to be let in ran out; ask for a new code.');
}

/** Throws while an address or a maker has tried too often. */
export function refuseTooMany(retryAfterMs: number): void {
  if (retryAfterMs === 0) return;
  throw new AppError('rate_limited', 'Too many tries; wait a while and try again.', { retryAfterMs });
}

/** Why a code lets nobody in. */
export function codeRefusal(standing: Exclude<CodeStanding, 'open'>): AppError {
  switch (standing) {
    case 'used':
      return new AppError('code_used', 'This code was used already; each code pairs one device.');
    case 'expired':
      return new AppError('gone', 'This code ran out; make a new one.');
    case 'unknown':
      return new AppError('bad_code', 'This is not a valid pairing code.');
  }
}
