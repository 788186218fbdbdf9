import { useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { routes } from '#shared/http/routes.ts';
import { roleAllows } from '#shared/schemas/auth.ts';
import { callApi } from '../../data/call-api.ts';
import { useConnection } from '../../data/use-connection.ts';
import { useHost } from '../../data/use-fleet.ts';
import { useSession } from '../../data/use-session.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Menu, MenuItem } from '../../ui/menu.tsx';
import { showFailure } from '../../ui/toast.tsx';
import { hostActionBlock } from './host-action-block.ts';

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
    const answer = await callApi(routes.patchHost, { params: { hostId }, body: { paused } });
    if (!answer.ok) showFailure({ title: paused ? 'Not paused' : 'Not resumed', detail: answer.message });
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

interface RemoveDialogProps {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly hostId: string;
  readonly label: string;
}

function RemoveDialog({ open, onClose, hostId, label }: RemoveDialogProps) {
  const [isSending, setSending] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);

  async function remove(): Promise<void> {
    setSending(true);
    setProblem(null);
    const answer = await callApi(routes.deleteHost, { params: { hostId } });
    setSending(false);
    if (answer.ok) onClose();
    else setProblem(answer.message);
  }

  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={`Remove ${label}?`}
      actions={
        <>
          <Button look="danger" disabled={isSending} onClick={() => void remove()}>
            Remove {label}
          </Button>
          <Button look="quiet" onClick={onClose}>
            Keep it
          </Button>
        </>
      }
    >
      <p>
        Drover stops listening to it, forgets its key, and its card leaves every device. Nothing on the host
        itself is changed.
      </p>
      <p>
        Its history stays: the requests already recorded remain in Activity until they reach the retention
        limit. If the same id is added again, new rows are kept apart from the old ones.
      </p>
      {problem === null ? null : <p role="alert">{problem}</p>}
    </Dialog>
  );
}
