import type { Host } from '#shared/schemas/host.ts';
import { MenuItem } from '../../ui/menu.tsx';
import { profileDraft } from '../intents/act-drafts.ts';
import { useActOn } from '../intents/act-on.tsx';
import { profileChoices } from './profile-view.ts';

interface ProfileItemsProps {
  readonly host: Host;
  /** Nobody hears the host: which one is active is not known, only which was. */
  readonly isPast: boolean;
}

/** Entries of a menu that switch a host's profile, the active one marked; nothing where it has none. */
export function ProfileItems({ host, isPast }: ProfileItemsProps) {
  const { act, unavailable, willQueue } = useActOn();
  return profileChoices(host).map(({ name, label, detail, isActive }) => (
    <MenuItem
      key={label}
      checked={isActive && !isPast}
      detail={isActive && isPast ? 'was active' : detail}
      unavailable={unavailable}
      onSelect={() => void act(profileDraft(host.id, name))}
    >
      {willQueue ? `${label}: will queue` : label}
    </MenuItem>
  ));
}
