import { describe, expect, test } from 'vitest';
import type { HostProfiles } from '#shared/schemas/host.ts';
import { profileChoices, profileTitle } from './profile-view.ts';

const profiles: HostProfiles = {
  active: 'day',
  names: [
    { id: 'day', description: 'coding first' },
    { id: 'night', description: '' },
  ],
};
const said = (known: HostProfiles | null | undefined) =>
  profileChoices(known === undefined ? {} : { profiles: known }).map(
    ({ label, detail, isActive }) => `${isActive ? '✓ ' : ''}${label}: ${detail}`,
  );

describe('the profiles of a host', () => {
  test('are all there to choose from, no profile last, the active one marked', () => {
    expect(said(profiles)).toEqual([
      '✓ Profile day: coding first',
      'Profile night: ',
      'No profile: No name is pinned',
    ]);
    expect(said({ ...profiles, active: null })).toEqual([
      'Profile day: coding first',
      'Profile night: ',
      '✓ No profile: No name is pinned',
    ]);
  });

  test('are nothing to choose where there are none, or none are known', () => {
    for (const known of [{ active: null, names: [] }, null, undefined]) expect(said(known)).toEqual([]);
  });

  test('hold the active one even where the list is too long for it', () => {
    expect(said({ ...profiles, active: 'late' }).slice(1, 3)).toEqual([
      'Profile night: ',
      '✓ Profile late: ',
    ]);
  });

  test('are spoken of in the past where nobody hears the host', () => {
    const titles = (isPast: boolean) => [
      profileTitle({ profiles }, isPast),
      profileTitle({ profiles: { ...profiles, active: null } }, isPast),
    ];
    expect(titles(false)).toEqual(['Profile day', 'No profile']);
    expect(titles(true)).toEqual(['Profile was day', 'Had no profile']);
  });
});
