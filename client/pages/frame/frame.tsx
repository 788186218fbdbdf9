import { Outlet, useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { useConnection } from '../../data/use-connection.ts';
import { useNow } from '../../data/use-now.ts';
import { Announce } from '../../ui/announce.tsx';
import { deferred } from '../../ui/deferred.tsx';
import { useShortcuts } from '../../ui/shortcuts.ts';
import { ActWaiting } from './act-waiting.tsx';
import { BottomBar } from './bottom-bar.tsx';
import { connectionView } from './connection-view.ts';
import styles from './frame.module.css';
import type { HelpSheetProps } from './help-sheet.tsx';
import { usePaletteKey } from './palette-state.ts';
import { Rail } from './rail.tsx';

const HelpSheet = deferred<HelpSheetProps>(async () => (await import('./help-sheet.tsx')).HelpSheet);
/** Decides and asks when something is to be done. */
const ActHost = deferred<object>(async () => (await import('../intents/act-host.tsx')).ActHost, false);
const FrameNotices = deferred<object>(async () => (await import('./frame-notices.tsx')).FrameNotices, false);

/** What stands around every page: rail or bottom bar, the page, the help sheet, and what is said in passing. */
export function Frame() {
  const router = useRouter();
  const [helpOpen, setHelpOpen] = useState(false);
  usePaletteKey();
  useShortcuts({
    'g f': () => void router.navigate({ to: '/' }),
    'g a': () => void router.navigate({ to: '/activity' }),
    'g l': () => void router.navigate({ to: '/logs' }),
    'g o': () => void router.navigate({ to: '/outbox' }),
    'g h': () => void router.navigate({ to: '/settings/$section', params: { section: 'health' } }),
    'g s': () => void router.navigate({ to: '/settings' }),
    '?': () => setHelpOpen(true),
  });
  return (
    <div className={styles.frame}>
      <a className={styles.skip} href="#main">
        Skip to the page
      </a>
      <Rail />
      <main id="main" tabIndex={-1} className={styles.main}>
        <Outlet />
      </main>
      <BottomBar onHelp={() => setHelpOpen(true)} />
      <HelpSheet open={helpOpen} onClose={() => setHelpOpen(false)} />
      <FrameNotices />
      <ActHost meanwhile={<ActWaiting />} />
      <ConnectionAnnouncer />
    </div>
  );
}

/** Says to a screen reader when the way to the collector changes; the age in the words is left out of it. */
function ConnectionAnnouncer() {
  const connection = useConnection();
  const now = useNow(60_000);
  return <Announce message={`Connection: ${connectionView({ ...connection, since: now }, now).word}`} />;
}
