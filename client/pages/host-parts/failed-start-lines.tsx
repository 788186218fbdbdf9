import type { FailedStart } from '#shared/schemas/model.ts';
import { useNow } from '../../data/use-now.ts';
import { formatStamp } from '../../ui/format.ts';
import styles from './failed-start-lines.module.css';

/** Why a model did not start, and the log lines around it. */
export function FailedStartLines({ failedStart }: { readonly failedStart: FailedStart }) {
  const now = useNow(5000);
  return (
    <>
      <p className={styles.reason}>{failedStart.reason}</p>
      <p>{formatStamp(failedStart.at, now)}</p>
      {failedStart.lines.length === 0 ? (
        <p className={styles.note}>The host gave no log lines about it.</p>
      ) : (
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls: the keyboard must reach it
        <pre className={styles.lines} tabIndex={0} aria-label="Log lines around the failure">
          {failedStart.lines.map(withoutAnsi).join('\n')}
        </pre>
      )}
    </>
  );
}

/** Colours of a terminal are noise here; the log page will map them. */
function withoutAnsi(line: string): string {
  // oxlint-disable-next-line no-control-regex -- the escape character is what is cut out
  return line.replace(/\u001b\[[0-9;?]*[A-Za-z]/g, '');
}
