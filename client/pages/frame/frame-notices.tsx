import { useEffect } from 'react';
import { useUpdate } from '../../data/use-update.ts';
import { showOffer } from '../../ui/toast.tsx';
import { PairingRequests } from './pairing-requests.tsx';

/** What the frame says by itself, on any page: a new version, and who asks to be let in. */
export function FrameNotices() {
  useUpdateOffer();
  return <PairingRequests />;
}

function useUpdateOffer(): void {
  const update = useUpdate();
  useEffect(() => {
    if (!update.ready) return;
    showOffer({
      id: 'update',
      title: 'New version ready',
      detail: 'What is kept on this device stays.',
      action: 'Reload',
      onAction: update.reload,
    });
  }, [update]);
}
