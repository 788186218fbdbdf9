import type { TimeShare } from './inspector-view.ts';
import styles from './time-bar.module.css';

/** Where the time of a request went: a bar, and the same in words. */
export function TimeBar({ shares }: { readonly shares: readonly TimeShare[] }) {
  return (
    <div className={styles.time}>
      <div className={styles.bar} aria-hidden="true">
        {shares.map(({ kind, ms }) => (
          <span key={kind} data-kind={kind} style={{ flexGrow: ms }} />
        ))}
      </div>
      <ul className={styles.words} aria-label="Where the time went">
        {shares.map(({ kind, words }) => (
          <li key={kind} data-kind={kind}>
            {words}
          </li>
        ))}
      </ul>
    </div>
  );
}
