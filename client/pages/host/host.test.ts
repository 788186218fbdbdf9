import { describe, expect, test } from 'vitest';
import type { LivePerson, LivePresence } from '#shared/schemas/live.ts';
import type { Model } from '#shared/schemas/model.ts';
import { modelOf } from '../../data/testing/fleet.ts';
import { presenceView } from '../host-parts/presence-view.ts';
import { parseHostSearch, shownTab } from './host-search.ts';
import { briefModelIds, keptModelOrder, neighbours, readyWords, sortedModelIds } from './models-view.ts';
import { pauseUntil } from './pause-times.ts';

const now = new Date(2026, 10, 30, 14, 11, 4).getTime();
const model = (modelId: string, change: Partial<Model> = {}): Model =>
  modelOf({ hostId: 'bluefin', modelId, state: 'stopped', since: now, observedAt: now, ...change });

describe('the models of a host', () => {
  const failedStart = { at: now, reason: 'out of memory', lines: [] };
  const models = [
    model('a'),
    model('b', { peerId: 'heron', state: 'unknown' }),
    model('c', { failedStart }),
    model('d', { state: 'ready' }),
  ];

  test('stand in use first, then failed, then at rest, then those of peers', () => {
    expect(sortedModelIds(models)).toEqual(['d', 'c', 'a', 'b']);
  });

  test('stay where they are when their states change; new ones are appended', () => {
    const shown = sortedModelIds(models);
    expect(keptModelOrder(shown, [...models.slice(1), model('a', { state: 'ready' })])).toBe(shown);
    expect(keptModelOrder(shown, [...models.slice(1), model('e', { state: 'ready' })])).toEqual([
      'd',
      'c',
      'b',
      'e',
    ]);
  });

  test('beside the charts all that are in use or failed have a row, others as far as there is room', () => {
    const many = Array.from({ length: 12 }, (_, index) => model(`m${index}`));
    const busy = many.map((one, index) => (index % 2 === 0 ? { ...one, state: 'ready' } : one));
    const ids = many.map(({ modelId }) => modelId);
    expect(briefModelIds(ids, busy)).toEqual(['m0', 'm1', 'm2', 'm3', 'm4', 'm6', 'm8', 'm10']);
    expect(briefModelIds(ids, many)).toEqual(ids.slice(0, 8));
    const all = many.map((one) => ({ ...one, failedStart }));
    expect(briefModelIds(ids, all)).toEqual(ids);
    expect(briefModelIds(ids.slice(0, 8), many)).toEqual(ids.slice(0, 8));
  });

  test('are counted in the tense that can be told', () => {
    expect(readyWords(models, 4, false)).toBe('1 ready of 4');
    expect(readyWords(models, 4, true)).toBe('1 of 4 were ready');
  });
});

test('hosts are gone through in their order, to the ends', () => {
  const hosts = ['ash', 'elm', 'oak'].map((id) => ({ id, label: id }));
  expect(neighbours(hosts, 'elm')).toEqual({ previous: 'ash', next: 'oak' });
  expect(neighbours(hosts, 'ash').previous).toBeNull();
  expect(neighbours(hosts, 'gone')).toEqual({ previous: null, next: null });
});

test('a pause lasts an hour, until the next morning, or until somebody ends it', () => {
  expect(pauseUntil('open', now)).toBeNull();
  expect(pauseUntil('hour', now)).toBe(now + 3_600_000);
  expect(pauseUntil('morning', now)).toBe(new Date(2026, 11, 1, 8).getTime());
  expect(pauseUntil('morning', new Date(2026, 10, 30, 7).getTime())).toBe(
    new Date(2026, 10, 30, 8).getTime(),
  );
});

test('the address of a host holds its part, the filter of its models and the time of its charts, nothing else', () => {
  expect(parseHostSearch({ q: 'qwen', x: 1 })).toEqual({ q: 'qwen' });
  expect(parseHostSearch({ q: 7, tab: 'runs', range: '2h' })).toEqual({});
  expect(parseHostSearch({ tab: 'models', range: '7d' })).toEqual({ tab: 'models', range: '7d' });
});

test('an address opens on any screen: wide ones have charts and the present at once, narrow ones one of them', () => {
  const shown = (search: Parameters<typeof shownTab>[0]) => [shownTab(search, true), shownTab(search, false)];
  expect(shown({})).toEqual(['overview', 'now']);
  expect(shown({ tab: 'history' })).toEqual(['overview', 'history']);
  expect(shown({ tab: 'models' })).toEqual(['models', 'now']);
  expect(shown({ q: 'qwen' })).toEqual(['models', 'now']);
  expect(shown({ range: '7d' })).toEqual(['overview', 'history']);
  expect(shown({ tab: 'now', range: '7d' })).toEqual(['overview', 'now']);
});

describe('who else is at a host', () => {
  const person = (label: string, preparing: LivePerson['preparing'] = null): LivePerson => ({
    deviceId: label,
    label,
    since: now,
    preparing,
  });
  const at = (people: readonly LivePerson[], more = 0): LivePresence => ({
    hostId: 'bluefin',
    people: [...people],
    more,
  });

  test('is named, counted, and not this device', () => {
    expect(presenceView(at([person('me')]), 'me')).toBeNull();
    expect(presenceView(null, 'me')).toBeNull();
    expect(presenceView(at([person('me'), person('ben')]), 'me')).toEqual({
      initial: 'B',
      words: 'ben is here',
      short: 'ben is here',
    });
    expect(presenceView(at([person('ben'), person('eva')], 2), 'me')).toEqual({
      initial: '4',
      words: 'ben and 3 more are here',
      short: 'ben and 3 more are here',
    });
  });

  test('says what it prepares', () => {
    const ben = person('ben', { kind: 'model.unload', modelId: 'coder' });
    expect(presenceView(at([ben]), 'me')?.words).toBe('ben is here, preparing: Unload coder');
  });
});
