import { describe, expect, it } from 'vitest';
import { hostOf, modelOf, runningOf } from '../../data/testing/fleet.ts';
import { intentEntry } from '../../data/testing/intent-entry.ts';
import type { PaletteFacts } from './palette-item.ts';
import { paletteItems } from './palette-view.ts';

const NOW = new Date(2026, 10, 30, 14, 11).getTime();
const facts: PaletteFacts = {
  now: NOW,
  hosts: [
    hostOf({ since: NOW - 1_800_000 }),
    hostOf({ id: 'kestrel', label: 'kestrel', liveness: 'down', since: NOW }),
  ],
  models: [
    modelOf({ since: NOW - 60_000 }),
    modelOf({ modelId: 'gpt-oss-20b', state: 'stopped', since: null }),
    modelOf({ hostId: 'kestrel', modelId: 'decoder', since: null }),
  ],
  inFlight: [runningOf(2)],
  views: [{ name: 'Night jobs', search: { source: ['ci-nightly'] } }],
  entries: [intentEntry({ state: 'needs_confirmation', endedAt: NOW })],
  role: 'admin',
  actBlock: null,
  isLive: true,
  asOf: NOW,
};
const found = (query: string, change: Partial<PaletteFacts> = {}): readonly string[] =>
  paletteItems(query, { ...facts, ...change }).map(
    ({ group, label, detail }) => `${group}: ${label}, ${detail}`,
  );

describe('the palette', () => {
  it('finds an action by the beginnings of its words, with what it would cut', () => {
    expect(found('unload cod')[0]).toBe('Needs you: Unload coder on marlin, needs you');
    expect(found('unload cod')[1]).toBe('Actions: Unload coder on marlin, 2 running');
  });

  it('does not take “load” for a part of “unload”', () => {
    expect(found('load')).toEqual(['Actions: Load gpt-oss-20b on marlin, stopped']);
  });

  it('starts with what needs somebody, hosts and pages', () => {
    expect(found('').slice(0, 5)).toEqual([
      'Needs you: kestrel is down, down just now',
      'Needs you: Unload coder on marlin, needs you',
      'Hosts: marlin, live 30 min',
      'Hosts: kestrel, down just now',
      'Pages: Fleet, ',
    ]);
  });

  it('leads to a saved view, with its name in the address', () => {
    expect(found('night')).toEqual(['Saved views: Night jobs, Activity']);
    expect(paletteItems('night', facts)[0]?.run).toEqual({
      do: 'go',
      to: { to: '/activity', search: { source: ['ci-nightly'], view: 'Night jobs' } },
    });
  });

  it('finds models, pages and running requests', () => {
    expect(found('gpt')).toContain('Models: gpt-oss-20b on marlin, stopped');
    expect(found('health')).toEqual(['Pages: Health, ']);
    expect(found('cancel request 2')).toEqual(['Actions: Cancel request 2 of coder on marlin, open-webui']);
    expect(found('nothing of that name')).toEqual([]);
  });

  it('offers the profiles of a host that are not active', () => {
    const profiles = {
      active: 'night',
      names: [
        { id: 'day', description: 'coding first' },
        { id: 'night', description: '' },
      ],
    };
    const hosts = [hostOf({ profiles, since: NOW })];
    expect(found('activate profile', { hosts })).toEqual([
      'Actions: Activate profile day on marlin, coding first',
      'Actions: Activate no profile on marlin, No name is pinned',
    ]);
    expect(found('profile day', { hosts, isLive: false, inFlight: [] })).toEqual([
      'Actions: Activate profile day on marlin, coding first, as of 14:11, will queue',
    ]);
    expect(found('profile')).toEqual([]);
  });

  it('says why something cannot be done, and hides pages of admins from others', () => {
    const block = 'Your role is viewer: you may look.';
    const items = paletteItems('pause marlin', { ...facts, role: 'viewer', actBlock: block });
    expect(items).toMatchObject([{ label: 'Pause monitoring of marlin', unavailable: block, detail: block }]);
    expect(found('api keys', { role: 'viewer' })).toEqual([]);
  });

  it('queues while the collector is away, and says as of when things were', () => {
    const away = { isLive: false, inFlight: [] };
    expect(found('unload cod', away)).toContain(
      'Actions: Unload coder on marlin, running requests not known, will queue',
    );
    expect(found('marlin', away)).toContain('Hosts: marlin, was live, as of 14:11');
  });

  it('is bounded for a fleet of thousands of models', () => {
    const models = Array.from({ length: 2000 }, (_, index) =>
      modelOf({ modelId: `m-${index}`, state: 'stopped' }),
    );
    expect(paletteItems('load m', { ...facts, models })).toHaveLength(8);
  });
});
