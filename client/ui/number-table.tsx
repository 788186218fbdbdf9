import type { ReactNode } from 'react';
import styles from './number-table.module.css';

/** A table of numbers: what names a row stands left in its first cell, the numbers right under their heads. */
export function NumberTable({ heads, children }: NumberTableProps) {
  return (
    <table className={styles.table}>
      <thead>
        <tr>
          {heads.map((head, column) => (
            <th key={`${column} ${head}`} scope="col">
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  );
}

interface NumberTableProps {
  readonly heads: readonly string[];
  /** Rows, each begun by a `th` of scope `row`. */
  readonly children: ReactNode;
}
