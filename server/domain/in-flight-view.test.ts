import { describe, expect, it } from 'vitest';
import {
  ageInFlight,
  emptyInFlight,
  endByActivity,
  inFlightOf,
  observeInFlight,
  type InFlightEvent,
  type InFlightView,
} from './in-flight-view.ts';
import type { ObservedActivity, ObservedInFlight } from './upstream-event.ts';

const NOW = 10_000_000;
const context = { hostId: 'marlin', trusted: true, clockOffsetMs: 0, now: NOW };

function request(id: string, changes: Partial<ObservedInFlight> = {}): ObservedInFlight {
  return {
    id,
    modelId: 'coder',
    path: '/v1/chat/completions',
    method: 'POST',
    startedAtHost: NOW - 3_000,
    responseBytes: null,
    elapsedMs: 3_000,
    source: null,
    isNamed: false,
    ...changes,
  };
}

function after(...events: InFlightEvent[]): InFlightView {
  return events.reduce((view, event) => observeInFlight(view, event, NOW), emptyInFlight);
}

function ids(view: InFlightView): string[] | null {
  return inFlightOf(view, context)?.requests?.map((row) => row.id) ?? null;
}

describe('what runs on a host', () => {
  it('is not known before the first message, and is empty after an empty snapshot', () => {
    expect(inFlightOf(emptyInFlight, context)).toBeNull();
    expect(inFlightOf(after({ type: 'in-flight-snapshot', requests: [] }), context)).toMatchObject({
      total: 0,
      requests: [],
    });
  });

  it('is a number only from v218 to v234, and not known before', () => {
    const view = after({ type: 'in-flight-total', total: 2 });
    expect(inFlightOf(view, context)).toMatchObject({ total: 2, requests: null });
    expect(inFlightOf(view, { ...context, trusted: false })).toMatchObject({ total: null, requests: null });
  });

  it('follows snapshot, upsert and remove', () => {
    const view = after(
      { type: 'in-flight-snapshot', requests: [request('1')] },
      { type: 'in-flight-upsert', request: request('2') },
      { type: 'in-flight-upsert', request: request('1', { elapsedMs: 4_000 }) },
      { type: 'in-flight-remove', id: '2' },
      { type: 'in-flight-remove', id: 'never seen' },
    );
    expect(inFlightOf(view, context)).toMatchObject({ total: 1, requests: [{ id: '1', elapsedMs: 4_000 }] });
  });

  it('computes the elapsed time where the host tells the start only, on its own clock', () => {
    const view = after({
      type: 'in-flight-snapshot',
      requests: [request('1', { elapsedMs: null, startedAtHost: NOW - 5_000 })],
    });
    expect(inFlightOf(view, { ...context, clockOffsetMs: 2_000 })?.requests?.[0]?.elapsedMs).toBe(3_000);
    expect(inFlightOf(view, { ...context, clockOffsetMs: null })?.requests?.[0]?.elapsedMs).toBeNull();
  });

  it('drops a row whose removal was lost: once its activity row is there, or after half an hour of silence', () => {
    const activity: ObservedActivity = {
      id: 9,
      modelId: 'coder',
      path: '/v1/chat/completions',
      endedAt: NOW - 1_000,
      status: 200,
      inputTokens: 1,
      outputTokens: 1,
      cachedTokens: null,
      promptPerSecond: null,
      tokensPerSecond: null,
      durationMs: 2_400,
      hasCapture: false,
      error: null,
      source: null,
      sourceCertainty: 'unknown',
    };
    const one = after({ type: 'in-flight-snapshot', requests: [request('1')] });
    const ended = endByActivity(one, activity, NOW);
    expect(ids(ageInFlight(ended, NOW + 4_000))).toEqual(['1']);
    expect(ids(ageInFlight(ended, NOW + 5_000))).toEqual([]);
    // It still runs after all: an update says so.
    const alive = observeInFlight(ended, { type: 'in-flight-upsert', request: request('1') }, NOW + 1_000);
    expect(ids(ageInFlight(alive, NOW + 6_000))).toEqual(['1']);
    // Two it could be: neither is touched.
    const two = after({ type: 'in-flight-snapshot', requests: [request('1'), request('2')] });
    expect(endByActivity(two, activity, NOW)).toBe(two);
    expect(ids(ageInFlight(one, NOW + 1_800_000))).toEqual([]);
  });

  it('is bounded', () => {
    const many = Array.from({ length: 5_000 }, (_, index) => request(String(index)));
    const view = inFlightOf(after({ type: 'in-flight-snapshot', requests: many }), context);
    expect(view?.total).toBe(5_000);
    expect(view?.requests).toHaveLength(1_000);
  });
});
