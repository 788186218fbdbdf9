import type { ActivityRequest } from '#shared/schemas/activity.ts';
import type { CompletionAnswer } from '#shared/schemas/completion.ts';
import { useHost } from '../../../data/use-fleet.ts';
import { useNow } from '../../../data/use-now.ts';
import { formatCount, formatDay, formatDuration, formatTime, isSameDay } from '../../../ui/format.ts';
import { sourceWords } from '../../frame/source-words.ts';
import { outputTokens } from '../row-view.ts';
import { timeShares } from './inspector-view.ts';
import styles from './request-facts.module.css';
import { TimeBar } from './time-bar.tsx';

const CERTAINTY = {
  exact: ', as the host noted it',
  matched: ', matched to a running request',
  unknown: '',
} as const;

interface RequestFactsProps {
  readonly row: ActivityRequest;
  /** Null: not known, or not yet. */
  readonly answer: CompletionAnswer | null;
}

/** What the row itself says: where, when, from whom, how many tokens, and where the time went. */
export function RequestFacts({ row, answer }: RequestFactsProps) {
  const host = useHost(row.hostId);
  const now = useNow(60_000);
  const day = isSameDay(row.endedAt, now) ? '' : `${formatDay(row.endedAt, now)}, `;
  const shares = timeShares(row, answer?.timings ?? null);
  const cards: readonly (readonly [value: string, label: string])[] = [
    [formatCount(row.inputTokens), 'new tokens in'],
    [formatCount(row.cachedTokens), 'from cache'],
    [formatCount(outputTokens(row)), 'tokens out'],
    [formatDuration(row.durationMs), 'request to end'],
  ];
  return (
    <div className={styles.facts}>
      <p className={styles.line}>
        {host?.label ?? row.hostId} · <code>{row.path ?? 'path unknown'}</code> · ended {day}
        {formatTime(row.endedAt)}
        <br />
        Source{' '}
        {row.source === null ? (
          'unknown'
        ) : (
          <>
            <strong>{sourceWords(row.source)}</strong>
            {CERTAINTY[row.sourceCertainty]}
          </>
        )}
      </p>
      {row.error === null ? null : <p className={styles.error}>{row.error}</p>}
      <dl className={styles.cards}>
        {cards.map(([value, label]) => (
          <div key={label} className={styles.card}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {shares === null ? null : <TimeBar shares={shares} />}
    </div>
  );
}
