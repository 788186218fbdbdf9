import { useState } from 'react';
import { useKeptCaptures } from '../../data/use-capture.ts';
import { useConnection } from '../../data/use-connection.ts';
import { useHistoryDays } from '../../data/use-history-days.ts';
import { usePersistOutcome } from '../../data/use-install.ts';
import { useNow } from '../../data/use-now.ts';
import type { HistoryDay, PersistOutcome } from '../../data/types.ts';
import { Button } from '../../ui/button.tsx';
import { formatBytes, formatCount, formatDay, plural } from '../../ui/format.ts';
import { Glyph } from '../../ui/glyph.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { Panel } from '../../ui/panel.tsx';
import { showFailure } from '../../ui/toast.tsx';
import { Section } from './section.tsx';
import styles from './storage-section.module.css';

/** What of the fleet's history is kept on this device. */
export function StorageSection() {
  const connection = useConnection();
  const { days, heldBytes: used, budgetBytes, progress } = useHistoryDays();
  const captures = useKeptCaptures();
  if (connection.storage === 'insecure') {
    return (
      <Section title="Storage">
        <Panel label="Storage">
          <div className={styles.note}>
            <Glyph name="needs-confirmation" hue="warn" />
            <p>
              <strong>Nothing is kept here.</strong> This address is not encrypted, so the browser forbids
              offline use. Live view and actions work.
            </p>
          </div>
          <div className={styles.foot}>
            <LinkButton to="/settings/$section" params={{ section: 'https' }}>
              Three ways to https
            </LinkButton>
          </div>
        </Panel>
      </Section>
    );
  }
  const held = days.filter((day) => day.held !== 'none');
  return (
    <Section title="Storage">
      <div className={styles.summary}>
        <Panel label="Budget">
          <div className={styles.budget}>
            <p className={styles.line}>
              <span className={styles.used}>{formatBytes(used)}</span> of {budgetBytes / 1_000_000} MB
              <span className={styles.back}>{plural(held.length, 'day')} of activity</span>
            </p>
            <progress className={styles.bar} value={used} max={budgetBytes} aria-label="Used of the budget" />
            {captures === null || captures.count === 0 ? null : (
              <p className={styles.progress}>
                Besides: {plural(captures.count, 'capture')} that {captures.count === 1 ? 'was' : 'were'}{' '}
                opened here, {formatBytes(captures.bytes)}
              </p>
            )}
            {progress === null ? null : (
              <p className={styles.progress}>
                Fetching {progress.background ? 'by itself' : 'as asked'}: {formatBytes(progress.doneBytes)}{' '}
                of {formatBytes(progress.totalBytes)}
              </p>
            )}
          </div>
        </Panel>
        <Promise />
      </div>
      <DayGrid days={days} />
    </Section>
  );
}

const PROMISES: Readonly<Record<PersistOutcome, readonly [string, string]>> = {
  granted: ['The browser has promised to keep it.', 'Only you can clear it.'],
  refused: ['The browser may clear this copy.', 'Install the app or allow storage, and it is asked again.'],
  unsupported: ['The browser makes no promise.', 'It may clear this copy when space runs short.'],
  'not-asked': ['Not promised yet.', 'The browser is asked once there is something to keep.'],
};

function Promise() {
  const outcome = usePersistOutcome();
  const connection = useConnection();
  const [title, detail] = PROMISES[outcome];
  return (
    <Panel label="Promise">
      <div className={styles.note}>
        <Glyph
          name={outcome === 'granted' ? 'succeeded' : 'needs-confirmation'}
          hue={outcome === 'granted' ? 'ready' : 'warn'}
        />
        <p>
          <strong>{title}</strong> {detail}
        </p>
      </div>
      {connection.storage === 'not-saved' ? (
        <div className={styles.note}>
          <Glyph name="rejected" hue="bad" />
          <p>
            <strong>Not saved on this device.</strong> {connection.storageError ?? 'The browser refused.'}
          </p>
        </div>
      ) : null}
    </Panel>
  );
}

function DayGrid({ days }: { readonly days: readonly HistoryDay[] }) {
  const now = useNow(60_000);
  return (
    <Panel title="By day" note="what the collector has, and what is here">
      {days.length === 0 ? (
        <p className={styles.empty}>Nothing kept yet. History is sealed by the hour and then comes here.</p>
      ) : (
        <table className={styles.table}>
          <thead>
            <tr>
              <th scope="col">Day</th>
              <th scope="col">Activity</th>
              <th scope="col">Rows</th>
              <th scope="col">Size</th>
              <th scope="col">
                <span className="visually-hidden">Fetch</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {days.map((day) => (
              <DayRow key={day.day} day={day} now={now} />
            ))}
          </tbody>
        </table>
      )}
    </Panel>
  );
}

const HELD_WORDS = { all: 'here', part: 'in part', none: 'not here' } as const;

function DayRow({ day, now }: { readonly day: HistoryDay; readonly now: number }) {
  const { fetchDay } = useHistoryDays();
  const connection = useConnection();
  const [isFetching, setFetching] = useState(false);
  const words = formatDay(new Date(`${day.day}T12:00:00`).getTime(), now);

  async function fetch(): Promise<void> {
    setFetching(true);
    const answer = await fetchDay(day.day);
    setFetching(false);
    if (!answer.ok) showFailure({ title: `${words} was not fetched`, detail: answer.message });
  }

  return (
    <tr>
      <th scope="row">{words}</th>
      <td>
        <span className={styles.held}>
          <span className={styles.cell} data-held={day.held} aria-hidden="true" />
          {HELD_WORDS[day.held]}
        </span>
      </td>
      <td>~{formatCount(day.rows)}</td>
      <td>{formatBytes(day.bytes)}</td>
      <td>
        {day.held === 'all' ? null : (
          <Button
            disabled={isFetching}
            unavailable={connection.kind === 'live' ? null : 'This needs the collector.'}
            onClick={() => void fetch()}
          >
            {isFetching ? 'Fetching' : 'Fetch'}
          </Button>
        )}
      </td>
    </tr>
  );
}
