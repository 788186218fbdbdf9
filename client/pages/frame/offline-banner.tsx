import { useRouterState } from '@tanstack/react-router';
import { useConnection } from '../../data/use-connection.ts';
import { useFleet } from '../../data/use-fleet.ts';
import { useOutbox } from '../../data/use-intents.ts';
import { useNow } from '../../data/use-now.ts';
import { formatMoment } from '../../ui/format.ts';
import { LinkButton } from '../../ui/link-button.tsx';
import styles from './offline-banner.module.css';

/** Hatched strip under the head while the page shows the past: since when, and what one can do. */
export function OfflineBanner() {
  const connection = useConnection();
  const { loaded } = useFleet();
  const { unsent } = useOutbox();
  const now = useNow(60_000);
  const path = useRouterState({ select: (state) => state.location.pathname });
  if (connection.kind === 'offline') {
    // The outbox says itself what waits and as of when.
    if (path === '/outbox') return null;
    const since = formatMoment(connection.dataAsOf ?? connection.since, now);
    return (
      <div className={styles.banner}>
        <p>
          <strong>Offline since {since}.</strong>{' '}
          {connection.dataAsOf === null ? 'Nothing of the fleet is kept on this device yet.' : null}
          {connection.dataAsOf !== null && loaded ? 'This is what the fleet looked like then. ' : null}
          {unsentWords(unsent)}
        </p>
        {unsent === 0 ? null : <LinkButton to="/outbox">Show</LinkButton>}
      </div>
    );
  }
  if (connection.kind !== 'sign-in') return null;
  return (
    <div className={styles.banner}>
      <p>
        <strong>The session of this device ended.</strong> What is kept here stays readable.{' '}
        {unsentWords(unsent)}
      </p>
      <LinkButton to="/pair">Sign in</LinkButton>
    </div>
  );
}

function unsentWords(count: number): string | null {
  if (count === 0) return null;
  return count === 1 ? '1 action waits on this device.' : `${count} actions wait on this device.`;
}
