import { useHost } from '../../data/use-fleet.ts';
import { useSession } from '../../data/use-session.ts';
import { LinkButton } from '../../ui/link-button.tsx';
import { logAddress } from './log-address.ts';

interface LogLinkProps {
  readonly hostId: string;
  readonly modelId: string;
  /** It stands in a sheet: the page takes the sheet's place in the history. */
  readonly inSheet: boolean;
}

/** The way to a model's log; nothing for who may not read logs, and where the host is gone. */
export function LogLink({ hostId, modelId, inSheet }: LogLinkProps) {
  const host = useHost(hostId);
  const { role } = useSession();
  if (host === null || role === 'viewer') return null;
  return (
    <LinkButton to="/logs" search={logAddress(host, modelId)} replace={inSheet}>
      {host.features.includes('model-logs') ? 'Its log' : 'Log of its host'}
    </LinkButton>
  );
}
