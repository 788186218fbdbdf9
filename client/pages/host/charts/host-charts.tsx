import type { Host } from '#shared/schemas/host.ts';
import { clockOffsetOf } from '../../../data/clock-offset.ts';
import { useModelEvents } from '../../../data/use-model-events.ts';
import { useNow } from '../../../data/use-now.ts';
import { useHeldTimeline } from '../../../data/use-held-timeline.ts';
import { usePerformanceHistory } from '../../../data/use-performance-history.ts';
import { useConnection } from '../../../data/use-connection.ts';
import { Panel } from '../../../ui/panel.tsx';
import { collectorHop, isHeard } from '../../host-parts/host-view.ts';
import { useHostFacts } from '../../host-parts/use-fleet-facts.ts';
import { ChartHead } from './chart-head.tsx';
import { ChartsBody } from './charts-body.tsx';
import type { ChartRange } from './chart-ranges.ts';
import { rangeSpanMs } from './chart-ranges.ts';
import styles from './host-charts.module.css';
import { useChartWindow } from './use-chart-window.ts';

/** See {@link HostCharts}. */
export interface HostChartsProps {
  readonly host: Host;
  readonly range: ChartRange;
  readonly onRange: (range: ChartRange) => void;
}

/** How a host did over time: its cards, its machine, its requests and its models, on one axis with one cursor. */
export function HostCharts(props: HostChartsProps) {
  // Another range begins without a zoom and without a cursor.
  return <RangeCharts key={props.range} {...props} />;
}

function RangeCharts({ host, range, onRange }: HostChartsProps) {
  const now = useNow(60_000);
  const window = useChartWindow();
  const spanMs = rangeSpanMs(range);
  const wish = { hostId: host.id, spanMs, clockOffsetMs: clockOffsetOf(host), window: window.settled };
  const shown = usePerformanceHistory(wish);
  const timeline = useHeldTimeline(wish);
  const facts = useHostFacts(host.id);
  const models = facts?.models ?? [];
  const events = useModelEvents({
    hostId: host.id,
    // As far back as is drawn, and on to now: what came later tells the states before it.
    spanMs: shown === null ? spanMs : Math.max(spanMs, shown.now - shown.from),
    stamp: models.map(({ modelId, state, since }) => `${modelId} ${state} ${since}`).join('|'),
  });
  const hop = collectorHop(useConnection(), now);
  const head = { range, onRange };
  if (shown === null)
    return (
      <Panel label="Performance">
        <ChartHead {...head} {...NOTHING_SHOWN} />
        <div className={styles.room} />
      </Panel>
    );
  const lanes = {
    models,
    events: events?.events ?? [],
    eventsFrom: events?.from ?? null,
    running: hop.kind === 'live' ? (facts?.inFlight?.requests ?? []) : [],
    knownUntil: hop.kind === 'away' ? hop.asOf : isHeard(host) ? shown.now : (host.lastSeenAt ?? 0),
  };
  return (
    <Panel label="Performance">
      <ChartsBody {...{ host, shown, timeline, lanes, window, now, spanMs, head }} />
    </Panel>
  );
}

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
