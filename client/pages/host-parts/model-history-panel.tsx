import { useState } from 'react';
import type { Model } from '#shared/schemas/model.ts';
import { useModelEvents } from '../../data/use-model-events.ts';
import { Button } from '../../ui/button.tsx';
import { formatCount, formatDay, formatMoment, plural } from '../../ui/format.ts';
import { Glyph } from '../../ui/glyph.tsx';
import { HueText } from '../../ui/hue-text.tsx';
import { LogLines } from './log-lines.tsx';
import type { HistoryEntry, SwapDay } from './model-history.ts';
import { HISTORY_MS, modelHistory } from './model-history.ts';
import styles from './model-history-panel.module.css';
import { entryView, loadWords, seenWords } from './model-history-words.ts';

const FIRST = 8;
const MORE = 40;

/** See {@link ModelHistoryPanel}. */
export interface ModelHistoryPanelProps {
  readonly model: Model;
  readonly now: number;
  /** The collector or the host is away: what happened since is not known here. Null: nothing is missing. */
  readonly asOf: number | null;
}

/** What happened to a model: how long it takes to load, how often it is swapped out, and each change of its state. */
export function ModelHistoryPanel({ model, now, asOf }: ModelHistoryPanelProps) {
  const { hostId, modelId, state, since } = model;
  const held = useModelEvents({ hostId, spanMs: HISTORY_MS, stamp: `${state} ${since}` });
  const [limit, setLimit] = useState(FIRST);
  if (held === null) return null;
  const { from } = held;
  const { entries, loads, days } = modelHistory(held.events, { modelId, from, now });
  const load = loadWords(loads);
  const shown = entries.slice(0, limit);
  const newest = model.failedStart;
  return (
    <section className={styles.history} aria-label="History">
      <header className={styles.head}>
        <h3>History</h3>
        <span>
          {seenWords(from, now)}
          {asOf === null ? '' : `, as of ${formatMoment(asOf, now)}`}
        </span>
      </header>
      {entries.length === 0 ? (
        <p className={styles.note}>No change of its state is known here.</p>
      ) : (
        <>
          <dl className={styles.load}>
            <dt>Load time</dt>
            <dd>{load.value}</dd>
          </dl>
          <p className={styles.note}>{load.note}</p>
          <Days days={days} now={now} />
          <ol className={styles.entries} aria-label="Changes of its state, newest first">
            {shown.map((entry) => (
              <Entry
                key={`${entry.at} ${entry.state}`}
                entry={entry}
                now={now}
                lines={entry.lines ?? (newest?.at === entry.at ? newest.lines : null)}
              />
            ))}
          </ol>
          {entries.length > limit ? (
            <Button look="quiet" onClick={() => setLimit(limit + MORE)}>
              {plural(entries.length - limit, 'more change')}
            </Button>
          ) : null}
        </>
      )}
    </section>
  );
}

interface EntryProps {
  readonly entry: HistoryEntry;
  readonly now: number;
  readonly lines: readonly string[] | null;
}

function Entry({ entry, now, lines }: EntryProps) {
  const [isOpen, setOpen] = useState(false);
  const { glyph, hue, word, text } = entryView(entry);
  return (
    <li className={styles.entry}>
      <time dateTime={new Date(entry.at).toISOString()}>{formatMoment(entry.at, now)}</time>
      <Glyph name={glyph} hue={hue} />
      <span>
        <HueText hue={hue} strong>
          {word}
        </HueText>{' '}
        {text}
        {entry.kind !== 'failed' ? null : lines === null ? (
          <small className={styles.note}> Its log lines are not on this device.</small>
        ) : (
          <>
            {' '}
            <button
              type="button"
              className={styles.lines}
              aria-expanded={isOpen}
              onClick={() => setOpen(!isOpen)}
            >
              {isOpen ? 'hide lines' : plural(lines.length, 'log line')}
            </button>
          </>
        )}
      </span>
      {isOpen && lines !== null ? (
        <div className={styles.wide}>
          <LogLines lines={lines} label={`Log lines around ${formatMoment(entry.at, now)}`} />
        </div>
      ) : null}
    </li>
  );
}

/** Loads and swaps of the last seven days; a day before this device sees is a dash. */
function Days({ days, now }: { readonly days: readonly SwapDay[]; readonly now: number }) {
  return (
    <table className={styles.days}>
      <caption>Loads and swaps a day</caption>
      <thead>
        <tr>
          <th scope="col">
            <span className="visually-hidden">What</span>
          </th>
          {days.map(({ from }) => (
            <th key={from} scope="col">
              <abbr title={formatDay(from, now)}>{formatDay(from, now).slice(0, 3)}</abbr>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        <tr>
          <th scope="row">Loaded</th>
          {days.map(({ from, loads }) => (
            <td key={from}>{formatCount(loads)}</td>
          ))}
        </tr>
        <tr>
          <th scope="row">Swapped out</th>
          {days.map(({ from, swaps }) => (
            <td key={from}>{formatCount(swaps)}</td>
          ))}
        </tr>
      </tbody>
    </table>
  );
}
