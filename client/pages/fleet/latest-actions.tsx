import { Link } from '@tanstack/react-router';
import { useConnection } from '../../data/use-connection.ts';
import { useIntents } from '../../data/use-intents.ts';
import { useNow } from '../../data/use-now.ts';
import { useFleet } from '../../data/use-fleet.ts';
import { DemoMark } from '../../ui/demo-mark.tsx';
import { Panel, PanelBody } from '../../ui/panel.tsx';
import { IntentList } from '../intents/intent-list.tsx';
import styles from './running-now.module.css';

const MAX_LISTED = 6;

/** What was done on the fleet lately, by whomever, newest first. */
export function LatestActions() {
  const entries = useIntents();
  const { hosts } = useFleet();
  const isPast = useConnection().kind !== 'live';
  const now = useNow(1000);
  const allDemo = hosts.length > 0 && hosts.every((host) => host.demo);
  return (
    <Panel
      title="Latest actions"
      label="Latest actions"
      action={
        <>
          {allDemo ? <DemoMark /> : null}{' '}
          <Link to="/outbox" className={styles.link}>
            Outbox
          </Link>
        </>
      }
    >
      {entries.length === 0 ? (
        <PanelBody>
          <p className={styles.empty}>Nothing was asked for yet.</p>
        </PanelBody>
      ) : (
        <IntentList
          entries={entries.slice(0, MAX_LISTED)}
          all={entries}
          now={now}
          isPast={isPast}
          hostLabels={new Map(hosts.map((host) => [host.id, host.label]))}
        />
      )}
    </Panel>
  );
}
