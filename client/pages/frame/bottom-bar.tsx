import { Link, useRouterState } from '@tanstack/react-router';
import { useState } from 'react';
import { deferred } from '../../ui/deferred.tsx';
import { Icon } from '../../ui/icon.tsx';
import styles from './bottom-bar.module.css';
import type { MoreSheetProps } from './more-sheet.tsx';
import { OutboxBadge } from './outbox-badge.tsx';

const MoreSheet = deferred<MoreSheetProps>(async () => (await import('./more-sheet.tsx')).MoreSheet);

/** Navigation of a phone: the pages of every day, and a sheet for the rest. */
export function BottomBar({ onHelp }: { readonly onHelp: () => void }) {
  const path = useRouterState({ select: (state) => state.location.pathname });
  // Open on the page it was opened on: whoever goes elsewhere from it has closed it.
  const [openAt, setOpenAt] = useState<string | null>(null);
  if (openAt !== null && openAt !== path) setOpenAt(null);
  const inMore = path.startsWith('/settings') || path === '/logs';
  return (
    <nav className={styles.bar} aria-label="Pages, phone">
      <Link to="/" className={styles.item} activeOptions={{ exact: true, includeSearch: false }}>
        <Icon name="fleet" size="l" />
        Fleet
      </Link>
      <Link to="/activity" className={styles.item} activeOptions={{ includeSearch: false }}>
        <Icon name="activity" size="l" />
        Activity
      </Link>
      <Link to="/outbox" className={styles.item} activeOptions={{ includeSearch: false }}>
        <Icon name="outbox" size="l" />
        Outbox
        <OutboxBadge />
      </Link>
      <button
        type="button"
        className={styles.item}
        aria-haspopup="dialog"
        data-current={inMore}
        onClick={() => setOpenAt(path)}
      >
        <Icon name="more" size="l" />
        More
      </button>
      <MoreSheet open={openAt === path} path={path} onClose={() => setOpenAt(null)} onHelp={onHelp} />
    </nav>
  );
}
