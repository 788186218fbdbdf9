import { getRouteApi, Link } from '@tanstack/react-router';
import { useKeptReport } from '../../data/health-report.ts';
import { useStorageWishes } from '../../data/storage-wishes.ts';
import { usePersistOutcome } from '../../data/use-install.ts';
import { useConnection } from '../../data/use-connection.ts';
import { useSession } from '../../data/use-session.ts';
import { useFleet } from '../../data/use-fleet.ts';
import { useHistoryDays } from '../../data/use-history-days.ts';
import { Icon } from '../../ui/icon.tsx';
import { usePreferences } from '../../ui/use-preferences.ts';
import type { SettingsSection } from '../frame/nav-items.ts';
import { SETTINGS_PAGES } from '../frame/nav-items.ts';
import { Page } from '../frame/page.tsx';
import { AboutSection } from './about-section.tsx';
import { DeviceSection } from './device-section.tsx';
import { DevicesSection } from './devices-section.tsx';
import { HealthSection } from './health-section.tsx';
import { HostsSection } from './hosts-section.tsx';
import { HttpsSection } from './https-section.tsx';
import { KeyboardSection } from './keyboard-section.tsx';
import { KeysSection } from './keys-section.tsx';
import { sectionState } from './section-state.ts';
import styles from './settings-page.module.css';
import { StorageSection } from './storage-section.tsx';

const route = getRouteApi('/settings/$section');

/** The settings; without a section the list alone on a phone, the first section beside it on a laptop. */
export function SettingsPage() {
  return <Settings section={null} />;
}

/** One section of the settings. */
export function SettingsSectionPage() {
  const { section } = route.useParams();
  return <Settings section={section} />;
}

function Settings({ section }: { readonly section: SettingsSection | null }) {
  const shown = section ?? 'device';
  const title = SETTINGS_PAGES.find((page) => page.section === shown)?.title ?? 'Settings';
  return (
    <Page
      title={section === null ? 'Settings' : title}
      layout="flush"
      {...(section === null ? {} : { back: { to: '/settings', label: 'Settings' } as const })}
    >
      <div className={styles.page} data-list={section === null}>
        <SectionList shown={shown} />
        <div className={styles.section}>
          <Section section={shown} />
        </div>
      </div>
    </Page>
  );
}

function SectionList({ shown }: { readonly shown: SettingsSection }) {
  const session = useSession();
  const connection = useConnection();
  const preferences = usePreferences();
  const { hosts } = useFleet();
  const { heldBytes } = useHistoryDays();
  const { budgetBytes } = useStorageWishes();
  const persist = usePersistOutcome();
  const health = useKeptReport()?.health ?? null;
  const pages = SETTINGS_PAGES.filter((page) => !page.admin || session.role === 'admin');
  return (
    <nav className={styles.nav} aria-label="Settings">
      {[...new Set(pages.map((page) => page.group))].map((group) => (
        <div key={group}>
          <h2 className={styles.group}>{group}</h2>
          <ul>
            {pages
              .filter((page) => page.group === group)
              .map((page) => (
                <li key={page.section}>
                  <Link
                    to="/settings/$section"
                    params={{ section: page.section }}
                    className={styles.item}
                    data-shown={page.section === shown}
                  >
                    <Icon name={page.icon} />
                    <span>
                      <span className={styles.title}>{page.title}</span>
                      <span className={styles.state}>
                        {sectionState(page.section, {
                          session,
                          connection,
                          preferences,
                          hosts,
                          heldBytes,
                          budgetBytes,
                          persist,
                          health,
                        })}
                      </span>
                    </span>
                  </Link>
                </li>
              ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}

function Section({ section }: { readonly section: SettingsSection }) {
  switch (section) {
    case 'device':
      return <DeviceSection />;
    case 'keyboard':
      return <KeyboardSection />;
    case 'storage':
      return <StorageSection />;
    case 'hosts':
      return <HostsSection />;
    case 'devices':
      return <DevicesSection />;
    case 'keys':
      return <KeysSection />;
    case 'health':
      return <HealthSection />;
    case 'https':
      return <HttpsSection />;
    case 'about':
      return <AboutSection />;
    default:
      return null;
  }
}
