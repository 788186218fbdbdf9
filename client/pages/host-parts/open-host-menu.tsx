import { useState } from 'react';
import { useHost } from '../../data/use-fleet.ts';
import { IconButton } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { MenuPopup } from '../../ui/menu-popup.tsx';
import { HostMenuItems } from './host-menu-items.tsx';
import { RemoveDialog } from './remove-dialog.tsx';

/** See {@link OpenHostMenu}. */
export interface OpenHostMenuProps {
  readonly hostId: string;
}

/** A host's menu that was opened. What cannot be done now says why. */
export function OpenHostMenu({ hostId }: OpenHostMenuProps) {
  const host = useHost(hostId);
  const [isRemoving, setRemoving] = useState(false);
  if (host === null) return null;
  return (
    <>
      <MenuPopup
        trigger={
          <IconButton label={`Actions for ${host.label}`}>
            <Icon name="menu" />
          </IconButton>
        }
      >
        <HostMenuItems host={host} onRemove={() => setRemoving(true)} />
      </MenuPopup>
      <RemoveDialog open={isRemoving} onClose={() => setRemoving(false)} hostId={hostId} label={host.label} />
    </>
  );
}
