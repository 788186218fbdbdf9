import { expect, test } from 'vitest';
import type { ModelEvent } from '#shared/schemas/model.ts';
import type { LaneFacts } from './model-lanes.ts';
import { laneStateAt, modelLanes } from './model-lanes.ts';

const NOW = 1_000_000;
const ALL = { from: 0, to: NOW };

function event(modelId: string, at: number, change: string, reason: string | null = null): ModelEvent {
  const [from = '', to = ''] = change.split('>');
  return {
    type: 'model-event',
    hostId: 'marlin',
    modelId,
    at,
    from: from === '' ? null : from,
    to,
    reason,
    lines: [],
  };
}

function lanesOf(change: Partial<LaneFacts>, bounds = ALL) {
  const facts: LaneFacts = {
    models: [],
    events: [],
    eventsFrom: 0,
    serving: [],
    running: [],
    knownUntil: NOW,
    unseen: [],
    ...change,
  };
  return modelLanes(facts, bounds);
}

test('a model that was loaded and unloaded has a ramp up, a box, a ramp down, and is known to rest around it', () => {
  const events = [
    event('coder', 100, 'stopped>starting'),
    event('coder', 200, 'starting>ready'),
    event('coder', 700, 'ready>stopping'),
    event('coder', 750, 'stopping>stopped'),
  ];
  const [lane] = lanesOf({ events });
  expect(lane?.spans).toEqual([
    { kind: 'off', from: 0, to: 100 },
    { kind: 'starting', from: 100, to: 200 },
    { kind: 'ready', from: 200, to: 700 },
    { kind: 'stopping', from: 700, to: 750 },
    { kind: 'off', from: 750, to: NOW },
  ]);
  expect([50, 150, 200, 699, 700, NOW].map((at) => lane && laneStateAt(lane, at))).toEqual([
    'stopped',
    'starting',
    'ready',
    'ready',
    'stopping',
    'stopped',
  ]);
});

test('the state before the first transition is what it says it was, as far back as transitions are known', () => {
  const events = [event('coder', 600, 'ready>stopping')];
  expect(lanesOf({ events, eventsFrom: 400 })[0]?.spans[0]).toEqual({ kind: 'ready', from: 400, to: 600 });
  const unseen = [event('coder', 600, '>ready')];
  expect(lanesOf({ events: unseen })[0]?.spans).toEqual([{ kind: 'ready', from: 600, to: NOW }]);
});

test('transitions after what is shown tell the states in it', () => {
  const events = [event('coder', 900_000, 'ready>stopping'), event('coder', 900_500, 'stopping>stopped')];
  expect(lanesOf({ events }, { from: 100, to: 500 })[0]?.spans).toEqual([
    { kind: 'ready', from: 100, to: 500 },
  ]);
});

test('without transitions a model is what it is, since it is; one at rest has no lane, one of a peer neither', () => {
  const models = [
    { modelId: 'embed', state: 'ready', since: 300, peerId: null },
    { modelId: 'rest', state: 'stopped', since: 10, peerId: null },
    { modelId: 'theirs', state: 'ready', since: 10, peerId: 'heron' },
  ];
  expect(lanesOf({ models })).toEqual([
    { modelId: 'embed', spans: [{ kind: 'ready', from: 300, to: NOW }], serving: [], failures: [] },
  ]);
  expect(lanesOf({ models }, { from: 0, to: 200 })).toEqual([]);
});

test('what is not known any more is not drawn on: a host that was last heard earlier, and states of other words', () => {
  const events = [event('coder', 100, '>ready'), event('odd', 100, '>unknown')];
  const lanes = lanesOf({ events, knownUntil: 400 });
  expect(lanes.map(({ modelId, spans }) => [modelId, spans])).toEqual([
    ['coder', [{ kind: 'ready', from: 100, to: 400 }]],
  ]);
  expect(lanes[0] && laneStateAt(lanes[0], 500)).toBeNull();
});

test('a failed start is marked with its reason, also of a model that is otherwise at rest', () => {
  const events = [
    event('coder', 100, 'stopped>starting'),
    event('coder', 160, 'starting>stopped', 'out of memory'),
  ];
  const [lane] = lanesOf({ events });
  expect(lane?.failures).toEqual([{ at: 160, reason: 'out of memory' }]);
  expect(lanesOf({ events }, { from: 200, to: NOW })).toEqual([]);
});

test('what was served and what runs now are marks, whether or not a state is known; lanes are in the order of names', () => {
  const lanes = lanesOf({
    serving: [{ modelId: 'demo-10', spans: [{ from: 100, to: 200 }] }],
    running: [{ modelId: 'demo-2', startedAt: 900_000 }],
    models: [{ modelId: 'demo-2', state: 'ready', since: null, peerId: null }],
    eventsFrom: 500,
  });
  expect(lanes.map(({ modelId, serving, spans }) => [modelId, serving, spans])).toEqual([
    ['demo-2', [{ from: 900_000, to: NOW }], [{ kind: 'ready', from: 500, to: NOW }]],
    ['demo-10', [{ from: 100, to: 200 }], []],
  ]);
});

test('while nobody looked nothing is claimed, though the states before and after are known', () => {
  const events = [event('coder', 100, 'stopped>ready'), event('coder', 700, 'ready>stopped')];
  const [lane] = lanesOf({ events, unseen: [{ from: 300, to: 400 }] });
  expect(lane?.spans.filter(({ kind }) => kind === 'ready')).toEqual([
    { kind: 'ready', from: 100, to: 300 },
    { kind: 'ready', from: 400, to: 700 },
  ]);
  expect([200, 350, 500].map((at) => lane && laneStateAt(lane, at))).toEqual(['ready', null, 'ready']);
});
