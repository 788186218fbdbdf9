import { BREAKPOINTS, useMedia } from '../../ui/use-media.ts';
import type { CollectorHop, HostFacts } from '../host-parts/host-view.ts';
import { ActKeys } from '../intents/act-keys.tsx';
import { LatestActions } from './latest-actions.tsx';
import { RunningNow } from './running-now.tsx';

/** See {@link FleetAside}. */
export interface FleetAsideProps {
  readonly fleet: readonly HostFacts[];
  readonly hop: CollectorHop;
}

/** What stands beside the cards, or below them on a phone: what runs, and where there is room what was done lately. */
export function FleetAside({ fleet, hop }: FleetAsideProps) {
  const hasRoom = useMedia(BREAKPOINTS.aside);
  return (
    <>
      <RunningNow fleet={fleet} hop={hop} />
      {hasRoom ? <LatestActions /> : null}
      <ActKeys />
    </>
  );
}
