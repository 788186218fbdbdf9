import type { EarlierLog } from '../../data/use-earlier-lines.ts';
import { Button } from '../../ui/button.tsx';
import { formatMoment } from '../../ui/format.ts';
import styles from './earlier-bar.module.css';

interface EarlierBarProps {
  readonly earlier: EarlierLog;
  readonly now: number;
  /** Holds the lines still: earlier ones come in above. */
  readonly onMore: () => void;
}

/** Above the lines, where the collector keeps older ones: how far back, and the way to them. */
export function EarlierBar({ earlier, now, onMore }: EarlierBarProps) {
  const { keptFrom, hasMore, isFetching, error, lines, more } = earlier;
  if (keptFrom === null) return null;
  const oldest = lines.find(({ at }) => at !== null)?.at ?? null;
  return (
    <div className={styles.bar}>
      <span>
        {error !== null
          ? `Earlier lines did not come: ${error}`
          : hasMore
            ? `Kept back to ${formatMoment(keptFrom, now)}`
            : `From ${formatMoment(oldest ?? keptFrom, now)}: nothing earlier to show`}
      </span>
      {hasMore ? (
        <Button
          look="quiet"
          unavailable={isFetching ? 'On their way.' : null}
          onClick={() => {
            onMore();
            more();
          }}
        >
          Earlier lines
        </Button>
      ) : null}
    </div>
  );
}
