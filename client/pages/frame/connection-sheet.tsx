import { Link } from '@tanstack/react-router';
import { useConnection } from '../../data/use-connection.ts';
import { useFleet } from '../../data/use-fleet.ts';
import { useOutbox } from '../../data/use-intents.ts';
import { useNow } from '../../data/use-now.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { formatStamp, plural, UNKNOWN } from '../../ui/format.ts';
import { Glyph } from '../../ui/glyph.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { ListRow, RowList } from '../../ui/list-row.tsx';
import { Panel } from '../../ui/panel.tsx';
import styles from './connection-sheet.module.css';
import { connectionView } from './connection-view.ts';

/** See {@link ConnectionSheet}. */
export interface ConnectionSheetProps {
  readonly open: boolean;
  readonly onClose: () => void;
}

/** Both hops a value takes, the state of each, and when this copy was last in step. */
export function ConnectionSheet({ open, onClose }: ConnectionSheetProps) {
  const connection = useConnection();
  const { hosts } = useFleet();
  const { unsent } = useOutbox();
  const now = useNow(5000);
  const view = connectionView(connection, now);
  const isLive = connection.kind === 'live';
  const heard = hosts.filter((host) => host.liveness === 'connected' && !host.paused).length;
  const stamp = (at: number | null): string => (at === null ? UNKNOWN : formatStamp(at, now));
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={view.word}
      actions={
        connection.kind === 'app-too-old' ? (
          <Button look="ink" onClick={() => window.location.reload()}>
            Reload
          </Button>
        ) : connection.kind === 'sign-in' ? (
          <LinkButton look="ink" to="/pair" replace>
            Sign in again
          </LinkButton>
        ) : undefined
      }
    >
      <p className={styles.meaning}>{view.meaning}</p>
      <Panel label="Connection">
        <RowList>
          <li>
            <ListRow
              lead={<Glyph name={view.glyph} hue={view.hue} />}
              title="This device to the collector"
              detail={`${isLive ? 'connected' : 'not connected'} since ${formatStamp(connection.since, now)}`}
            />
          </li>
          <li>
            <ListRow
              lead={
                <Glyph
                  name={isLive ? 'live' : 'unknown'}
                  hue={isLive && hosts.length > 0 && heard === hosts.length ? 'ready' : 'stale'}
                />
              }
              title="Collector to the hosts"
              detail={
                hosts.length === 0
                  ? 'no hosts yet'
                  : isLive
                    ? `${heard} of ${plural(hosts.length, 'host')} live`
                    : `${heard} of ${plural(hosts.length, 'host')} were live as of ${stamp(connection.dataAsOf)}`
              }
            />
          </li>
          <li>
            <ListRow title="Last in step" value={isLive ? 'now' : stamp(connection.dataAsOf)} />
          </li>
          <li>
            <ListRow title="Last full sync" value={stamp(connection.lastSyncAt)} />
          </li>
          <li>
            <Link to="/outbox" replace>
              <ListRow
                title="Actions on this device"
                value={unsent === 0 ? 'none wait' : `${unsent} not sent yet`}
              />
            </Link>
          </li>
          <li>
            <ListRow title="Copy on this device" value={storageWords(connection.storage)} />
          </li>
        </RowList>
      </Panel>
      {connection.unsyncedReason === null ? null : (
        <p className={styles.note}>Not in step: {connection.unsyncedReason}</p>
      )}
    </Dialog>
  );
}

function storageWords(storage: 'saved' | 'not-saved' | 'insecure'): string {
  if (storage === 'saved') return 'kept';
  return storage === 'insecure' ? 'needs https' : 'refused by the browser';
}
