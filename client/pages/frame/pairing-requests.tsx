import { useRouterState } from '@tanstack/react-router';
import { useState } from 'react';
import { Announce } from '../../ui/announce.tsx';
import styles from './pairing-requests.module.css';
import { RequestCard } from './request-card.tsx';
import { usePairingRequests } from './use-pairing-requests.ts';

/**
 * Who asks to be let in, on whatever page: beside the work, without taking the focus. The devices page shows them in its
 * own place.
 */
export function PairingRequests() {
  const { requests, reload } = usePairingRequests();
  const path = useRouterState({ select: (state) => state.location.pathname });
  const [later, setLater] = useState<readonly string[]>([]);
  const first = requests.find(({ id }) => !later.includes(id));
  const isShown = first !== undefined && path !== '/settings/devices';
  return (
    <>
      <Announce message={first === undefined ? '' : `${first.label} asks to be let in`} />
      {isShown ? (
        <div className={styles.float}>
          <RequestCard
            key={first.id}
            request={first}
            onAnswered={() => {
              // The button that had the focus goes with the card.
              document.getElementById('main')?.focus({ preventScroll: true });
              reload();
            }}
            onLater={() => setLater([...later, first.id])}
          />
        </div>
      ) : null}
    </>
  );
}
