import type { FailedStart } from '#shared/schemas/model.ts';
import { useNow } from '../../data/use-now.ts';
import { formatStamp } from '../../ui/format.ts';
import { Glyph } from '../../ui/glyph.tsx';
import styles from './failed-start-lines.module.css';
import { LogLines } from './log-lines.tsx';

/** Why a model did not start, and the log lines around it. */
export function FailedStartLines({ failedStart }: { readonly failedStart: FailedStart }) {
  const now = useNow(5000);
  return (
    <>
      <p className={styles.reason}>
        <Glyph name="failed" hue={failedStart.beforeRestart === true ? 'off' : 'bad'} /> {failedStart.reason}
      </p>
      <p>
        {formatStamp(failedStart.at, now)}
        {failedStart.beforeRestart === true ? ', before llama-swap was restarted' : ''}
      </p>
      {failedStart.lines.length === 0 ? (
        <p className={styles.note}>The host gave no log lines about it.</p>
      ) : (
        <LogLines lines={failedStart.lines} label="Log lines around the failure" />
      )}
    </>
  );
}
