import { expect, test } from 'vitest';
import { parsePreferences } from './preferences.ts';

test('a device that remembers nothing follows the system', () => {
  expect(parsePreferences(null)).toMatchObject({ theme: 'system', density: 'comfortable', shortcuts: true });
});

test('what was remembered is read back', () => {
  const stored = JSON.stringify({ theme: 'dark', shortcuts: false, fleetLayout: 'table' });
  expect(parsePreferences(stored)).toMatchObject({ theme: 'dark', shortcuts: false, fleetLayout: 'table' });
});

test.each(['', '{', '[]', 'null', '7', '{"theme":"pink","shortcuts":"no","density":1}'])(
  'broken storage %j falls back to the defaults',
  (text) => {
    expect(parsePreferences(text)).toEqual(parsePreferences(null));
  },
);
