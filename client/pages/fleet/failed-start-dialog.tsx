import type { FailedStart } from '#shared/schemas/model.ts';
import { useNow } from '../../data/use-now.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { formatStamp } from '../../ui/format.ts';
import styles from './failed-start-dialog.module.css';

/** See {@link FailedStartDialog}. */
export interface FailedStartDialogProps {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly hostLabel: string;
  readonly modelId: string;
  readonly failedStart: FailedStart;
}

/** Why a model did not start, with the log lines around it. */
export function FailedStartDialog({
  open,
  onClose,
  hostLabel,
  modelId,
  failedStart,
}: FailedStartDialogProps) {
  const now = useNow(5000);
  return (
    <Dialog open={open} onClose={onClose} title={`${modelId} failed to start on ${hostLabel}`}>
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
    </Dialog>
  );
}

/** Colours of a terminal are noise here; the log page will map them. */
function withoutAnsi(line: string): string {
  // oxlint-disable-next-line no-control-regex -- the escape character is what is cut out
  return line.replace(/\u001b\[[0-9;?]*[A-Za-z]/g, '');
}
