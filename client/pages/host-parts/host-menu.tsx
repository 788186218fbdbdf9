import { useState } from 'react';
import { useHost } from '../../data/use-fleet.ts';
import { IconButton } from '../../ui/button.tsx';
import { deferred } from '../../ui/deferred.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Menu } from '../../ui/menu.tsx';
import type { HostMenuItemsProps } from './host-menu-items.tsx';
import type { RemoveDialogProps } from './remove-dialog.tsx';

const RemoveDialog = deferred<RemoveDialogProps>(
  async () => (await import('./remove-dialog.tsx')).RemoveDialog,
);
const HostMenuItems = deferred<HostMenuItemsProps>(
  async () => (await import('./host-menu-items.tsx')).HostMenuItems,
);

/** What can be done with a host. What cannot be done now says why. */
export function HostMenu({ hostId }: { readonly hostId: string }) {
  const host = useHost(hostId);
  const [isRemoving, setRemoving] = useState(false);
  if (host === null) return null;
  return (
    <>
      <Menu
        trigger={
          <IconButton label={`Actions for ${host.label}`}>
            <Icon name="menu" />
          </IconButton>
        }
      >
        <HostMenuItems host={host} onRemove={() => setRemoving(true)} />
      </Menu>
      <RemoveDialog open={isRemoving} onClose={() => setRemoving(false)} hostId={hostId} label={host.label} />
    </>
  );
}
