import { Link } from '@tanstack/react-router';
import { useSession } from '../../data/use-session.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Icon } from '../../ui/icon.tsx';
import { ListRow, RowList } from '../../ui/list-row.tsx';
import { SETTINGS_PAGES } from './nav-items.ts';

/** See {@link MoreSheet}. */
export interface MoreSheetProps {
  readonly open: boolean;
  readonly path: string;
  readonly onClose: () => void;
  readonly onHelp: () => void;
}

/** The pages that have no place in the bottom bar. */
export function MoreSheet({ open, path, onClose, onHelp }: MoreSheetProps) {
  const { role } = useSession();
  return (
    <Dialog open={open} onClose={onClose} title="More">
      <RowList>
        <li>
          <Link
            to="/logs"
            replace
            onClick={(event) => {
              if (path !== '/logs') return;
              event.preventDefault();
              onClose();
            }}
          >
            <ListRow lead={<Icon name="logs" />} title="Logs" />
          </Link>
        </li>
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
