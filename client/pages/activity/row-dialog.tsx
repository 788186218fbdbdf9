import type { RefObject } from 'react';
import type { ActivityRequest, ActivityRow } from '#shared/schemas/activity.ts';
import { useHost } from '../../data/use-fleet.ts';
import { useNow } from '../../data/use-now.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { formatCount, formatDay, formatDuration, formatRate, formatTime, UNKNOWN } from '../../ui/format.ts';
import styles from './row-dialog.module.css';
import { gapWords, sourceWords, outputTokens } from './row-view.ts';

interface RowDialogProps {
  readonly row: ActivityRow | null;
  readonly onClose: () => void;
  /** Has the focus afterwards: a row that was opened may be gone from the page by then. */
  readonly returnTo: RefObject<HTMLElement | null>;
}

/** All that is known of a row. */
export function RowDialog({ row, onClose, returnTo }: RowDialogProps) {
  const now = useNow(60_000);
  return (
    <Dialog
      open={row !== null}
      onClose={onClose}
      returnTo={returnTo}
      title={row === null ? '' : row.type === 'gap' ? 'A gap' : row.modelId || '(no model)'}
    >
      {row === null ? null : row.type === 'gap' ? (
        <p>
          {row.hostId}: {gapWords(row, now)}
        </p>
      ) : (
        <RequestFacts row={row} now={now} />
      )}
    </Dialog>
  );
}

function RequestFacts({ row, now }: { readonly row: ActivityRequest; readonly now: number }) {
  const host = useHost(row.hostId);
  const rate = (value: number | null): string => (value === null ? UNKNOWN : `${formatRate(value)} t/s`);
  const facts: readonly (readonly [string, string])[] = [
    ['Status', row.status === null ? UNKNOWN : String(row.status)],
    ['Host', host?.label ?? row.hostId],
    ['Path', row.path ?? UNKNOWN],
    ['Source', row.source === null ? 'unknown' : sourceWords(row.source)],
    ['Ended', `${formatDay(row.endedAt, now)}, ${formatTime(row.endedAt)}`],
    ['Took', formatDuration(row.durationMs)],
    ['New tokens in', formatCount(row.inputTokens)],
    ['From cache', formatCount(row.cachedTokens)],
    ['Tokens out', formatCount(outputTokens(row))],
    ['Prefill', rate(row.promptPerSecond)],
    ['Decode', rate(row.tokensPerSecond)],
    ['Id on the host', `${row.id}${row.idEpoch === 0 ? '' : `, epoch ${row.idEpoch}`}`],
  ];
  return (
    <>
      {row.error === null ? null : <p className={styles.error}>{row.error}</p>}
      <dl className={styles.facts}>
        {facts.map(([name, value]) => (
          <div key={name} className={styles.fact}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}
