import { formatDuration, formatMoment, formatTime, isSameDay } from '../../../ui/format.ts';
import styles from './chart-table.module.css';
import { laneRows } from './lane-csv.ts';
import type { ModelLane } from './model-lanes.ts';
import type { Stretch } from './zoom.ts';

interface LaneTableProps {
  readonly lanes: readonly ModelLane[];
  readonly bounds: Stretch;
}

/** What the lanes show as rows, newest first; a stretch that reaches over an end of what is shown begins or ends there. */
export function LaneTable({ lanes, bounds: { from, to } }: LaneTableProps) {
  const withDay = !isSameDay(from, to);
  const time = (at: number): string => (withDay ? formatMoment(at, to) : formatTime(at));
  return (
    <table className={styles.table}>
      <thead>
        <tr>
          <th scope="col">Model</th>
          <th scope="col">State</th>
          <th scope="col">From</th>
          <th scope="col" className={styles.number}>
            Lasted
          </th>
        </tr>
      </thead>
      <tbody>
        {laneRows(lanes).map((row) => (
          <tr key={`${row.modelId} ${row.state} ${row.from}`}>
            <th scope="row" className={styles.time}>
              {row.modelId}
            </th>
            <td>{row.reason === null ? row.state : `failed: ${row.reason}`}</td>
            <td>{time(row.from)}</td>
            <td className={styles.number}>{row.to === null ? '' : formatDuration(row.to - row.from)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
