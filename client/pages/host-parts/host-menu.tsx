import { useState } from 'react';
import { IconButton } from '../../ui/button.tsx';
import { deferred } from '../../ui/deferred.tsx';
import { Icon } from '../../ui/icon.tsx';
import type { OpenHostMenuProps } from './open-host-menu.tsx';

const OpenHostMenu = deferred<OpenHostMenuProps>(
  async () => (await import('./open-host-menu.tsx')).OpenHostMenu,
);

interface HostMenuProps {
  readonly hostId: string;
  readonly label: string;
}

/** What can be done with a host. Until it is first opened it is no more than its button. */
export function HostMenu({ hostId, label }: HostMenuProps) {
  const [wasOpened, setWasOpened] = useState(false);
  const closed = (
    <IconButton
      label={`Actions for ${label}`}
      aria-haspopup="menu"
      aria-expanded={false}
      onClick={() => setWasOpened(true)}
    >
      <Icon name="menu" />
    </IconButton>
  );
  return wasOpened ? <OpenHostMenu hostId={hostId} meanwhile={closed} /> : closed;
}
