import { Link, useRouterState } from '@tanstack/react-router';
import { useState } from 'react';
import { useSession } from '../../data/use-session.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Icon } from '../../ui/icon.tsx';
import { ListRow, RowList } from '../../ui/list-row.tsx';
import styles from './bottom-bar.module.css';
import { SETTINGS_PAGES } from './nav-items.ts';

/** Navigation of a phone: the pages of every day, and a sheet for the rest. */
export function BottomBar({ onHelp }: { readonly onHelp: () => void }) {
  const path = useRouterState({ select: (state) => state.location.pathname });
  // Open on the page it was opened on: whoever goes elsewhere from it has closed it.
  const [openAt, setOpenAt] = useState<string | null>(null);
  if (openAt !== null && openAt !== path) setOpenAt(null);
  const inSettings = path.startsWith('/settings');
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
      <button
        type="button"
        className={styles.item}
        aria-haspopup="dialog"
        data-current={inSettings}
        onClick={() => setOpenAt(path)}
      >
        <Icon name="more" size="l" />
        More
      </button>
      <MoreSheet open={openAt === path} path={path} onClose={() => setOpenAt(null)} onHelp={onHelp} />
    </nav>
  );
}

interface MoreSheetProps {
  readonly open: boolean;
  readonly path: string;
  readonly onClose: () => void;
  readonly onHelp: () => void;
}

function MoreSheet({ open, path, onClose, onHelp }: MoreSheetProps) {
  const { role } = useSession();
  return (
    <Dialog open={open} onClose={onClose} title="More">
      <RowList>
        {SETTINGS_PAGES.filter((page) => !page.admin || role === 'admin').map((page) => (
          <li key={page.section}>
            <Link
              to="/settings/$section"
              params={{ section: page.section }}
              replace
              onClick={(event) => {
                if (path !== `/settings/${page.section}`) return;
                event.preventDefault();
                onClose();
              }}
            >
              <ListRow lead={<Icon name={page.icon} />} title={page.title} />
            </Link>
          </li>
        ))}
        <li>
          <button
            type="button"
            onClick={() => {
              onClose();
              onHelp();
            }}
          >
            <ListRow lead={<Icon name="info" />} title="Help" />
          </button>
        </li>
      </RowList>
    </Dialog>
  );
}
