import { afterEach, expect, test, vi } from 'vitest';
import type { Remembered } from './remembered.ts';
import { readRemembered, writeRemembered } from './remembered.ts';

const value: Remembered = {
  device: { id: 'd1', label: 'phone' },
  role: 'viewer',
  documents: { fleet: 'fleet@g1', tail: 'tail@g1' },
  dataAsOf: 7,
  lastSyncAt: null,
  serverOffsetMs: -3,
};

function storage(): Map<string, string> {
  const items = new Map<string, string>();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, text: string) => items.set(key, text),
    removeItem: (key: string) => items.delete(key),
  });
  return items;
}

afterEach(() => vi.unstubAllGlobals());

test('what was written is read, and forgotten when asked', () => {
  storage();
  writeRemembered(value);
  expect(readRemembered()).toEqual(value);
  writeRemembered(null);
  expect(readRemembered()).toBeNull();
});

test('what another version or a person left is not believed', () => {
  const items = storage();
  writeRemembered(value);
  const [key] = items.keys();
  for (const text of ['', '{', '[]', JSON.stringify({ ...value, role: 'king' }), '{"device":null}']) {
    items.set(key ?? '', text);
    expect(readRemembered()).toBeNull();
  }
});

test('blocked storage forgets everything and breaks nothing', () => {
  vi.stubGlobal('localStorage', {
    getItem: () => {
      throw new Error('denied');
    },
    setItem: () => {
      throw new Error('denied');
    },
  });
  writeRemembered(value);
  expect(readRemembered()).toBeNull();
});
