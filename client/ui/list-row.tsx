import type { ReactNode } from 'react';
import styles from './list-row.module.css';

interface ListRowProps {
  readonly lead?: ReactNode;
  readonly title: ReactNode;
  readonly detail?: ReactNode;
  readonly value?: ReactNode;
}

/** What a row of a list holds: a shape, two lines, and something at the right. Wrap it in a link, a button or an `li`. */
export function ListRow({ lead, title, detail, value }: ListRowProps) {
  return (
    <span className={styles.row}>
      {lead === undefined ? null : <span className={styles.lead}>{lead}</span>}
      <span className={styles.words}>
        <span className={styles.title}>{title}</span>
        {detail === undefined ? null : <span className={styles.detail}>{detail}</span>}
      </span>
      {value === undefined ? null : <span className={styles.value}>{value}</span>}
    </span>
  );
}

/** Rows with a hairline between them. */
export function RowList({ children }: { readonly children: ReactNode }) {
  return <ul className={styles.list}>{children}</ul>;
}
