import type { RefObject } from 'react';
import type { ActivityGap } from '#shared/schemas/activity.ts';
import { useHost } from '../../data/use-fleet.ts';
import { useNow } from '../../data/use-now.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { gapWords } from './row-view.ts';

interface GapDialogProps {
  readonly gap: ActivityGap | null;
  readonly onClose: () => void;
  /** Has the focus afterwards: a row that was opened may be gone from the page by then. */
  readonly returnTo: RefObject<HTMLElement | null>;
}

/** All that is known of a gap. */
export function GapDialog({ gap, onClose, returnTo }: GapDialogProps) {
  const now = useNow(60_000);
  const host = useHost(gap?.hostId ?? '');
  return (
    <Dialog open={gap !== null} onClose={onClose} returnTo={returnTo} title="A gap">
      {gap === null ? null : (
        <p>
          {host?.label ?? gap.hostId}: {gapWords(gap, now)}
        </p>
      )}
    </Dialog>
  );
}
