import { describe, expect, test } from 'vitest';
import { readExchanges } from '../testing/recordings.ts';
import { mapProfiles } from './map-profiles.ts';

function recorded(version: string): unknown[] {
  return readExchanges(version)
    .filter(({ request }) => request.method === 'GET' && request.path === '/api/profiles')
    .flatMap(({ response }) =>
      response?.status === 200 ? [JSON.parse(response.body ?? '') as unknown] : [],
    );
}

describe('profiles', () => {
  test.each(['v250', 'main'])('as %s answered: before, while and after one was active', (version) => {
    const names = [{ id: 'day', description: 'daytime' }];
    expect(recorded(version).map(mapProfiles)).toEqual([
      { active: null, names },
      { active: 'day', names },
      { active: null, names },
    ]);
  });

  test('of a host that has none, in both ways it may say so', () => {
    expect(mapProfiles({ active: null, profiles: [] })).toEqual({ active: null, names: [] });
    expect(mapProfiles({ active: '', profiles: null })).toEqual({ active: null, names: [] });
  });

  test('an odd one costs only itself; one whose name no order could hold is left out, not cut', () => {
    const profiles = [
      { id: 'a', description: null },
      { id: 7 },
      'b',
      { id: '' },
      { id: 'x'.repeat(257) },
      { id: 'nul\0' },
      { id: 'c', description: { en: 'no text' } },
    ];
    expect(mapProfiles({ active: 3, profiles })).toEqual({
      active: null,
      names: [
        { id: 'a', description: '' },
        { id: 'c', description: '' },
      ],
    });
  });

  test('are bounded in number and length', () => {
    const profiles = Array.from({ length: 1_000 }, (_, index) => ({
      id: `profile-${index}`,
      description: 'd'.repeat(10_000),
    }));
    const mapped = mapProfiles({ active: 'a'.repeat(10_000), profiles });
    expect(mapped?.names).toHaveLength(64);
    expect(JSON.stringify(mapped).length).toBeLessThan(20_000);
  });

  test.each([undefined, null, 'text', [], { profiles: 'day' }, { profiles: {} }])(
    'what is no list of profiles is unknown, not empty: %j',
    (json) => {
      expect(mapProfiles(json)).toBeNull();
    },
  );
});
