import { useState } from 'react';
import { keepStorage } from '../../data/keep-storage.ts';
import type { PersistOutcome } from '../../data/types.ts';
import { useConnection } from '../../data/use-connection.ts';
import { useInstall, usePersistOutcome } from '../../data/use-install.ts';
import { Button } from '../../ui/button.tsx';
import { Glyph } from '../../ui/glyph.tsx';
import { Panel } from '../../ui/panel.tsx';
import styles from './storage-section.module.css';

const PROMISES: Readonly<Record<PersistOutcome, readonly [title: string, detail: string]>> = {
  granted: ['The browser has promised to keep it.', 'Only you can clear it.'],
  refused: [
    'The browser may clear this copy.',
    'It refused to promise: it decides by how often Drover is used here, and whether the app is installed. Install the app or allow storage for this address, then ask again.',
  ],
  unsupported: [
    'The browser makes no promise.',
    'It cannot be asked, and may clear this copy when space runs short.',
  ],
  'not-asked': ['Not promised yet.', 'Until then the browser may clear this copy when space runs short.'],
};

/** Whether the browser promised to keep the copy, why not, and a way to ask again; and that nothing is saved, where it is so. */
export function StoragePromise() {
  const outcome = usePersistOutcome();
  const connection = useConnection();
  const install = useInstall();
  const [isAsking, setAsking] = useState(false);
  const [title, detail] = PROMISES[outcome];

  async function ask(): Promise<void> {
    setAsking(true);
    await keepStorage();
    setAsking(false);
  }

  return (
    <Panel label="Promise">
      <div className={styles.note}>
        <Glyph
          name={outcome === 'granted' ? 'succeeded' : 'needs-confirmation'}
          hue={outcome === 'granted' ? 'ready' : 'warn'}
        />
        <p aria-live="polite">
          <strong>{title}</strong> {detail}
        </p>
      </div>
      {outcome === 'refused' || outcome === 'not-asked' ? (
        <div className={styles.foot}>
          <Button disabled={isAsking} onClick={() => void ask()}>
            {isAsking ? 'Asking' : outcome === 'refused' ? 'Ask again' : 'Ask the browser'}
          </Button>
          {install.state === 'available' ? (
            <Button onClick={() => void install.install()}>Install the app</Button>
          ) : null}
        </div>
      ) : null}
      {connection.storage === 'not-saved' ? (
        <div className={styles.note}>
          <Glyph name="rejected" hue="bad" />
          <p>
            <strong>Not saved on this device.</strong> {connection.storageError ?? 'The browser refused.'}
          </p>
        </div>
      ) : null}
    </Panel>
  );
}
