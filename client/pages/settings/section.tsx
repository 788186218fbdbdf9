import type { ReactNode } from 'react';
import styles from './section.module.css';

interface SectionProps {
  readonly title: string;
  readonly note?: ReactNode;
  readonly action?: ReactNode;
  readonly children: ReactNode;
}

/** Head and body of a settings section; on a phone the page's head has the title already. */
export function Section({ title, note, action, children }: SectionProps) {
  return (
    <div className={styles.section}>
      <header className={styles.head}>
        <h2 className={styles.title}>{title}</h2>
        {note === undefined ? null : <p className={styles.note}>{note}</p>}
        {action === undefined ? null : <div className={styles.action}>{action}</div>}
      </header>
      {children}
    </div>
  );
}

/** A setting: what it is, and its control. */
export function Setting({
  title,
  detail,
  children,
}: {
  readonly title: string;
  readonly detail?: ReactNode;
  readonly children: ReactNode;
}) {
  return (
    <div className={styles.setting}>
      <div className={styles.words}>
        <p className={styles.name}>{title}</p>
        {detail === undefined ? null : <p className={styles.detail}>{detail}</p>}
      </div>
      {children}
    </div>
  );
}
