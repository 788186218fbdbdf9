import type { ActivityRow } from '#shared/schemas/activity.ts';
import type { ActivityFeed } from '../../../data/types.ts';
import { useActivity } from '../../../data/use-activity.ts';
import { useFleet } from '../../../data/use-fleet.ts';
import { formatCount, formatDuration, formatMoment, formatTime } from '../../../ui/format.ts';
import { Glyph } from '../../../ui/glyph.tsx';
import { ListRow, RowList } from '../../../ui/list-row.tsx';
import { Panel, PanelBody } from '../../../ui/panel.tsx';
import { firstBefore } from './first-before.ts';
import styles from './past-fleet.module.css';

interface PastActivityProps {
  readonly at: number;
  /** `YYYY-MM-DD`; null: today. */
  readonly day: string | null;
  readonly now: number;
}

const MAX_ROWS = 8;

/** The last requests that had ended by a moment, newest first. */
export function PastActivity({ at, day, now }: PastActivityProps) {
  const feed = useActivity({ day });
  const { hosts } = useFleet();
  const labels = new Map(hosts.map(({ id, label }) => [id, label]));
  const rows = rowsBefore(feed, at);
  return (
    <Panel title="Ended last" label="Ended last">
      {rows.length === 0 ? (
        <PanelBody>
          <p className={styles.empty}>{emptyWords(feed, now)}</p>
        </PanelBody>
      ) : (
        <RowList>
          {rows.map((row) => (
            <li key={`${row.hostId} ${row.idEpoch} ${row.id}`}>
              <ListRow
                lead={isFailed(row) ? <Glyph name="failed" hue="bad" /> : undefined}
                title={row.modelId}
                detail={`${labels.get(row.hostId) ?? row.hostId} · ${isFailed(row) ? (row.error ?? `status ${row.status}`) : `${formatCount(row.outputTokens)} tokens in ${formatDuration(row.durationMs)}`}`}
                value={formatTime(row.endedAt)}
              />
            </li>
          ))}
        </RowList>
      )}
    </Panel>
  );
}

type Request = Extract<ActivityRow, { type: 'request' }>;

function rowsBefore(feed: ActivityFeed, at: number): readonly Request[] {
  const rows: Request[] = [];
  for (let place = firstBefore(feed, at); place < feed.count && rows.length < MAX_ROWS; place += 1) {
    const row = feed.rowAt(place);
    if (row?.type === 'request') rows.push(row);
  }
  return rows;
}

function isFailed({ status, error }: Request): boolean {
  return error !== null || (status !== null && status >= 400);
}

function emptyWords({ state, from }: ActivityFeed, now: number): string {
  if (state === 'loading') return 'Reading this device’s copy.';
  return from === null
    ? 'This device holds no requests of that time.'
    : `Nothing before it. This device holds requests from ${formatMoment(from, now)} on.`;
}
