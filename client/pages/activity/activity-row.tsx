/* oxlint-disable jsx-a11y/prefer-tag-over-role, jsx-a11y/click-events-have-key-events -- the grid around it is the focus and has the keys; rows are laid out absolutely */
import type { ActivityGap, ActivityRow as Row } from '#shared/schemas/activity.ts';
import { Glyph } from '../../ui/glyph.tsx';
import styles from './activity-row.module.css';
import type { Outcome, RequestRowView } from './row-view.ts';
import { gapWords, requestRow } from './row-view.ts';

interface ActivityRowProps {
  readonly id: string;
  readonly row: Row;
  readonly rowIndex: number;
  readonly hostLabel: string;
  readonly now: number;
  readonly isSelected: boolean;
  readonly top: number;
  readonly height: number;
  readonly onOpen: () => void;
}

/** A request or a gap: one line of a table on a laptop, two lines on a phone. */
export function ActivityRow({
  id,
  row,
  rowIndex,
  hostLabel,
  now,
  isSelected,
  top,
  height,
  onOpen,
}: ActivityRowProps) {
  return (
    <div
      id={id}
      role="row"
      aria-rowindex={rowIndex}
      aria-selected={isSelected}
      className={styles.row}
      data-kind={row.type}
      style={{ transform: `translateY(${top}px)`, height: `${height}px` }}
      onClick={onOpen}
    >
      {row.type === 'gap' ? (
        <GapCells gap={row} hostLabel={hostLabel} now={now} />
      ) : (
        <RequestCells view={requestRow(row, now)} hostLabel={hostLabel} />
      )}
    </div>
  );
}

function RequestCells({ view, hostLabel }: { readonly view: RequestRowView; readonly hostLabel: string }) {
  return (
    <>
      <span role="gridcell" className={styles.ended}>
        {view.ended}
      </span>
      <span role="gridcell" className={styles.status} data-outcome={view.outcome}>
        <OutcomeGlyph outcome={view.outcome} />
        {view.code}
      </span>
      <span role="gridcell" className={styles.host}>
        {hostLabel}
        <span className={styles.from}> · {view.source ?? 'source unknown'}</span>
      </span>
      <span role="gridcell" className={styles.model}>
        {view.model}
      </span>
      <span role="gridcell" className={styles.source} data-known={view.source !== null}>
        {view.source ?? 'unknown'}
      </span>
      {view.message === null ? (
        <>
          <span role="gridcell" className={styles.tokens}>
            {view.tokens}
          </span>
          <span role="gridcell" className={styles.rate}>
            {view.rate}
          </span>
          <span role="gridcell" className={styles.took}>
            {view.took}
          </span>
          <span className={styles.short} aria-hidden="true">
            {view.short}
          </span>
        </>
      ) : (
        <span role="gridcell" className={styles.message} aria-colspan={3} data-outcome={view.outcome}>
          {view.message}
        </span>
      )}
    </>
  );
}

function OutcomeGlyph({ outcome }: { readonly outcome: Outcome }) {
  if (outcome === 'failed') return <Glyph name="failed" hue="bad" />;
  return outcome === 'client-left' ? <Glyph name="needs-confirmation" hue="warn" /> : null;
}

function GapCells({
  gap,
  hostLabel,
  now,
}: {
  readonly gap: ActivityGap;
  readonly hostLabel: string;
  readonly now: number;
}) {
  return (
    <span role="gridcell" aria-colspan={8} className={styles.gap}>
      <span className={styles.plate}>
        <Glyph name="gap" hue="warn" />
        <strong className={styles.gapTitle}>Gap on {hostLabel}</strong> {gapWords(gap, now)}
      </span>
    </span>
  );
}
