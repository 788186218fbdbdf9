import { useEffect } from 'react';
import { useOutbox } from '../../data/use-intents.ts';
import { useUpdate } from '../../data/use-update.ts';
import { showOffer } from '../../ui/toast.tsx';
import { OutcomeNotices } from './outcome-notices.tsx';
import { PaletteHost } from './palette-host.tsx';
import { PairingRequests } from './pairing-requests.tsx';
import { RestoredNotice } from './restored-notice.tsx';
import { ReviewSheet } from './review-sheet.tsx';

/**
 * What the frame says by itself, on any page: a new version, who asks to be let in, what became of an action, and what
 * waited too long to be sent without a look.
 */
export function FrameNotices() {
  useUpdateOffer();
  return (
    <>
      <PaletteHost />
      <PairingRequests />
      <OutcomeNotices />
      <ReviewSheet />
      <RestoredNotice />
    </>
  );
}

function useUpdateOffer(): void {
  const update = useUpdate();
  const { unsent } = useOutbox();
  useEffect(() => {
    if (!update.ready) return;
    showOffer({
      id: 'update',
      title: 'New version ready',
      detail: stayWords(unsent),
      action: 'Reload',
      onAction: update.reload,
    });
  }, [update, unsent]);
}

function stayWords(unsent: number): string {
  if (unsent === 0) return 'What is kept on this device stays.';
  return `What is kept on this device stays, ${unsent === 1 ? '1 unsent action' : `${unsent} unsent actions`} too.`;
}
