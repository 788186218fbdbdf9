import { describe, expect, it, vi } from 'vitest';
import { buildTestApp } from '../testing/build-test-app.ts';

const ID = '0192a5b4-7c1d-7e2f-8a3b-4c5d6e7f8091';
const body = { id: ID, kind: 'model.load', target: { hostId: 'marlin', modelId: 'coder' }, whenDown: 'wait' };

async function world() {
  const { app, clock, hosts, signIn } = await buildTestApp();
  hosts.create({ id: 'marlin', label: 'marlin', url: 'http://marlin.lan:8080' });
  const operator = await signIn('operator');
  const call = (method: 'GET' | 'POST', url: string, cookie: string, payload?: object) =>
    app.inject({ method, url, headers: { cookie }, ...(payload ? { payload } : {}) });
  return { clock, hosts, operator, viewer: await signIn('viewer'), other: await signIn('operator'), call };
}

describe('intents over HTTP', () => {
  it('takes one, answers the same id of the same identity with its state, and another identity with 409', async () => {
    const { operator, other, viewer, call } = await world();
    const first = await call('POST', '/api/intents', operator, body);
    expect([first.statusCode, first.json()]).toEqual([202, { id: ID, state: 'waiting' }]);
    const again = await call('POST', '/api/intents', operator, { ...body, id: ID.toUpperCase() });
    expect([again.statusCode, again.json()]).toEqual([200, { id: ID, state: 'waiting' }]);
    const foreign = await call('POST', '/api/intents', other, body);
    expect([foreign.statusCode, foreign.json().error.code]).toEqual([409, 'conflict']);
    const seen = await call('GET', `/api/intents/${ID}`, viewer);
    expect(seen.json()).toMatchObject({
      id: ID,
      kind: 'model.load',
      target: { hostId: 'marlin', modelId: 'coder' },
      state: 'waiting',
      reason: 'Until marlin is connected.',
      evidence: null,
      transitions: [
        { state: 'received', by: 'a operator' },
        { state: 'waiting', by: 'collector' },
      ],
    });
  });

  it('cancels what is not claimed, once and again, and refuses what has ended', async () => {
    const { operator, call } = await world();
    await call('POST', '/api/intents', operator, body);
    for (const _ of [1, 2]) {
      const cancelled = await call('POST', `/api/intents/${ID}/cancel`, operator);
      expect([cancelled.statusCode, cancelled.json().state]).toEqual([200, 'cancelled']);
    }
    const gone = { ...body, id: ID.replace('0192', '0193'), target: { hostId: 'nowhere', modelId: 'x' } };
    const rejected = await call('POST', '/api/intents', operator, gone);
    expect(rejected.json()).toMatchObject({ state: 'rejected' });
    const late = await call('POST', `/api/intents/${gone.id}/cancel`, operator);
    expect([late.statusCode, late.json().error.code]).toEqual([409, 'already_ended']);
  });

  it.each([
    ['an unknown kind', { ...body, kind: 'host.explode' }],
    ['an unknown field', { ...body, force: true }],
    ['no id', { ...body, id: undefined }],
    ['no model', { ...body, target: { hostId: 'marlin' } }],
    ['a lifetime of nothing', { ...body, ttlMs: 0 }],
  ])('refuses %s with 400 and keeps nothing of it', async (_what, payload) => {
    const { operator, call } = await world();
    expect((await call('POST', '/api/intents', operator, payload)).statusCode).toBe(400);
    expect((await call('GET', `/api/intents/${ID}`, operator)).statusCode).toBe(404);
  });

  it('pauses a host until a time, and resumes it when somebody says so or the time has come', async () => {
    const { operator, clock, hosts, call } = await world();
    const isPaused = () => hosts.configs()[0]?.paused;
    const act = (number: number, kind: string, params: object = {}) =>
      call('POST', '/api/intents', operator, {
        id: ID.replace('0192', `019${number}`),
        kind,
        target: { hostId: 'marlin' },
        params,
      });
    await act(3, 'host.pause', { untilMs: clock.now() + 60_000 });
    await vi.waitUntil(() => isPaused() === true);
    clock.advance(59_000);
    expect(isPaused()).toBe(true);
    clock.advance(2_000);
    expect(isPaused()).toBe(false);
    await act(4, 'host.pause');
    await vi.waitUntil(() => isPaused() === true);
    const load = await call('POST', '/api/intents', operator, { ...body, whenDown: 'reject' });
    expect(load.json().state).toBe('rejected');
    expect((await call('GET', `/api/intents/${ID}`, operator)).json().reason).toBe(
      'Monitoring of marlin is paused.',
    );
    await act(5, 'host.resume');
    await vi.waitUntil(() => isPaused() === false);
    const past = await act(6, 'host.pause', { untilMs: clock.now() });
    expect(past.json().state).toBe('rejected');
  });

  it('takes a note on what nobody knows, says why not on anything else, and reads none that says nothing', async () => {
    const { operator, call } = await world();
    const note = (text: string) => call('POST', `/api/intents/${ID}/note`, operator, { text });
    expect((await note('It runs.')).json().error.code).toBe('not_found');
    await call('POST', '/api/intents', operator, body);
    const early = await note('It runs.');
    expect([early.statusCode, early.json().error.code]).toEqual([409, 'conflict']);
    for (const text of ['', '   ', 'x'.repeat(501)]) expect((await note(text)).statusCode).toBe(400);
  });

  it('lets viewers look and nothing else, and knows no intent that was never sent', async () => {
    const { viewer, operator, call } = await world();
    expect((await call('POST', '/api/intents', viewer, body)).statusCode).toBe(403);
    expect((await call('POST', `/api/intents/${ID}/cancel`, viewer)).statusCode).toBe(403);
    expect((await call('GET', `/api/intents/${ID}`, viewer)).statusCode).toBe(404);
    expect((await call('POST', `/api/intents/${ID}/cancel`, operator)).statusCode).toBe(404);
  });
});
