import { useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { roleAllows } from '#shared/schemas/auth.ts';
import { useConnection } from '../../data/use-connection.ts';
import { useHost } from '../../data/use-fleet.ts';
import { useSession } from '../../data/use-session.ts';
import { IconButton } from '../../ui/button.tsx';
import { deferred } from '../../ui/deferred.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Menu, MenuItem } from '../../ui/menu.tsx';
import { hostActionBlock } from './host-action-block.ts';
import type { RemoveDialogProps } from './remove-dialog.tsx';

const RemoveDialog = deferred<RemoveDialogProps>(
  async () => (await import('./remove-dialog.tsx')).RemoveDialog,
);

/** What an admin can do with a host: edit, pause, remove. What cannot be done now says why. */
export function HostMenu({ hostId }: { readonly hostId: string }) {
  const router = useRouter();
  const host = useHost(hostId);
  const connection = useConnection();
  const { role } = useSession();
  const [isRemoving, setRemoving] = useState(false);
  if (host === null) return null;
  const isAdmin = role !== null && roleAllows(role, 'admin');
  const block = hostActionBlock({ host, isAdmin, isLive: connection.kind === 'live' });

  async function pause(paused: boolean): Promise<void> {
    const { pauseHost } = await import('./fleet-calls.ts');
    await pauseHost(hostId, paused);
  }

  return (
    <>
      <Menu
        trigger={
          <IconButton label={`Actions for ${host.label}`}>
            <Icon name="menu" />
          </IconButton>
        }
      >
        <MenuItem
          unavailable={block}
          onSelect={() => void router.navigate({ to: '/hosts/$hostId/edit', params: { hostId } })}
        >
          {host.liveness === 'unauthorized' ? 'Replace key, edit' : 'Edit'}
        </MenuItem>
        <MenuItem unavailable={block} onSelect={() => void pause(!host.paused)}>
          {host.paused ? 'Resume monitoring' : 'Pause monitoring'}
        </MenuItem>
        <MenuItem onSelect={() => void router.navigate({ to: '/activity', search: { host: [hostId] } })}>
          Its activity
        </MenuItem>
        <MenuItem unavailable={block} danger onSelect={() => setRemoving(true)}>
          Remove
        </MenuItem>
      </Menu>
      <RemoveDialog open={isRemoving} onClose={() => setRemoving(false)} hostId={hostId} label={host.label} />
    </>
  );
}
