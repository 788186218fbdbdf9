import { expect, test, vi } from 'vitest';
import {
  deleteView,
  forgetSavedViews,
  parseSavedViews,
  renameView,
  savedViews,
  saveView,
} from './saved-views.ts';

const names = (): readonly string[] => savedViews.get().map(({ name }) => name);

test('views are kept by name: one of the same name gives way, a deleted one can be brought back', () => {
  saveView({ name: 'Night jobs', search: { source: ['ci'] } });
  saveView({ name: 'Failures', search: { failures: true } });
  saveView({ name: 'Night jobs', search: { source: ['ci', ''] } });
  expect(names()).toEqual(['Failures', 'Night jobs']);
  renameView('Failures', 'What failed');
  renameView('nobody', 'x');
  expect(names()).toEqual(['Night jobs', 'What failed']);
  const undo = deleteView('Night jobs');
  expect(names()).toEqual(['What failed']);
  undo();
  expect(savedViews.get()[0]).toEqual({ name: 'Night jobs', search: { source: ['ci', ''] } });
});

test('a device that leaves keeps no view, on the screen or in the browser', () => {
  const stored = new Map<string, string>();
  vi.stubGlobal('localStorage', {
    setItem: (key: string, text: string) => stored.set(key, text),
    removeItem: (key: string) => stored.delete(key),
  });
  saveView({ name: 'Ana’s laptop', search: { source: ['10.0.0.8'], q: 'invoice' } });
  expect([...stored.values()].join('')).toContain('10.0.0.8');
  forgetSavedViews();
  expect(names()).toEqual([]);
  expect(stored.size).toBe(0);
  vi.unstubAllGlobals();
});

test('what is stored by another version or hand is read as far as it goes', () => {
  const stored = [
    { name: 'good', search: { q: 'x' } },
    { name: '', search: {} },
    { name: 'x'.repeat(61), search: {} },
    { name: 7, search: {} },
    { name: 'no search' },
    null,
    'text',
    { name: 'good', search: { q: 'y' } },
  ];
  expect(parseSavedViews(JSON.stringify(stored))).toEqual([{ name: 'good', search: { q: 'y' } }]);
  for (const text of [null, '', '{', '{}', '7']) expect(parseSavedViews(text)).toEqual([]);
});
