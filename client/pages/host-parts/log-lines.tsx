import { withoutColours } from '#shared/lib/clean-log-text.ts';
import styles from './log-lines.module.css';

/** Log lines around a failed start, as the host wrote them but for what was redacted. */
export function LogLines({ lines, label }: { readonly lines: readonly string[]; readonly label: string }) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls: the keyboard must reach it
    <pre className={styles.lines} tabIndex={0} aria-label={label}>
      {lines.map(withoutColours).join('\n')}
    </pre>
  );
}
