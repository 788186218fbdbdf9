import type { Host } from '#shared/schemas/host.ts';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Menu } from '../../ui/menu.tsx';
import { ProfileItems } from '../host-parts/profile-items.tsx';
import { profileChoices, profileTitle } from '../host-parts/profile-view.ts';

interface ProfileMenuProps {
  readonly host: Host;
  readonly isPast: boolean;
}

/** The active profile of a host in its head on a laptop, and the way to another; not there where it has none. */
export function ProfileMenu({ host, isPast }: ProfileMenuProps) {
  if (profileChoices(host).length === 0) return null;
  return (
    <Menu
      trigger={
        <Button>
          {profileTitle(host, isPast)}
          <Icon name="down" size="s" />
        </Button>
      }
    >
      <ProfileItems host={host} isPast={isPast} />
    </Menu>
  );
}
