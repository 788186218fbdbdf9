import { useRouter, useRouterState } from '@tanstack/react-router';
import { useEffect } from 'react';
import { tellRestoredHistory, useRestoredNews } from '../../data/restored-history.ts';
import { showToast } from '../../ui/toast.tsx';

/** Says once that the history was restored: the copy was exchanged under whoever was reading it. */
export function RestoredNotice() {
  const router = useRouter();
  const at = useRestoredNews();
  const isInView = useRouterState({ select: ({ location }) => location.pathname === '/outbox' });
  useEffect(() => {
    if (at === null) return;
    tellRestoredHistory();
    if (isInView) return;
    showToast({
      title: 'History restored',
      detail: 'What is shown was fetched anew. The Outbox says what that means for actions.',
      action: { label: 'Show', act: () => void router.navigate({ to: '/outbox' }) },
    });
  }, [at, isInView, router]);
  return null;
}
