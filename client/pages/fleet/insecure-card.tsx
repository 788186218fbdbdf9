import { Button } from '../../ui/button.tsx';
import { Glyph } from '../../ui/glyph.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { setPreferences } from '../../ui/preferences.ts';
import { usePreferences } from '../../ui/use-preferences.ts';
import styles from './insecure-card.module.css';

const NEEDS_HTTPS = ['Open without a network', 'Install as an app'] as const;

/** On plain http from another machine: what is off and the three ways out. Hidden here, it stays in the settings. */
export function InsecureCard() {
  const { insecureHidden } = usePreferences();
  if (insecureHidden) return null;
  return (
    <section className={styles.card} aria-label="This address is not encrypted">
      <header className={styles.head}>
        <Glyph name="needs-confirmation" hue="warn" />
        <div>
          <h2 className={styles.title}>This address is not encrypted</h2>
          <p className={styles.words}>
            <code>{window.location.origin}</code>: the browser forbids what is off below. Live view and
            actions work.
          </p>
        </div>
      </header>
      <ul className={styles.list}>
        {NEEDS_HTTPS.map((what) => (
          <li key={what} className={styles.row}>
            <span>{what}</span>
            <span className={styles.needs}>needs https</span>
            <span className={styles.switch} aria-hidden="true" />
          </li>
        ))}
      </ul>
      <div className={styles.actions}>
        <LinkButton to="/settings/$section" params={{ section: 'https' }} look="quiet">
          Three ways to https
        </LinkButton>
        <Button look="quiet" onClick={() => setPreferences({ insecureHidden: true })}>
          Hide here
        </Button>
      </div>
    </section>
  );
}
