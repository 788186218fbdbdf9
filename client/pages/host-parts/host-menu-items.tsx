import { useRouter } from '@tanstack/react-router';
import { roleAllows } from '#shared/schemas/auth.ts';
import type { Host } from '#shared/schemas/host.ts';
import { serverNow } from '../../data/server-clock.ts';
import { useConnection } from '../../data/use-connection.ts';
import { useSession } from '../../data/use-session.ts';
import { MenuItem } from '../../ui/menu.tsx';
import { pauseDraft, resumeDraft, unloadAllDraft } from '../intents/act-drafts.ts';
import { useActOn } from '../intents/act-on.tsx';
import { hostActionBlock } from './host-action-block.ts';
import { isHeard } from './host-view.ts';
import { ProfileItems } from './profile-items.tsx';

/** See {@link HostMenuItems}. */
export interface HostMenuItemsProps {
  readonly host: Host;
  readonly onRemove: () => void;
}

const HOUR_MS = 3_600_000;

/** Entries of a host's menu: what an operator does with it first, then where it leads, then what an admin changes. */
export function HostMenuItems({ host, onRemove }: HostMenuItemsProps) {
  const router = useRouter();
  const connection = useConnection();
  const { role } = useSession();
  const { act, unavailable, willQueue } = useActOn();
  const hostId = host.id;
  const isAdmin = role !== null && roleAllows(role, 'admin');
  const block = hostActionBlock({ host, isAdmin, isLive: connection.kind === 'live' });
  const queues = (label: string): string => (willQueue ? `${label}: will queue` : label);
  return (
    <>
      <MenuItem unavailable={unavailable} onSelect={() => void act(unloadAllDraft(hostId))}>
        {queues('Unload all models')}
      </MenuItem>
      {host.paused ? (
        <MenuItem unavailable={unavailable} onSelect={() => void act(resumeDraft(hostId))}>
          {queues('Resume monitoring')}
        </MenuItem>
      ) : (
        <>
          <MenuItem unavailable={unavailable} onSelect={() => void act(pauseDraft(hostId))}>
            {queues('Pause monitoring')}
          </MenuItem>
          <MenuItem
            unavailable={unavailable}
            onSelect={() => void act(pauseDraft(hostId, serverNow() + HOUR_MS))}
          >
            {queues('Pause for 1 h')}
          </MenuItem>
        </>
      )}
      <ProfileItems host={host} isPast={connection.kind !== 'live' || !isHeard(host)} />
      <MenuItem onSelect={() => void router.navigate({ to: '/activity', search: { host: [hostId] } })}>
        Its activity
      </MenuItem>
      <MenuItem
        unavailable={block}
        onSelect={() => void router.navigate({ to: '/hosts/$hostId/edit', params: { hostId } })}
      >
        {host.liveness === 'unauthorized' ? 'Replace key, edit' : 'Edit'}
      </MenuItem>
      <MenuItem unavailable={block} danger onSelect={onRemove}>
        Remove
      </MenuItem>
    </>
  );
}
