import { describe, expect, test } from 'vitest';
import { must } from '#shared/lib/assert.ts';
import type { Host } from '#shared/schemas/host.ts';
import type { InFlight, InFlightRequest } from '#shared/schemas/in-flight.ts';
import type { LivePerson } from '#shared/schemas/live.ts';
import type { Model } from '#shared/schemas/model.ts';
import { hostOf, modelOf } from '../../data/testing/fleet.ts';
import { intentEntry } from '../../data/testing/intent-entry.ts';
import type { IntentEntry } from '../../data/intents/types.ts';
import type { ActDraft } from './act-drafts.ts';
import {
  cancelRequestDraft,
  loadDraft,
  pauseDraft,
  resumeDraft,
  unloadAllDraft,
  unloadDraft,
} from './act-drafts.ts';
import type { ActFacts } from './act-need.ts';
import { actNeed } from './act-need.ts';
import { actBlock } from './act-on.tsx';
import type { ConfirmView } from './confirm-view.ts';
import { confirmView, othersPreparing, voidWords, withWait } from './confirm-view.ts';
import { modelActions } from './model-actions.ts';
import { openIntentOn, queueLength, stoppedLoad, stopOf } from './open-intent.ts';

const now = new Date(2026, 10, 30, 14, 11, 4).getTime();

const host = (change: Partial<Host> = {}): Host =>
  hostOf({ id: 'bluefin', url: 'http://bluefin', since: now - 60_000, lastSeenAt: now, ...change });
const model = (modelId: string, change: Partial<Model> = {}): Model =>
  modelOf({ hostId: 'bluefin', modelId, since: now, observedAt: now, ...change });
const request = (id: string, modelId: string, change: Partial<InFlightRequest> = {}): InFlightRequest => ({
  id,
  modelId,
  path: '/v1/chat/completions',
  method: 'POST',
  elapsedMs: 7_000,
  observedAt: now,
  source: 'opencode',
  ...change,
});
const inFlight = (
  requests: readonly InFlightRequest[] | null,
  total = requests?.length ?? null,
): InFlight => ({
  hostId: 'bluefin',
  total,
  requests: requests === null ? null : [...requests],
  observedAt: now,
});
const facts = (change: Partial<ActFacts> = {}): ActFacts => ({
  host: host(),
  models: [model('coder'), model('other', { state: 'stopped' })],
  inFlight: inFlight([]),
  isLive: true,
  ...change,
});
const busy = facts({
  inFlight: inFlight([
    request('1', 'coder', { elapsedMs: 42_000, responseBytes: 18_432 }),
    request('2', 'coder'),
  ]),
});
const unload = unloadDraft('bluefin', 'coder');

describe('what has to be asked before it is queued', () => {
  test('an unload that cuts requests, with those it cuts', () => {
    expect(actNeed(unload, facts())).toBeNull();
    expect(actNeed(unload, busy)).toMatchObject({ ask: 'cut', cut: { count: 2 }, waits: false });
    expect(actNeed(unloadDraft('bluefin', 'other'), busy)).toBeNull();
  });

  test('an unload of which nobody knows what it cuts', () => {
    const unknown = { ask: 'cut', cut: { count: null, requests: [] }, waits: false };
    expect(actNeed(unload, facts({ inFlight: null }))).toEqual(unknown);
    // A number for the host says of one model only that nothing runs when nothing runs at all.
    expect(actNeed(unload, facts({ inFlight: inFlight(null, 3) }))).toEqual(unknown);
    expect(actNeed(unload, facts({ inFlight: inFlight(null, 0) }))).toBeNull();
    expect(actNeed(unload, { ...busy, isLive: false })).toEqual(unknown);
    expect(actNeed(unload, facts({ host: host({ liveness: 'reconnecting' }) }))).toEqual(unknown);
  });

  test('an unload of all models, always', () => {
    expect(actNeed(unloadAllDraft('bluefin'), facts())).toMatchObject({ ask: 'cut', cut: { count: 0 } });
    expect(actNeed(unloadAllDraft('bluefin'), busy)).toMatchObject({ ask: 'cut', cut: { count: 2 } });
  });

  test('not the stop of a load, which serves nobody yet', () => {
    const stop = unloadDraft('bluefin', 'coder', 'load-id');
    const starting = [model('coder', { state: 'starting' })];
    expect(actNeed(stop, facts({ models: starting, inFlight: null }))).toBeNull();
    expect(actNeed(stop, busy)).toMatchObject({ ask: 'cut' });
  });

  test('a load that wakes a machine, or can only wait', () => {
    const load = loadDraft('bluefin', 'other');
    expect(actNeed(load, busy)).toBeNull();
    expect(actNeed(load, facts({ host: host({ liveness: 'asleep' }) }))).toEqual({ ask: 'wake' });
    expect(actNeed(load, facts({ host: host({ liveness: 'down' }) }))).toEqual({ ask: 'wait' });
    expect(actNeed(load, facts({ host: host({ paused: true }) }))).toEqual({ ask: 'wait' });
    // Offline with a host that was live: it is queued on this device, nothing speaks against it.
    expect(actNeed(load, facts({ isLive: false, inFlight: null }))).toBeNull();
  });

  test('the cut of one request, with that one alone', () => {
    const need = actNeed(cancelRequestDraft('bluefin', 'coder', '1'), busy);
    expect(need).toMatchObject({ ask: 'cut', cut: { count: 1, requests: [{ id: '1' }] } });
    // A host that gives a number says nothing of this one.
    const counted = facts({ inFlight: inFlight(null, 3) });
    expect(actNeed(cancelRequestDraft('bluefin', 'coder', '1'), counted)).toMatchObject({
      cut: { count: null },
    });
  });

  test('nothing about a pause or a resume', () => {
    const drafts = [pauseDraft('bluefin'), resumeDraft('bluefin')];
    expect(drafts.map((draft) => actNeed(draft, busy))).toEqual([null, null]);
  });

  test('a viewer is told why nothing can be done', () => {
    expect(actBlock({ status: 'signed-in', role: 'viewer' })).toBe('Your role is viewer: you may look.');
    expect(actBlock({ status: 'signed-in', role: 'operator' })).toBeNull();
    expect(actBlock({ status: 'signed-out', role: null })).toBe('Sign in to act.');
  });
});

describe('the confirm sheet', () => {
  const view = (draft: ActDraft, known: ActFacts): ConfirmView =>
    confirmView(draft, must(actNeed(draft, known), 'a need'), {
      facts: known,
      label: 'bluefin',
      now,
      heardAt: now - 1_000,
    });
  const labels = (shown: ConfirmView): readonly string[] => shown.choices.map(({ label }) => label);

  test('names host, model and count, and who is cut off', () => {
    const shown = view(unload, busy);
    expect(shown.title).toBe('Unload coder on bluefin?');
    expect(shown.lead).toBe('2 requests are running on it.');
    expect(shown.text).toBe('They will be cut off, and their callers get half an answer.');
    expect(shown.rows.map(({ title, detail, elapsed }) => [title, detail, elapsed])).toEqual([
      ['opencode', '18 KiB received', '0:42'],
      ['opencode', '/v1/chat/completions', '0:07'],
    ]);
    expect(labels(shown)).toEqual(['Unload and cut 2 requests', 'Unload only if idle']);
    expect(shown.keep).toBe('Keep it loaded');
    expect(shown.note).toContain('Counted live, just now.');
  });

  test('hands on what was shown, or the condition instead', () => {
    const [cut, idle] = view(unload, busy).choices;
    expect(cut?.draft.confirm).toEqual({ hostId: 'bluefin', modelId: 'coder', inFlight: 2 });
    expect(idle?.draft).toMatchObject({ precondition: { inFlightMax: 0 } });
    expect(idle?.draft.confirm).toBeUndefined();
  });

  test('says that the count is not known, and why', () => {
    const old = view(unload, facts({ inFlight: inFlight(null, null) }));
    expect(labels(old)[0]).toBe('Unload whatever runs: count unknown');
    expect(old.choices[0]?.draft.confirm).toEqual({ hostId: 'bluefin', modelId: 'coder', inFlight: null });
    expect(old.note).toBe('bluefin does not say what runs.');
    // "Only if idle" could never come true there.
    expect(labels(old)).toHaveLength(1);
    expect(labels(view(unload, { ...busy, isLive: false }))).toContain('Unload only if idle');
    const away = { ...busy, isLive: false };
    expect(labels(view(unload, { ...away, host: host({ features: ['activity'] }) }))).toHaveLength(1);
    expect(labels(view(unload, { ...away, host: host({ features: ['in-flight'] }) }))).toHaveLength(2);
    expect(view(unload, away).note).toContain('sent when you are back');
    expect(view(unload, facts({ inFlight: inFlight(null, 3) })).note).toContain(
      'does not say on which model',
    );
  });

  test('of all models lists what is loaded', () => {
    const shown = view(unloadAllDraft('bluefin'), facts());
    expect(shown.lead).toBe('Nothing runs here now.');
    expect(shown.text).toBe('Loaded now: coder.');
    expect(labels(shown)[0]).toBe('Unload all');
    expect(shown.choices[0]?.draft.confirm).toEqual({ hostId: 'bluefin', inFlight: 0 });
    expect(labels(view(unloadAllDraft('bluefin'), busy))[0]).toBe('Unload all and cut 2 requests');
  });

  test('of one request names it, its host and model, who asked for it and for how long it has run', () => {
    const cancel = cancelRequestDraft('bluefin', 'coder', '1');
    const shown = view(cancel, busy);
    expect(shown.title).toBe('Cancel request 1 of coder on bluefin?');
    expect(`${shown.lead} ${shown.text}`).toBe(
      'It is running now. It will be cut off, and its caller gets half an answer.',
    );
    expect(shown.rows.map(({ title, detail, elapsed }) => [title, detail, elapsed])).toEqual([
      ['opencode', '18 KiB received', '0:42'],
    ]);
    expect([...labels(shown), shown.keep]).toEqual(['Cut this request of coder', 'Let it run']);
    expect(shown.choices[0]?.draft).toMatchObject({ params: { requestId: '1' }, confirm: { inFlight: 1 } });
    // It ends while the sheet is open: there is nothing left to press.
    const ended = view(cancel, facts());
    expect([ended.lead, ended.choices, ended.keep]).toEqual(['It has ended by itself.', [], 'Close']);
    const unheard = view(cancel, { ...busy, isLive: false });
    expect(unheard.lead).toBe('Whether it still runs is not known.');
    expect(unheard.note).toContain('sent when you are back');
  });

  test('says that a load wakes the machine', () => {
    const shown = view(loadDraft('bluefin', 'other'), facts({ host: host({ liveness: 'asleep' }) }));
    expect(shown.lead).toBe('bluefin is asleep; this will wake the machine.');
    expect(labels(shown)).toEqual(['Wake bluefin and load']);
    expect(shown.choices[0]?.draft.confirm).toMatchObject({ hostId: 'bluefin', modelId: 'other' });
  });

  test('of a host that is away asks whether and how long it may wait', () => {
    const shown = view(loadDraft('bluefin', 'other'), facts({ host: host({ liveness: 'down' }) }));
    expect([shown.title, shown.lead, shown.waits]).toEqual([
      'Load other when bluefin is back?',
      'bluefin is down.',
      true,
    ]);
    const [choice] = shown.choices;
    expect(choice?.draft.whenDown).toBe('wait');
    expect(withWait(must(choice, 'a choice').draft, '1h').ttlMs).toBe(3_600_000);
    expect(withWait(must(choice, 'a choice').draft, '5m').ttlMs).toBeUndefined();
    expect(voidWords('1h', now)).toBe('Void at 15:11 if it could not be done by then.');
    const asleep = view(unload, facts({ host: host({ liveness: 'asleep' }), inFlight: null }));
    expect(asleep.choices.map(({ draft }) => draft.whenDown)).toEqual(['wait', 'wait']);
  });

  test('names others who prepare the same, and nobody else', () => {
    const person = (label: string, modelId: string | null): LivePerson => ({
      deviceId: label,
      label,
      since: now,
      preparing: modelId === null ? null : { kind: 'model.unload', modelId },
    });
    const at = (people: readonly LivePerson[]): string | null =>
      othersPreparing({ hostId: 'bluefin', people: [...people], more: 0 }, unload, 'me');
    expect(at([person('ben', 'coder'), person('me', 'coder')])).toBe('ben is preparing the same.');
    expect(at([person('ben', 'coder'), person('eva', 'coder')])).toBe(
      'ben and 1 more are preparing the same.',
    );
    expect(at([person('ben', 'other'), person('eva', null)])).toBeNull();
    expect(othersPreparing(null, unload, 'me')).toBeNull();
  });
});

const entry = (change: Partial<IntentEntry> = {}): IntentEntry =>
  intentEntry({ id: 'a', kind: 'model.load', target: { hostId: 'bluefin', modelId: 'coder' }, ...change });

describe('what is under way for a row', () => {
  const coder = { modelId: 'coder', requestId: null };

  test('is the own one first, then the newest, and nothing that ended', () => {
    const theirs = entry({ id: 'b', isMine: false, state: 'running' });
    expect(openIntentOn([theirs, entry()], coder)?.id).toBe('a');
    expect(openIntentOn([theirs, entry({ state: 'succeeded' })], coder)?.id).toBe('b');
    expect(openIntentOn([entry({ state: 'rejected' })], coder)).toBeNull();
  });

  test('belongs to a model, to a request, or to the host', () => {
    const cancel = entry({ id: 'c', kind: 'request.cancel', params: { requestId: '7' } });
    const pause = entry({ id: 'p', kind: 'host.pause', target: { hostId: 'bluefin' } });
    const all = [cancel, pause, entry()];
    expect(openIntentOn(all, coder)?.id).toBe('a');
    expect(openIntentOn(all, { modelId: null, requestId: '7' })?.id).toBe('c');
    expect(openIntentOn(all, { modelId: null, requestId: '8' })).toBeNull();
    expect(openIntentOn(all, { modelId: null, requestId: null })?.id).toBe('p');
  });

  test('can be cancelled by its author until it is claimed; a running load is aborted by anyone', () => {
    expect(stopOf(entry())).toEqual({ how: 'cancel', label: 'Cancel', id: 'a' });
    expect(stopOf(entry({ isMine: false }))).toBeNull();
    expect(stopOf(entry({ cancelAsked: true }))).toBeNull();
    expect(stopOf(entry({ state: 'running', kind: 'model.unload' }))).toBeNull();
    expect(stopOf(entry({ state: 'running', isMine: false }))).toEqual({
      how: 'abort',
      label: 'Abort',
      draft: unloadDraft('bluefin', 'coder', 'a'),
    });
  });

  test('is stopped by an unload of all when it waits for what is unloaded', () => {
    const waits = entry({ state: 'running', code: 'waiting_behind', isMine: false });
    expect(stoppedLoad([waits], unloadAllDraft('bluefin'))).toBe(
      'Load coder (ana-phone), which waits for them, is stopped too.',
    );
    expect(stoppedLoad([waits], unload)).toBeNull();
    expect(stoppedLoad([entry({ state: 'running' })], unloadAllDraft('bluefin'))).toBeNull();
  });

  test('fills the queue while it waits at the collector, unless it passes it', () => {
    const waiting = [
      entry({ state: 'waiting' }),
      entry({ state: 'received', kind: 'model.unload' }),
      entry({ state: 'waiting', kind: 'request.cancel' }),
      entry({ state: 'running' }),
      entry({ state: 'queued' }),
    ];
    expect(queueLength(waiting)).toBe(2);
  });
});

test('what can be done with a model follows from its state', () => {
  const labels = (state: string, change: Partial<Model> = {}): readonly string[] =>
    modelActions(model('coder', { state, ...change }), null).actions.map(({ label }) => label);
  expect(labels('ready')).toEqual(['Unload']);
  expect(labels('stopped')).toEqual(['Load']);
  expect(labels('starting')).toEqual(['Abort start']);
  expect(labels('stopping')).toEqual([]);
  expect(labels('sleeping')).toEqual(['Load', 'Unload']);
  expect(labels('unknown', { peerId: 'heron' })).toEqual([]);
  const [abort] = modelActions(model('coder', { state: 'starting' }), entry({ state: 'running' })).actions;
  expect(abort?.draft.supersedes).toBe('a');
});
