import type { Host } from '#shared/schemas/host.ts';

/** One thing that can be chosen: a profile, or none. */
export interface ProfileChoice {
  /** Null: no profile. */
  readonly name: string | null;
  readonly label: string;
  /** What its author says of it; empty when nothing. */
  readonly detail: string;
  readonly isActive: boolean;
}

/** What a host has to choose from, no profile last; nothing where it has none, or none are known. */
export function profileChoices({ profiles = null }: Pick<Host, 'profiles'>): readonly ProfileChoice[] {
  if (profiles === null) return [];
  const { active, names } = profiles;
  // A list is bounded: the active one is shown whether it stands there or not.
  const isListed = active === null || names.some(({ id }) => id === active);
  const all = isListed ? names : [...names, { id: active, description: '' }];
  if (all.length === 0) return [];
  return [
    ...all.map(({ id, description }) => ({
      name: id,
      label: `Profile ${id}`,
      detail: description,
      isActive: id === active,
    })),
    {
      name: null,
      label: 'No profile',
      detail: 'No name is pinned',
      isActive: active === null,
    },
  ];
}

/** `Profile day`, `No profile`, and what it was while nobody hears the host. */
export function profileTitle({ profiles = null }: Pick<Host, 'profiles'>, isPast: boolean): string {
  const active = profiles?.active ?? null;
  if (active === null) return isPast ? 'Had no profile' : 'No profile';
  return isPast ? `Profile was ${active}` : `Profile ${active}`;
}
