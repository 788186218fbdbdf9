import { useId, useState } from 'react';
import type { Host } from '#shared/schemas/host.ts';
import { useNow } from '../../../data/use-now.ts';
import type { ShownPerformance } from '../../../data/use-performance-history.ts';
import { usePerformanceHistory } from '../../../data/use-performance-history.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { Panel, PanelBody } from '../../../ui/panel.tsx';
import { Segmented } from '../../../ui/segmented.tsx';
import { useChartColors } from './chart-colors.ts';
import { chartCsv } from './chart-csv.ts';
import type { ChartRange } from './chart-ranges.ts';
import { CHART_RANGES, rangeLabel, rangeSpanMs } from './chart-ranges.ts';
import { ChartRow } from './chart-row.tsx';
import { ChartTable } from './chart-table.tsx';
import { chartsView, lastIndex } from './chart-view.ts';
import { emptyWords, headWords, sourceWords } from './chart-words.ts';
import styles from './host-charts.module.css';
import { saveText } from './save-text.ts';
import type { Stretch } from './zoom.ts';
import { stepCursor, within, zoomed } from './zoom.ts';

/** See {@link HostCharts}. */
export interface HostChartsProps {
  readonly host: Host;
  readonly range: ChartRange;
  readonly onRange: (range: ChartRange) => void;
}

/** Below this a host's clock is as good as the collector's. */
const CLOCK_TOLERANCE_MS = 5_000;
const OPTIONS = CHART_RANGES.map((value) => ({ value, label: rangeLabel(value) }));

/** How a host's machine and cards did over time, on one axis with one cursor. */
export function HostCharts({ host, range, onRange }: HostChartsProps) {
  const now = useNow(60_000);
  const offset = host.clockOffsetMs ?? 0;
  const clockOffsetMs = Math.abs(offset) < CLOCK_TOLERANCE_MS ? 0 : offset;
  const shown = usePerformanceHistory({ hostId: host.id, spanMs: rangeSpanMs(range), clockOffsetMs });
  const empty = shown === null ? null : emptyWords(shown, host, { now, range: rangeLabel(range) });
  return (
    <Panel label="Performance">
      <div className={styles.head}>
        <Segmented label="Time shown" value={range} options={OPTIONS} onChange={onRange} />
        {shown === null ? null : <p className={styles.source}>{sourceWords(shown, now)}</p>}
      </div>
      {shown === null ? (
        <div className={styles.room} />
      ) : empty === null ? (
        <Charts key={range} hostId={host.id} shown={shown} />
      ) : (
        <PanelBody>
          <p className={styles.empty}>{empty}</p>
        </PanelBody>
      )}
    </Panel>
  );
}

function Charts({ hostId, shown }: { readonly hostId: string; readonly shown: ShownPerformance }) {
  const { answer, from, to } = shown;
  const colors = useChartColors();
  const syncKey = useId();
  const [zoom, setZoom] = useState<Stretch | null>(null);
  const [cursor, setCursor] = useState<{ readonly at: number; readonly isKeyed: boolean } | null>(null);
  const [table, setTable] = useState<string | null>(null);
  const view = chartsView(answer, { from, to });
  const { times, gaps, charts, missing } = view;
  const bounds = zoom ?? { from, to };
  const found = cursor === null ? -1 : times.indexOf(cursor.at);
  const index = found >= 0 ? found : lastIndex(view);
  const at = index === null ? null : (times[index] ?? null);

  const onCursor = (place: number | null): void => {
    const pointed = place === null ? undefined : times[place];
    if (pointed !== undefined) setCursor({ at: pointed, isKeyed: false });
    // Leaving with the pointer does not take away what keys put there.
    else if (cursor?.isKeyed === false) setCursor(null);
  };
  const onKey = (key: string): boolean => {
    const by = STEPS[key];
    const factor = ZOOMS[key];
    if (by !== undefined && index !== null) {
      const next = times[stepCursor(times, bounds, { index, by })];
      if (next !== undefined) setCursor({ at: next, isKeyed: true });
    } else if (factor !== undefined) {
      const middle = (bounds.from + bounds.to) / 2;
      const around = at !== null && at >= bounds.from && at <= bounds.to ? at : middle;
      setZoom(zoomed(bounds, { from, to }, { factor, at: around }));
    } else return false;
    return true;
  };
  const opened = charts.find(({ key }) => key === table);
  const data = charts.map((chart) => ({ chart, times, gaps, ...bounds }));
  return (
    <>
      <p className={styles.facts}>
        <span>{headWords(bounds, { at, isCursor: cursor !== null })}</span>
        {gaps.length === 0 ? null : (
          <span className={styles.legend}>
            <span className={styles.hatch} aria-hidden="true" />{' '}
            {shown.source === 'device' ? 'not on this device' : 'not recorded'}
          </span>
        )}
        {zoom === null ? null : (
          <button type="button" className={styles.reset} onClick={() => setZoom(null)}>
            Show all of it
          </button>
        )}
      </p>
      {data.map((one) => (
        <ChartRow
          key={one.chart.key}
          data={one}
          colors={colors}
          syncKey={syncKey}
          index={index}
          keyed={cursor?.isKeyed ? cursor.at : null}
          onCursor={onCursor}
          onZoom={(stretch) => setZoom(stretch === null ? null : within(stretch, { from, to }))}
          onKey={onKey}
          onTable={() => setTable(one.chart.key)}
          onCsv={() => saveText(`drover-${hostId}-${one.chart.key}.csv`, chartCsv(one.chart, times))}
        />
      ))}
      {missing.length === 0 ? null : (
        <p className={styles.missing}>Not reported by this host: {missing.join(', ')}.</p>
      )}
      <Dialog
        open={opened !== undefined}
        onClose={() => setTable(null)}
        title={opened === undefined ? '' : `${opened.title}, ${opened.unit}`}
      >
        {opened === undefined ? null : <ChartTable data={{ chart: opened, times, gaps, ...bounds }} />}
      </Dialog>
      <p className="visually-hidden" aria-live="polite">
        {cursor?.isKeyed && at !== null ? headWords(bounds, { at, isCursor: true }) : ''}
      </p>
    </>
  );
}

const STEPS: Readonly<Record<string, number>> = {
  ArrowLeft: -1,
  ArrowRight: 1,
  'Shift+ArrowLeft': -10,
  'Shift+ArrowRight': 10,
  Home: Number.NEGATIVE_INFINITY,
  End: Number.POSITIVE_INFINITY,
};
const ZOOMS: Readonly<Record<string, number>> = { '+': 0.5, '=': 0.5, '-': 2 };
