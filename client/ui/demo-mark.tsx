import styles from './demo-mark.module.css';

/** Dashed chip on everything that no real machine stands behind. */
export function DemoMark() {
  return <span className={styles.mark}>Demo</span>;
}
