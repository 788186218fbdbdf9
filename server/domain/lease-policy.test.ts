import { describe, expect, it } from 'vitest';
import { freeLease, grantLease, holdsLease, LEASE_MS, renewLease } from './lease-policy.ts';

const asked = { hostId: 'marlin', holder: 'a', purpose: 'Load coder', lastsMs: 600_000 };

describe('a lease', () => {
  it('is one at a time, with a token that only rises', () => {
    const first = grantLease(null, asked, 0);
    expect(first).toMatchObject({ token: 1, holder: 'a', since: 0, endsBy: 600_000 });
    expect(grantLease(first, { ...asked, holder: 'b' }, 10)).toBeNull();
    const freed = freeLease(first, 1);
    expect(freed).toMatchObject({ token: 1, holder: null });
    expect(grantLease(freed, { ...asked, holder: 'b' }, 20)).toMatchObject({ token: 2, holder: 'b' });
  });

  it('ends without a heartbeat, and its old token can do nothing any more', () => {
    const first = grantLease(null, asked, 0);
    const late = renewLease(first, 1, LEASE_MS - 1);
    expect(late?.expiresAt).toBe(2 * LEASE_MS - 1);
    expect(renewLease(first, 1, LEASE_MS)).toBeNull();
    const second = grantLease(first, { ...asked, holder: 'b' }, LEASE_MS);
    expect(second).toMatchObject({ token: 2, holder: 'b' });
    expect(holdsLease(second, 1, LEASE_MS)).toBe(false);
    expect(freeLease(second, 1)).toBeNull();
    expect(renewLease(second, 1, LEASE_MS)).toBeNull();
  });
});
