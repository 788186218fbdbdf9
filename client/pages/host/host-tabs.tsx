import { Link, getRouteApi } from '@tanstack/react-router';
import { useShortcuts } from '../../ui/shortcuts.ts';
import type { HostSearch, HostTab } from './host-search.ts';
import styles from './host-tabs.module.css';

const route = getRouteApi('/hosts/$hostId');

interface HostTabsProps {
  readonly hostId: string;
  readonly label: string;
  readonly shown: HostTab;
  readonly isWide: boolean;
  /** How many models the host has. */
  readonly models: number;
}

/** The ways to look at one host: parts of its page, and the pages of all hosts for this one. */
export function HostTabs({ hostId, label, shown, isWide, models }: HostTabsProps) {
  const navigate = route.useNavigate();
  const open = (tab: HostSearch['tab']): void =>
    void navigate({ search: (last) => searchFor(last, tab), replace: true });
  const parts = isWide
    ? ([
        ['overview', 'Overview', undefined],
        ['models', `Models ${models}`, 'models'],
      ] as const)
    : ([
        ['now', 'Now', 'now'],
        ['history', 'History', 'history'],
      ] as const);
  useShortcuts({
    '1': () => open(parts[0][2]),
    '2': () => open(parts[1][2]),
    '3': () => void navigate({ to: '/activity', search: { host: [hostId] } }),
    '4': () => void navigate({ to: '/logs', search: { host: hostId } }),
  });
  return (
    <nav className={styles.tabs} aria-label={`Views of ${label}`}>
      {parts.map(([part, words, tab]) => (
        <Link
          key={part}
          to="/hosts/$hostId"
          params={{ hostId }}
          search={(last) => searchFor(last, tab)}
          replace
          activeOptions={{ exact: true }}
          className={styles.tab}
          data-shown={part === shown}
          aria-current={part === shown ? 'page' : undefined}
        >
          {words}
        </Link>
      ))}
      <Link to="/activity" search={{ host: [hostId] }} className={styles.tab}>
        Activity
      </Link>
      <Link to="/logs" search={{ host: hostId }} className={styles.tab}>
        Logs
      </Link>
    </nav>
  );
}

/** The range stays; the filter belongs to the models. */
function searchFor({ q, range }: HostSearch, tab: HostSearch['tab']): HostSearch {
  return {
    ...(tab && { tab }),
    ...(q !== undefined && (tab === 'models' || tab === 'now') && { q }),
    ...(range && { range }),
  };
}
