import { useEffect, useRef, useState } from 'react';
import { useConnection } from '../../data/use-connection.ts';
import { useHost, useModels } from '../../data/use-fleet.ts';
import { useLive } from '../../data/use-live.ts';
import type { ActDraft } from './act-drafts.ts';
import type { ActFacts, ActNeed } from './act-need.ts';
import { actNeed } from './act-need.ts';
import type { ActRequest, ActResult } from './act-requests.ts';
import { ConfirmSheet } from './confirm-sheet.tsx';
import { queueAct } from './queue-act.ts';

interface ActStepProps {
  readonly request: ActRequest;
  readonly onDone: () => void;
}

/**
 * One wish to act: asked about when something speaks for asking as it is made, else queued at once. A sheet that is open
 * stays, whatever the fleet does meanwhile; what it says follows.
 */
export function ActStep({ request, onDone }: ActStepProps) {
  const { draft } = request;
  const facts = useActFacts(draft.target.hostId);
  const [first] = useState<ActNeed | null>(() => actNeed(draft, facts));
  const [isOpen, setOpen] = useState(first !== null);
  const wasBegun = useRef(false);
  const { isLive } = facts;

  function end(result: ActResult): void {
    setOpen(false);
    request.end(result);
    onDone();
  }

  async function queue(chosen: ActDraft): Promise<void> {
    end(await queueAct(chosen, isLive));
  }

  useEffect(() => {
    // Effects run twice in development; an action must not.
    if (first !== null || wasBegun.current) return;
    wasBegun.current = true;
    void queue(draft);
  });

  if (first === null) return null;
  return (
    <ConfirmSheet
      open={isOpen}
      draft={draft}
      need={actNeed(draft, facts) ?? settled(first)}
      facts={facts}
      onChoose={(chosen) => queue(chosen)}
      onClose={() => end({ outcome: 'given-up' })}
    />
  );
}

/** Nothing is left to ask, but the sheet is open: it says so. */
function settled(first: ActNeed): ActNeed {
  return first.ask === 'cut' ? { ask: 'cut', cut: { count: 0, requests: [] }, waits: false } : first;
}

function useActFacts(hostId: string): ActFacts {
  const host = useHost(hostId);
  const models = useModels(hostId);
  const { inFlight } = useLive(hostId);
  const isLive = useConnection().kind === 'live';
  return { host, models, inFlight, isLive };
}
