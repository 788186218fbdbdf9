import { UNKNOWN } from '../../../ui/format.ts';
import { BREAKPOINTS, useMedia } from '../../../ui/use-media.ts';
import type { ChartColors } from './chart-colors.ts';
import styles from './chart-row.module.css';
import { RowTools } from './chart-row.tsx';
import { ChartStrip } from './chart-strip.tsx';
import type { StripProps } from './chart-strip.tsx';
import { chartNote } from './chart-words.ts';
import { LANE_SIZES, laneData, laneLook } from './lane-look.ts';
import laneStyles from './lane-row.module.css';
import { failureWords } from './lane-words.ts';
import type { ModelLane } from './model-lanes.ts';
import { laneStateAt } from './model-lanes.ts';
import type { ChartGap } from './time-axis.ts';
import type { Stretch } from './zoom.ts';

interface LaneRowProps extends Pick<StripProps, 'held' | 'listener' | 'onKey' | 'syncKey'> {
  readonly lanes: readonly ModelLane[];
  readonly bounds: Stretch;
  readonly gaps: readonly ChartGap[];
  readonly colors: ChartColors;
  readonly at: number | null;
  readonly onTable: () => void;
  readonly onCsv: () => void;
}

/** What each model did: ready, serving, starting and stopping, failed. */
export function LaneRow({ lanes, bounds, gaps, colors, at, onTable, onCsv, ...strip }: LaneRowProps) {
  const isBeside = useMedia(BREAKPOINTS.laptop);
  const size = isBeside ? LANE_SIZES.beside : LANE_SIZES.above;
  return (
    <section className={styles.row} aria-label="Models over time">
      <div className={laneStyles.head}>
        <h3 className={styles.title}>Models</h3>
        <Legend />
        <RowTools title="Models over time" onTable={onTable} onCsv={onCsv} />
      </div>
      <div className={laneStyles.lanes}>
        <ul className={laneStyles.names}>
          {lanes.map((lane) => (
            <li key={lane.modelId} className={laneStyles.lane}>
              <span className={laneStyles.name}>{lane.modelId}</span>{' '}
              {isBeside ? (
                <span className={laneStyles.state}>
                  {(at === null ? null : laneStateAt(lane, at)) ?? UNKNOWN}
                </span>
              ) : (
                <span className={laneStyles.failed}>{failureWords(lane)}</span>
              )}
            </li>
          ))}
        </ul>
        <ChartStrip
          {...strip}
          label={`What ${lanes.length} models did, ${chartNote(bounds)}`}
          look={laneLook(lanes, size)}
          data={laneData(lanes, { bounds, gaps, colors, size })}
          colors={colors}
          onTable={onTable}
        />
      </div>
    </section>
  );
}

function Legend() {
  return (
    <ul className={laneStyles.legend} aria-hidden="true">
      <li>
        <svg className={laneStyles.key} data-key="ready">
          <rect x="0.5" y="1.5" width="17" height="9" rx="2" />
        </svg>
        ready
      </li>
      <li>
        <svg className={laneStyles.key} data-key="ready">
          <rect x="0.5" y="1.5" width="17" height="9" rx="2" />
          <path d="M5 6h8" />
        </svg>
        serving
      </li>
      <li>
        <svg className={laneStyles.key} data-key="busy">
          <path d="M2 11h12V1z" />
        </svg>
        starting
      </li>
      <li>
        <svg className={laneStyles.key} data-key="busy">
          <path d="M2 1v10h12z" />
        </svg>
        stopping
      </li>
      <li>
        <svg className={laneStyles.key} data-key="failed">
          <rect x="2" width="12" height="12" rx="2" />
          <path d="M5.5 3.5l5 5M5.5 8.5l5-5" />
        </svg>
        failed start
      </li>
    </ul>
  );
}
