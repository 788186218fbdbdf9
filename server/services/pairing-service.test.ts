import { describe, expect, it, vi } from 'vitest';
import { verifyAudit } from '../adapters/sqlite/audit-chain.ts';
import { CLI_ACTOR } from '../domain/audit-log.ts';
import {
  CHANGE_LIMIT,
  CODE_MS,
  COLLECT_MS,
  OPEN_PER_MAKER,
  POLL_AFTER_MS,
} from '../domain/pairing-policy.ts';
import { accessWorld, refusal } from '../testing/access-world.ts';

describe('a code of the first start or the command line', () => {
  it('makes the first device an admin, once, compared exactly', () => {
    const { pairing, pair, admitted, whoIs } = accessWorld();
    expect(pairing.firstStartCode('MyCode-42')).toBe('MyCode-42');
    expect(refusal(() => pair('mycode-42')).code).toBe('bad_code');
    expect(refusal(() => pair(' MyCode-42')).code).toBe('bad_code');
    const { device, session } = admitted('MyCode-42');
    expect(device).toMatchObject({ label: 'phone', role: 'admin' });
    expect(whoIs(session)).toMatchObject({ kind: 'device', id: device.id, role: 'admin' });
    expect(refusal(() => pair('MyCode-42')).code).toBe('code_used');
  });

  it('is nothing once a device exists, at this start and at later ones', () => {
    const { pairing, pair, signedIn } = accessWorld();
    pairing.firstStartCode('MyCode-42');
    signedIn('viewer');
    expect(refusal(() => pair('MyCode-42')).code).toBe('bad_code');
    expect(pairing.firstStartCode('Another-1')).toBeNull();
    expect(refusal(() => pair('Another-1')).code).toBe('bad_code');
  });

  it('is forgotten when it was the random one of the start before', () => {
    const { pairing, pair, admitted } = accessWorld();
    const first = pairing.firstStartCode(null) ?? '';
    const second = pairing.firstStartCode(null) ?? '';
    expect(second).not.toBe(first);
    expect(refusal(() => pair(first)).code).toBe('bad_code');
    expect(admitted(second).device.role).toBe('admin');
  });

  it('runs out when it came from the command line', () => {
    const { pairing, pair, clock } = accessWorld();
    const { code, expiresAt } = pairing.issueCode('admin');
    clock.advance(expiresAt - clock.now());
    expect(refusal(() => pair(code)).code).toBe('gone');
  });

  it('makes an address wait after ten wrong ones, the right one included, and no other address', () => {
    const { pairing, pair, admitted, clock } = accessWorld();
    const { code } = pairing.issueCode('viewer');
    for (let wrong = 0; wrong < 10; wrong += 1)
      expect(refusal(() => pair('WRONG-CODE')).code).toBe('bad_code');
    const limited = refusal(() => pair(code));
    expect(limited.code).toBe('rate_limited');
    expect(limited.retryAfterMs).toBe(60_000);
    const other = pairing.issueCode('viewer');
    expect(admitted(other.code, '10.0.0.2').device.role).toBe('viewer');
    clock.advance(60_000);
    expect(admitted(code).device.role).toBe('viewer');
  });
});

describe('a code made on a device', () => {
  it('lets nobody in before its maker says so, and shows the maker who asks', () => {
    const { pairing, signedIn, waiting, poll, whoIs, clock } = accessWorld();
    const maker = signedIn('operator').identity;
    const { code, expiresAt } = pairing.createCode(maker, 'viewer');
    expect(expiresAt).toBe(clock.now() + CODE_MS);
    const { requestId, pollAfterMs } = waiting(code, '192.168.1.9');
    expect(pollAfterMs).toBe(POLL_AFTER_MS);
    expect(poll(requestId)).toMatchObject({ kind: 'waiting', requestId });
    const requests = pairing.requests(maker);
    expect(requests).toEqual([
      {
        id: expect.not.stringContaining(requestId),
        label: 'phone',
        address: '192.168.1.9',
        userAgent: 'Firefox',
        role: 'viewer',
        at: clock.now(),
        expiresAt: clock.now() + CODE_MS,
        madeBy: maker.label,
      },
    ]);
    pairing.decide(maker, requests[0]?.id ?? '', { decision: 'allow' });
    const outcome = poll(requestId);
    expect(outcome).toMatchObject({ kind: 'paired', device: { label: 'phone', role: 'viewer' } });
    expect(whoIs(outcome.kind === 'paired' ? outcome.session : '')).toMatchObject({ role: 'viewer' });
    expect(pairing.requests(maker)).toEqual([]);
  });

  it('gives the same session to an applicant whose answer was lost, and no second device', () => {
    const { pairing, signedIn, waiting, poll, auth } = accessWorld();
    const maker = signedIn('admin').identity;
    const { requestId } = waiting(pairing.createCode(maker, 'admin').code);
    pairing.decide(maker, pairing.requests(maker)[0]?.id ?? '', { decision: 'allow' });
    const first = poll(requestId);
    expect(poll(requestId)).toEqual(first);
    expect(auth.liveDevices()).toHaveLength(2);
  });

  it('is used by the first who types it', () => {
    const { pairing, signedIn, waiting, pair } = accessWorld();
    const maker = signedIn('admin').identity;
    const { code } = pairing.createCode(maker, 'viewer');
    waiting(code);
    expect(refusal(() => pair(code, '10.0.0.3')).code).toBe('code_used');
    expect(pairing.requests(maker)).toHaveLength(1);
  });

  it('is refused, decided once, and runs out', () => {
    const { pairing, signedIn, waiting, poll, clock } = accessWorld();
    const maker = signedIn('admin').identity;
    const refused = waiting(pairing.createCode(maker, 'viewer').code);
    const id = pairing.requests(maker)[0]?.id ?? '';
    pairing.decide(maker, id, { decision: 'refuse' });
    expect(refusal(() => poll(refused.requestId)).code).toBe('refused');
    expect(refusal(() => pairing.decide(maker, id, { decision: 'allow' })).code).toBe('conflict');

    const late = waiting(pairing.createCode(maker, 'viewer').code);
    const lateId = pairing.requests(maker)[0]?.id ?? '';
    clock.advance(CODE_MS);
    expect(pairing.requests(maker)).toEqual([]);
    expect(refusal(() => poll(late.requestId)).code).toBe('gone');
    expect(refusal(() => pairing.decide(maker, lateId, { decision: 'allow' })).code).toBe('gone');
  });

  it('leaves time to hear a yes of the last second, and not for ever', () => {
    const { pairing, signedIn, waiting, poll, clock } = accessWorld();
    const maker = signedIn('admin').identity;
    const [heard, unheard] = [0, 1].map(() => waiting(pairing.createCode(maker, 'viewer').code));
    clock.advance(CODE_MS - 1);
    for (const { id } of pairing.requests(maker)) pairing.decide(maker, id, { decision: 'allow' });
    clock.advance(COLLECT_MS - 1);
    expect(poll(heard?.requestId ?? '').kind).toBe('paired');
    clock.advance(1);
    expect(refusal(() => poll(unheard?.requestId ?? '')).code).toBe('gone');
  });

  it('gives at most what its maker may give, when made, typed and allowed', () => {
    const { pairing, devices, signedIn, waiting, pair } = accessWorld();
    const admin = signedIn('admin').identity;
    const operator = signedIn('operator').identity;
    expect(refusal(() => pairing.createCode(operator, 'admin')).code).toBe('forbidden');
    const early = pairing.createCode(operator, 'operator').code;
    waiting(pairing.createCode(operator, 'operator').code);
    devices.patch(admin, operator.id, { role: 'viewer' });
    expect(refusal(() => pair(early)).code).toBe('bad_code');
    const id = pairing.requests(admin)[0]?.id ?? '';
    const now = { ...operator, role: 'viewer' } as const;
    expect(refusal(() => pairing.decide(now, id, { decision: 'allow' })).code).toBe('forbidden');
    expect(refusal(() => pairing.decide(now, id, { decision: 'allow', role: 'admin' })).code).toBe(
      'forbidden',
    );
    pairing.decide(now, id, { decision: 'allow', role: 'viewer' });
  });

  it('is seen and decided by its maker and by admins, and by nobody else', () => {
    const { pairing, signedIn, waiting, poll, withKey } = accessWorld();
    const maker = signedIn('viewer').identity;
    const other = signedIn('operator').identity;
    const admin = signedIn('admin').identity;
    const { requestId } = waiting(pairing.createCode(maker, 'viewer').code);
    expect(pairing.requests(other)).toEqual([]);
    const id = pairing.requests(admin)[0]?.id ?? '';
    expect(refusal(() => pairing.decide(other, id, { decision: 'allow' })).code).toBe('not_found');
    expect(refusal(() => poll(id)).code).toBe('gone');
    pairing.decide(admin, id, { decision: 'allow', role: 'operator' });
    expect(poll(requestId)).toMatchObject({ device: { role: 'operator' } });
    expect(refusal(() => pairing.createCode(withKey('operator'), 'viewer')).code).toBe('forbidden');
    expect(pairing.createCode(withKey('admin'), 'viewer').code).toMatch(/^[A-Z2-9-]+$/);
  });

  it('ends with its maker, and so does every request it brought', () => {
    const { auth, pairing, devices, signedIn, withKey, waiting, poll, pair } = accessWorld();
    const admin = signedIn('admin').identity;
    const makers = [signedIn('admin').identity, signedIn('admin').identity, withKey('admin')];
    const open = makers.map((maker) => pairing.createCode(maker, 'viewer').code);
    const asked = makers.map((maker) => waiting(pairing.createCode(maker, 'viewer').code));
    devices.revoke(admin, makers[0]?.id ?? '');
    if (makers[1]) auth.signOut(makers[1]);
    auth.revokeKey(makers[2]?.id ?? '', CLI_ACTOR);
    for (const code of open) expect(refusal(() => pair(code)).code).toBe('bad_code');
    for (const { requestId } of asked) expect(refusal(() => poll(requestId)).code).toBe('refused');
    expect(pairing.requests(admin)).toEqual([]);
  });

  it('cannot flood its maker with requests', () => {
    const { pairing, signedIn, waiting, pair } = accessWorld();
    const maker = signedIn('admin').identity;
    for (let asked = 0; asked < OPEN_PER_MAKER; asked += 1) waiting(pairing.createCode(maker, 'viewer').code);
    const { code } = pairing.createCode(maker, 'viewer');
    expect(refusal(() => pair(code)).code).toBe('rate_limited');
    pairing.decide(maker, pairing.requests(maker)[0]?.id ?? '', { decision: 'refuse' });
    // The code was not used up by the try that found no room.
    expect(pair(code).kind).toBe('waiting');
  });

  it('is not made without end', () => {
    const { pairing, signedIn } = accessWorld();
    const maker = signedIn('viewer').identity;
    for (let made = 0; made < CHANGE_LIMIT.max; made += 1) pairing.createCode(maker, 'viewer');
    expect(refusal(() => pairing.createCode(maker, 'viewer')).code).toBe('rate_limited');
  });

  it('makes an address wait after ten wrong polls', () => {
    const { pairing, signedIn, waiting, poll } = accessWorld();
    const { requestId } = waiting(pairing.createCode(signedIn('admin').identity, 'viewer').code);
    for (let wrong = 0; wrong < 10; wrong += 1) expect(refusal(() => poll('guess')).code).toBe('gone');
    expect(refusal(() => poll(requestId)).code).toBe('rate_limited');
  });

  it('lets a revoked device not come back by its old request', () => {
    const { pairing, devices, signedIn, waiting, poll } = accessWorld();
    const maker = signedIn('admin').identity;
    const { requestId } = waiting(pairing.createCode(maker, 'viewer').code);
    pairing.decide(maker, pairing.requests(maker)[0]?.id ?? '', { decision: 'allow' });
    const outcome = poll(requestId);
    devices.revoke(maker, outcome.kind === 'paired' ? outcome.device.id : '');
    expect(refusal(() => poll(requestId)).code).toBe('gone');
  });

  it('tells its maker when somebody asks and when that was answered', () => {
    const { pairing, signedIn, waiting } = accessWorld();
    const told = vi.fn<(madeBy: string) => void>();
    pairing.onRequestsChanged(told);
    const maker = signedIn('admin').identity;
    waiting(pairing.createCode(maker, 'viewer').code);
    expect(told.mock.calls).toEqual([[maker.id]]);
    pairing.decide(maker, pairing.requests(maker)[0]?.id ?? '', { decision: 'refuse' });
    expect(told).toHaveBeenCalledTimes(2);
  });
});

describe('what is kept', () => {
  it('holds neither codes nor sessions nor keys nor the secrets of applicants', () => {
    const { auth, pairing, signedIn, waiting, poll, store, log } = accessWorld();
    const { identity, session } = signedIn('admin');
    const { code } = pairing.createCode(identity, 'viewer');
    const { requestId } = waiting(code);
    pairing.decide(identity, pairing.requests(identity)[0]?.id ?? '', { decision: 'allow' });
    const outcome = poll(requestId);
    const given = outcome.kind === 'paired' ? outcome.session : '';
    const { key } = auth.createKey({ label: 'ci', role: 'viewer' }, CLI_ACTOR);
    const tables = ['device', 'api_key', 'pairing_code', 'pairing_request', 'audit'].map((table) =>
      store.connection.statement(`SELECT * FROM ${table}`).all(),
    );
    const kept = JSON.stringify([tables, log.lines]);
    expect(given).toHaveLength(43);
    for (const secret of [code, session, key, requestId, given]) expect(kept).not.toContain(secret);
  });

  it('says in the audit log who let whom in', () => {
    const { pairing, signedIn, waiting, poll, store, actions } = accessWorld();
    const { identity } = signedIn('admin');
    const { requestId } = waiting(pairing.createCode(identity, 'operator').code);
    const id = pairing.requests(identity)[0]?.id ?? '';
    pairing.decide(identity, id, { decision: 'allow', role: 'viewer' });
    poll(requestId);
    expect(actions()).toEqual([
      'pairing-code.create',
      'device.pair',
      'pairing-code.create',
      'pairing.ask',
      'pairing.allow',
      'device.pair',
    ]);
    const allowed = store.audit.read({ afterId: 4, limit: 1 })[0];
    expect(allowed).toMatchObject({
      actor: { kind: 'device', id: identity.id },
      target: id,
      detail: { label: 'phone', address: '10.0.0.1', role: 'viewer' },
    });
    expect(verifyAudit(store.audit)).toMatchObject({ ok: true, records: 6 });
  });
});
