import { useConnection } from '../../data/use-connection.ts';
import { Glyph } from '../../ui/glyph.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Section } from './section.tsx';
import { StorageBudget } from './storage-budget.tsx';
import { StorageDays } from './storage-days.tsx';
import { StorageExport } from './storage-export.tsx';
import { StoragePromise } from './storage-promise.tsx';
import styles from './storage-section.module.css';

/** What of the fleet's history is kept on this device, how much of it there may be, and a way to take it elsewhere. */
export function StorageSection() {
  const connection = useConnection();
  if (connection.storage === 'insecure') {
    return (
      <Section title="On this device">
        <Panel label="Storage">
          <div className={styles.note}>
            <Glyph name="needs-confirmation" hue="warn" />
            <p>
              <strong>Nothing is kept here.</strong> This address is not encrypted, so the browser forbids
              offline use. Live view and actions work.
            </p>
          </div>
          <div className={styles.foot}>
            <LinkButton to="/settings/$section" params={{ section: 'https' }}>
              Three ways to https
            </LinkButton>
          </div>
        </Panel>
      </Section>
    );
  }
  return (
    <Section title="On this device" action={<StorageExport />}>
      <div className={styles.summary}>
        <StorageBudget />
        <StoragePromise />
      </div>
      <StorageDays />
    </Section>
  );
}
