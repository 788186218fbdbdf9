/* oxlint-disable jsx-a11y/prefer-tag-over-role -- rows are laid out absolutely: table elements would lose their roles */
import { memo } from 'react';
import type { ActivityRow as Row } from '#shared/schemas/activity.ts';
import { Icon } from '../../ui/icon.tsx';
import { Glyph } from '../../ui/glyph.tsx';
import styles from './activity-row.module.css';
import type { Outcome, RequestRowView } from './row-view.ts';
import { certaintyWords, gapWords, requestRow } from './row-view.ts';

/** `aria-rowindex` of the newest row: the head is 1. */
export const FIRST_ROW = 2;

interface ActivityRowProps {
  readonly id: string;
  readonly row: Row;
  readonly rowIndex: number;
  readonly hostLabel: string;
  readonly now: number;
  readonly isSelected: boolean;
  readonly isTable: boolean;
  readonly top: number;
  readonly height: number;
}

/**
 * A request or a gap: one line of a table on a laptop, two lines on a phone. Memoized by hand: the list that draws it
 * opts out of the compiler, and a scrolled row must not be drawn anew.
 */
export const ActivityRow = memo(function ActivityRow({
  id,
  row,
  rowIndex,
  hostLabel,
  now,
  isSelected,
  isTable,
  top,
  height,
}: ActivityRowProps) {
  const view = row.type === 'gap' ? null : requestRow(row, now);
  return (
    <div
      id={id}
      role="row"
      aria-rowindex={rowIndex}
      data-index={rowIndex - FIRST_ROW}
      aria-selected={isSelected}
      className={styles.row}
      data-kind={row.type}
      data-message={view?.message != null}
      style={{ top: `${top}px`, height: `${height}px` }}
    >
      {view === null || row.type === 'gap' ? (
        <GapCells row={row} hostLabel={hostLabel} now={now} />
      ) : isTable ? (
        <TableCells view={view} hostLabel={hostLabel} />
      ) : (
        <TwoLineCells view={view} hostLabel={hostLabel} />
      )}
      {row.type === 'request' && row.hasCapture ? (
        <span className={styles.capture} aria-hidden="true">
          <Icon name="capture" size="s" />
        </span>
      ) : null}
    </div>
  );
});

interface CellsProps {
  readonly view: RequestRowView;
  readonly hostLabel: string;
}

function TableCells({ view, hostLabel }: CellsProps) {
  return (
    <>
      <EndedAndStatus view={view} />
      <span role="gridcell" className={styles.host}>
        {hostLabel}
      </span>
      <span role="gridcell" className={styles.model}>
        {view.model}
      </span>
      <span
        role="gridcell"
        className={styles.source}
        data-certainty={view.certainty}
        title={`Source ${certaintyWords(view.certainty)}`}
      >
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
        </>
      ) : (
        <Message view={view} />
      )}
    </>
  );
}

function TwoLineCells({ view, hostLabel }: CellsProps) {
  return (
    <>
      <EndedAndStatus view={view} />
      <span role="gridcell" className={styles.model}>
        {view.model}
      </span>
      <span role="gridcell" className={styles.host}>
        {view.message === null ? (
          <>
            {hostLabel} · <span data-certainty={view.certainty}>{view.source ?? 'source unknown'}</span>
          </>
        ) : (
          hostLabel
        )}
      </span>
      {view.message === null ? (
        <span role="gridcell" className={styles.short}>
          {view.short}
        </span>
      ) : (
        <Message view={view} />
      )}
    </>
  );
}

function EndedAndStatus({ view }: { readonly view: RequestRowView }) {
  return (
    <>
      <span role="gridcell" className={styles.ended}>
        {view.ended}
      </span>
      <span role="gridcell" className={styles.status} data-outcome={view.outcome}>
        <OutcomeGlyph outcome={view.outcome} />
        {view.code}
      </span>
    </>
  );
}

function Message({ view }: { readonly view: RequestRowView }) {
  return (
    <span role="gridcell" className={styles.message} aria-colspan={3} data-outcome={view.outcome}>
      {view.message}
    </span>
  );
}

function OutcomeGlyph({ outcome }: { readonly outcome: Outcome }) {
  if (outcome === 'failed') return <Glyph name="failed" hue="bad" />;
  return outcome === 'client-left' ? <Glyph name="needs-confirmation" hue="warn" /> : null;
}

function GapCells({
  row,
  hostLabel,
  now,
}: {
  readonly row: Row;
  readonly hostLabel: string;
  readonly now: number;
}) {
  if (row.type !== 'gap') return null;
  return (
    <span role="gridcell" aria-colspan={8} className={styles.gap}>
      <span className={styles.plate}>
        <Glyph name="gap" hue="warn" />
        <strong className={styles.gapTitle}>Gap on {hostLabel}</strong> {gapWords(row, now)}
      </span>
    </span>
  );
}
