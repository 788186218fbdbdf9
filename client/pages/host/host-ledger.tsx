import { useState } from 'react';
import { useConnection } from '../../data/use-connection.ts';
import { useHostIntents } from '../../data/use-intents.ts';
import { useNow } from '../../data/use-now.ts';
import { Button } from '../../ui/button.tsx';
import { Panel, PanelBody } from '../../ui/panel.tsx';
import { IntentList } from '../intents/intent-list.tsx';
import { QUEUE_DEPTH, queueLength } from '../intents/open-intent.ts';
import styles from './host-running.module.css';

const FIRST = 8;

/** What everybody did or wants to be done on the host, newest first, and how full its queue is. */
export function HostLedger({ hostId }: { readonly hostId: string }) {
  const entries = useHostIntents(hostId);
  const isPast = useConnection().kind !== 'live';
  const now = useNow(1000);
  const [isAll, setAll] = useState(false);
  const queued = queueLength(entries);
  return (
    <Panel
      title="Actions here"
      label="Actions here"
      note={isPast ? `queue was ${queued} of ${QUEUE_DEPTH}` : `queue ${queued} of ${QUEUE_DEPTH}`}
    >
      {entries.length === 0 ? (
        <PanelBody>
          <p className={styles.empty}>Nothing was asked for on this host lately.</p>
        </PanelBody>
      ) : (
        <IntentList
          entries={isAll ? entries : entries.slice(0, FIRST)}
          all={entries}
          now={now}
          isPast={isPast}
        />
      )}
      {isAll || entries.length <= FIRST ? null : (
        <PanelBody>
          <Button look="quiet" onClick={() => setAll(true)}>
            {entries.length - FIRST} more
          </Button>
        </PanelBody>
      )}
    </Panel>
  );
}
