import { useId, useState } from 'react';
import type { Host } from '#shared/schemas/host.ts';
import type { InFlightRequest } from '#shared/schemas/in-flight.ts';
import type { HeldTimeline } from '../../../data/history/held-timeline.ts';
import type { ShownPerformance } from '../../../data/use-performance-history.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { activityCharts } from './activity-charts.ts';
import { useChartColors } from './chart-colors.ts';
import { chartCsv } from './chart-csv.ts';
import { ChartHead } from './chart-head.tsx';
import { rangeLabel } from './chart-ranges.ts';
import { ChartRow } from './chart-row.tsx';
import { TimeStrip } from './chart-strip.tsx';
import { ChartTable } from './chart-table.tsx';
import type { ChartView } from './chart-view.ts';
import { chartName, lastKnownAt } from './chart-view.ts';
import { cursorWords, emptyWords, legendWords, requestWords, sourceWords, spanWords } from './chart-words.ts';
import type { HostChartsProps } from './host-charts.tsx';
import styles from './host-charts.module.css';
import { laneCsv } from './lane-csv.ts';
import { LaneRow } from './lane-row.tsx';
import { LaneTable } from './lane-table.tsx';
import type { LaneFacts } from './model-lanes.ts';
import { modelLanes } from './model-lanes.ts';
import { performanceCharts } from './performance-charts.ts';
import type { PlotLook } from './plot.ts';
import { saveText } from '../../../ui/save-text.ts';
import { useChartMoves } from './use-chart-moves.ts';
import type { ChartWindow } from './use-chart-window.ts';

interface ChartsBodyProps {
  readonly host: Host;
  readonly shown: ShownPerformance;
  readonly timeline: HeldTimeline | null;
  readonly lanes: Omit<LaneFacts, 'serving' | 'running' | 'unseen'> & {
    readonly running: readonly InFlightRequest[];
  };
  readonly window: ChartWindow;
  readonly now: number;
  readonly spanMs: number;
  readonly head: Pick<HostChartsProps, 'range' | 'onRange'>;
}

/** Stand above the lanes of models, in this order; what else there is comes below them. */
const ABOVE = ['vram', 'util', 'power', 'requests', 'generation'];
/** Name of the lanes among the charts. */
const LANES = 'models';

/** All charts of a host, one below the other, with one cursor. */
export function ChartsBody({
  host,
  shown,
  timeline,
  lanes: laneFacts,
  window,
  now,
  spanMs,
  head,
}: ChartsBodyProps) {
  const colors = useChartColors();
  const syncKey = useId();
  const [table, setTable] = useState<string | null>(null);
  const whole = { from: shown.now - spanMs, to: shown.now };
  const { cursor, bounds, listener, pan, zoom, onKey } = useChartMoves(window, whole);
  const samples = performanceCharts(shown.answer, { from: shown.from, to: shown.to });
  const unseen = samples.charts[0]?.gaps ?? [];
  const activity =
    timeline === null ? { charts: [], missing: [] } : activityCharts(timeline, { now: shown.now, unseen });
  const charts = [...samples.charts, ...activity.charts];
  const missing = [...samples.missing, ...activity.missing];
  const above = ABOVE.flatMap((key) => charts.find((chart) => chart.key === key) ?? []);
  const below = charts.filter(({ key }) => !ABOVE.includes(key));
  const lanes = modelLanes(
    {
      ...laneFacts,
      unseen,
      serving: timeline?.serving ?? [],
      running: laneFacts.running.map(({ modelId, observedAt, elapsedMs }) => ({
        modelId,
        startedAt: observedAt - (elapsedMs ?? 0),
      })),
    },
    bounds,
  );
  const latest = Math.max(0, ...charts.map((chart) => lastKnownAt(chart) ?? 0));
  const at = cursor?.at ?? (latest === 0 ? null : latest);
  const strip = { syncKey, colors, listener, bounds, at, held: cursor?.isHeld === true ? cursor.at : null };
  const save = (key: string, text: string): void => saveText(`drover-${host.id}-${key}.csv`, text);
  const rowOf = (chart: ChartView) => (
    <ChartRow
      key={chart.key}
      {...strip}
      chart={chart}
      onKey={(key) => onKey(key, at, chart.times)}
      onTable={() => setTable(chart.key)}
      onCsv={() => save(chart.key, chartCsv(chart))}
    />
  );
  const opened = charts.find(({ key }) => key === table);
  const isLanesOpen = table === LANES && lanes.length > 0;
  const empty = emptyWords(shown, host, { now, range: rangeLabel(head.range) });
  const cursorText = at === null ? null : cursorWords(bounds, { at, isCursor: cursor !== null });
  return (
    <>
      <ChartHead
        {...head}
        span={spanWords(bounds, now)}
        cursor={cursorText}
        legend={legendWords(charts, bounds, shown.source)}
        isZoomed={window.zoom !== null}
        onReset={listener.onReset}
        onPan={pan}
        onZoom={zoom}
      />
      {empty === null ? null : <p className={styles.empty}>{empty}</p>}
      {above.map(rowOf)}
      {lanes.length === 0 ? null : (
        <LaneRow
          {...strip}
          lanes={lanes}
          gaps={unseen}
          onKey={(key) => onKey(key, at, (above[0] ?? below[0])?.times ?? [])}
          onTable={() => setTable(LANES)}
          onCsv={() => save(LANES, laneCsv(lanes))}
        />
      )}
      {below.map(rowOf)}
      <div className={styles.axis}>
        <TimeStrip
          {...strip}
          look={TIMES}
          data={{ columns: [[bounds.from, bounds.to]], ...bounds, gaps: [], top: 1 }}
        />
      </div>
      <div className={styles.foot}>
        {empty === null ? <p>{sourceWords(shown, now)}</p> : null}
        {timeline === null ? null : <p>{requestWords(timeline, now)}</p>}
        {missing.length === 0 ? null : <p>Not reported by this host: {missing.join(', ')}.</p>}
      </div>
      <Dialog
        open={opened !== undefined || isLanesOpen}
        onClose={() => setTable(null)}
        title={opened === undefined ? 'Models over time' : chartName(opened)}
      >
        {opened === undefined ? null : <ChartTable chart={opened} bounds={bounds} />}
        {isLanesOpen ? <LaneTable lanes={lanes} bounds={bounds} /> : null}
      </Dialog>
      <p className="visually-hidden" aria-live="polite">
        {cursor?.isHeld === true ? cursorText : ''}
      </p>
    </>
  );
}

const TIMES: PlotLook = { key: 'times', height: 24, hasTimes: true, padding: [0, 0], series: [] };
