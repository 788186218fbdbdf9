import type { ReactNode } from 'react';
import styles from './panel.module.css';

interface PanelProps {
  readonly title?: ReactNode;
  /** Beside the title: a count, a stamp. */
  readonly note?: ReactNode;
  /** At the right of the head. */
  readonly action?: ReactNode;
  readonly children: ReactNode;
  /** `dashed`: demo or not yet. */
  readonly edge?: 'plain' | 'dashed';
  readonly label?: string;
}

/** A card: a bordered ground with an optional head. */
export function Panel({ title, note, action, children, edge = 'plain', label }: PanelProps) {
  return (
    <section className={styles.panel} data-edge={edge} aria-label={label}>
      {title === undefined ? null : (
        <header className={styles.head}>
          <h2 className={styles.title}>{title}</h2>
          {note === undefined ? null : <span className={styles.note}>{note}</span>}
          {action === undefined ? null : <span className={styles.action}>{action}</span>}
        </header>
      )}
      {children}
    </section>
  );
}

/** Pads what stands in a {@link Panel} and is no list of rows. */
export function PanelBody({ children }: { readonly children: ReactNode }) {
  return <div className={styles.body}>{children}</div>;
}
