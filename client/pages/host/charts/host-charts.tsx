import { useId, useState } from 'react';
import type { Host } from '#shared/schemas/host.ts';
import { useNow } from '../../../data/use-now.ts';
import type { ShownPerformance } from '../../../data/use-performance-history.ts';
import { usePerformanceHistory } from '../../../data/use-performance-history.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { useChartColors } from './chart-colors.ts';
import { chartCsv } from './chart-csv.ts';
import { ChartHead } from './chart-head.tsx';
import { chartKeys } from './chart-keys.ts';
import type { ChartRange } from './chart-ranges.ts';
import { rangeLabel, rangeSpanMs } from './chart-ranges.ts';
import { ChartRow } from './chart-row.tsx';
import { TimeStrip } from './chart-strip.tsx';
import { ChartTable } from './chart-table.tsx';
import type { ChartView } from './chart-view.ts';
import { lastKnownAt } from './chart-view.ts';
import { cursorWords, emptyWords, sourceWords, spanWords } from './chart-words.ts';
import styles from './host-charts.module.css';
import { performanceCharts } from './performance-charts.ts';
import { saveText } from './save-text.ts';
import type { ChartWindow } from './use-chart-window.ts';
import { useChartWindow } from './use-chart-window.ts';
import type { PlotLook } from './plot.ts';
import { following, panned, stepCursor, within, zoomed } from './zoom.ts';

/** See {@link HostCharts}. */
export interface HostChartsProps {
  readonly host: Host;
  readonly range: ChartRange;
  readonly onRange: (range: ChartRange) => void;
}

/** Below this a host's clock is as good as the collector's. */
const CLOCK_TOLERANCE_MS = 5_000;

/** How a host did over time: its cards, its machine, its requests and its models, on one axis with one cursor. */
export function HostCharts(props: HostChartsProps) {
  // Another range begins without a zoom and without a cursor.
  return <RangeCharts key={props.range} {...props} />;
}

function RangeCharts({ host, range, onRange }: HostChartsProps) {
  const now = useNow(60_000);
  const offset = host.clockOffsetMs ?? 0;
  const clockOffsetMs = Math.abs(offset) < CLOCK_TOLERANCE_MS ? 0 : offset;
  const window = useChartWindow();
  const spanMs = rangeSpanMs(range);
  const shown = usePerformanceHistory({ hostId: host.id, spanMs, clockOffsetMs, window: window.settled });
  const head = { range, onRange };
  return (
    <Panel label="Performance">
      {shown === null ? (
        <>
          <ChartHead {...head} {...NOTHING_SHOWN} />
          <div className={styles.room} />
        </>
      ) : (
        <Charts {...{ host, shown, window, now, spanMs, head }} />
      )}
    </Panel>
  );
}

interface ChartsProps {
  readonly host: Host;
  readonly shown: ShownPerformance;
  readonly window: ChartWindow;
  readonly now: number;
  readonly spanMs: number;
  readonly head: Pick<HostChartsProps, 'range' | 'onRange'>;
}

function Charts({ host, shown, window: { zoom, setZoom }, now, spanMs, head }: ChartsProps) {
  const colors = useChartColors();
  const syncKey = useId();
  const [cursor, setCursor] = useState<{ readonly at: number; readonly isHeld: boolean } | null>(null);
  const [table, setTable] = useState<string | null>(null);
  const whole = { from: shown.now - spanMs, to: shown.now };
  const bounds = zoom ?? whole;
  const { charts, missing } = performanceCharts(shown.answer, { from: shown.from, to: shown.to });
  const latest = Math.max(0, ...charts.map((chart) => lastKnownAt(chart) ?? 0));
  const at = cursor?.at ?? (latest === 0 ? null : latest);
  const zoomAround = (factor: number, around: number): void =>
    setZoom(zoomed(bounds, whole, { factor, at: around }));
  const pan = (byMs: number): void => setZoom(panned(bounds, whole, byMs));
  const hold = (moment: number): void => {
    setCursor({ at: moment, isHeld: true });
    if (zoom !== null) setZoom(following(bounds, whole, moment));
  };
  const middle = (bounds.from + bounds.to) / 2;
  const listener = {
    // Leaving with the pointer does not take away what keys put there.
    onPoint: (moment: number | null): void => {
      if (moment !== null) setCursor({ at: moment, isHeld: false });
      else if (cursor?.isHeld === false) setCursor(null);
    },
    onTouch: (moment: number): void => setCursor({ at: moment, isHeld: true }),
    onSelect: (stretch: { readonly from: number; readonly to: number }): void =>
      setZoom(within(stretch, whole)),
    onReset: (): void => setZoom(null),
    onZoom: ({ factor, at }: { readonly factor: number; readonly at: number }): void =>
      zoomAround(factor, at),
    onPan: pan,
  };
  const keysOf = (chart: ChartView) =>
    chartKeys({
      step: (by) => {
        const reach = zoom === null ? whole : { from: chart.times[0] ?? bounds.from, to: whole.to };
        hold(stepCursor(chart.times, reach, { at: at ?? bounds.to, by }));
      },
      zoom: (factor) => zoomAround(factor, at !== null && at >= bounds.from && at <= bounds.to ? at : middle),
      pan: (share) => pan(share * (bounds.to - bounds.from)),
      reset: () => setZoom(null),
    });
  const strip = { syncKey, colors, listener, held: cursor?.isHeld === true ? cursor.at : null };
  const opened = charts.find(({ key }) => key === table);
  const empty = emptyWords(shown, host, { now, range: rangeLabel(head.range) });
  const cursorText = at === null ? null : cursorWords(bounds, { at, isCursor: cursor !== null });
  const isHatched = charts.some(({ gaps }) =>
    gaps.some(({ from, to }) => to > bounds.from && from < bounds.to),
  );
  return (
    <>
      <ChartHead
        {...head}
        span={spanWords(bounds, now)}
        cursor={cursorText}
        legend={!isHatched ? null : shown.source === 'device' ? 'not on this device' : 'not recorded'}
        isZoomed={zoom !== null}
        onReset={() => setZoom(null)}
        onPan={(share) => pan(share * (bounds.to - bounds.from))}
        onZoom={(factor) => zoomAround(factor, middle)}
      />
      {empty === null ? null : <p className={styles.empty}>{empty}</p>}
      {charts.map((chart) => (
        <ChartRow
          key={chart.key}
          {...strip}
          chart={chart}
          bounds={bounds}
          at={at}
          onKey={keysOf(chart)}
          onTable={() => setTable(chart.key)}
          onCsv={() => saveText(`drover-${host.id}-${chart.key}.csv`, chartCsv(chart))}
        />
      ))}
      <div className={styles.axis}>
        <TimeStrip
          {...strip}
          look={TIMES}
          data={{ columns: [[bounds.from, bounds.to]], ...bounds, ...BARE }}
        />
      </div>
      <div className={styles.foot}>
        {empty === null ? <p>{sourceWords(shown, now)}</p> : null}
        {missing.length === 0 ? null : <p>Not reported by this host: {missing.join(', ')}.</p>}
      </div>
      <Dialog
        open={opened !== undefined}
        onClose={() => setTable(null)}
        title={opened === undefined ? '' : `${opened.title}, ${opened.unit}`}
      >
        {opened === undefined ? null : <ChartTable chart={opened} bounds={bounds} />}
      </Dialog>
      <p className="visually-hidden" aria-live="polite">
        {cursor?.isHeld === true ? cursorText : ''}
      </p>
    </>
  );
}

const TIMES: PlotLook = { key: 'times', height: 24, hasTimes: true, padding: [0, 0], series: [] };
const BARE = { gaps: [], top: 1 } as const;
const nothing = (): void => undefined;
const NOTHING_SHOWN = {
  span: null,
  cursor: null,
  legend: null,
  isZoomed: false,
  onReset: nothing,
  onPan: nothing,
  onZoom: nothing,
} as const;
