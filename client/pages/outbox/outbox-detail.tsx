import type { InFlightRequest } from '#shared/schemas/in-flight.ts';
import type { IntentEntry } from '../../data/intents/types.ts';
import { useNow } from '../../data/use-now.ts';
import { CopyLine } from '../../ui/copy-line.tsx';
import { formatElapsed, formatMoment, plural, UNKNOWN } from '../../ui/format.ts';
import { Glyph } from '../../ui/glyph.tsx';
import { HueText } from '../../ui/hue-text.tsx';
import { ListRow, RowList } from '../../ui/list-row.tsx';
import { Panel } from '../../ui/panel.tsx';
import { progressWords } from '../frame/running-view.ts';
import type { OutcomeContext } from '../intents/intent-outcome.ts';
import { intentLook } from '../intents/intent-state.ts';
import { authorWords, intentCondition } from '../intents/intent-words.ts';
import { DetailButtons } from './detail-buttons.tsx';
import { DetailLog, isFailedLoad } from './detail-log.tsx';
import { answerWords, detailSentence, factsTable, recordWords, stepViews } from './detail-view.ts';
import type { EntryAction } from './entry-actions.ts';
import styles from './outbox-detail.module.css';
import { useTarget } from './use-target.ts';

/** See {@link OutboxDetail}. */
export interface OutboxDetailProps {
  readonly entry: IntentEntry;
  readonly context: OutcomeContext;
  readonly unavailable: string | null;
  readonly onAct: (entry: IntentEntry, action: EntryAction, inFlight: number | null) => void;
  readonly inSheet: boolean;
  /** Its log lines were asked for: they come into view, and it is told. Null: they were not. */
  readonly onLogShown: (() => void) | null;
}

/** An action whole: what became of it, what one can do, what was seen and found, and each step it took. */
export function OutboxDetail(props: OutboxDetailProps) {
  const { entry, context, unavailable, onAct, inSheet, onLogShown } = props;
  const now = useNow(1000);
  const target = useTarget(entry);
  const table = factsTable(entry, target.now);
  const condition = intentCondition(entry, now);
  const answer = answerWords(entry);
  return (
    <div className={styles.detail}>
      <p>
        {detailSentence(entry, { ...context, now }, target.requests)}
        {condition === '' ? null : ` Asked: ${condition}.`}
        {entry.isMine ? null : ` By ${authorWords(entry)}.`}
      </p>
      {entry.note == null ? null : (
        <p className={styles.note}>
          <strong>
            {entry.note.by} noted, {formatMoment(entry.note.at, now)}:
          </strong>{' '}
          {entry.note.text}
        </p>
      )}
      <DetailButtons
        entry={entry}
        inFlight={target.now.inFlight}
        unavailable={unavailable}
        onAct={(action) => onAct(entry, action, target.now.inFlight)}
      />
      <table className={styles.facts}>
        <thead>
          <tr>
            <th scope="col">
              <span className="visually-hidden">What</span>
            </th>
            {table.heads.map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {table.rows.map(({ name, cells }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              {cells.map(({ text, isChanged }, index) => (
                <td key={table.heads[index]}>{isChanged ? <HueText hue="warn">{text}</HueText> : text}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {target.requests.length === 0 ? null : (
        <>
          <h3 className={styles.title}>Running on it now</h3>
          <Panel label="Running on it now">
            <RowList>
              {target.requests.map((request) => (
                <li key={request.id}>
                  <ListRow
                    title={request.source ?? 'source unknown'}
                    detail={runningDetail(request)}
                    value={
                      request.elapsedMs === null
                        ? UNKNOWN
                        : formatElapsed(request.elapsedMs + Math.max(0, now - request.observedAt))
                    }
                  />
                </li>
              ))}
            </RowList>
          </Panel>
        </>
      )}
      {isFailedLoad(entry) ? <DetailLog entry={entry} inSheet={inSheet} onShown={onLogShown} /> : null}
      <h3 className={styles.title}>What happened</h3>
      <Steps entry={entry} context={{ ...context, now }} />
      {entry.evidence?.pending === undefined ? null : (
        <p className={styles.pending}>
          {plural(entry.evidence.pending.length, 'action')} before it:{' '}
          {entry.evidence.pending.map(({ label }) => label).join(', ')}.
        </p>
      )}
      <div className={styles.record}>
        <p>{recordWords(entry)}</p>
        {answer === null ? null : <p>{answer}</p>}
        <CopyLine text={entry.id} label="Copy the id" />
      </div>
    </div>
  );
}

function runningDetail(request: InFlightRequest): string | undefined {
  const parts = [request.path, progressWords(request)].filter((part) => part !== null);
  return parts.length === 0 ? undefined : parts.join(' · ');
}

function Steps({ entry, context }: Pick<OutboxDetailProps, 'entry' | 'context'>) {
  return (
    <ol className={styles.steps}>
      {stepViews(entry, context).map(({ key, time, look, strong, text }) => (
        <li key={key} className={styles.step}>
          <time>{time}</time>
          <Glyph name={look.glyph} hue={look.hue} />
          <span>
            <strong>{strong}</strong> {text}
          </span>
        </li>
      ))}
    </ol>
  );
}

/** The state of an action as a chip, over its title. */
export function StateChip({
  entry,
  isPast = false,
}: {
  readonly entry: IntentEntry;
  readonly isPast?: boolean;
}) {
  const { word, glyph, hue } = intentLook(entry.state, isPast);
  return (
    <span className={styles.chip} data-hue={hue}>
      <Glyph name={glyph} hue={hue} />
      <HueText hue={hue} strong>
        {word}
      </HueText>
    </span>
  );
}
