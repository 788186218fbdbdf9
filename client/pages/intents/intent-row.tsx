import type { IntentEntry } from '../../data/intents/types.ts';
import { ExpiryRing } from '../../ui/expiry-ring.tsx';
import { formatMoment } from '../../ui/format.ts';
import { Glyph } from '../../ui/glyph.tsx';
import { HueText } from '../../ui/hue-text.tsx';
import type { OutcomeContext } from './intent-outcome.ts';
import { briefOutcome, intentOutcome } from './intent-outcome.ts';
import styles from './intent-row.module.css';
import { intentLook, intentPlace } from './intent-state.ts';
import { authorWords, expiryView, intentCondition, intentTitle } from './intent-words.ts';

interface IntentRowProps extends OutcomeContext {
  readonly entry: IntentEntry;
  /** Left out where the page is about one host. */
  readonly hostLabel?: string | null;
  /** `outbox`: what became of it, whole. `brief`: two short lines beside a page. */
  readonly look?: 'outbox' | 'brief';
  /** `apart`: the page places the expiry or the time itself, with `IntentEnd`. */
  readonly end?: 'inside' | 'apart';
}

/** An action as a row: shape, what and where, what became of it, and how much longer it counts. */
export function IntentRow({
  entry,
  hostLabel = null,
  look = 'outbox',
  end = 'inside',
  ...context
}: IntentRowProps) {
  const { now, isPast = false } = context;
  const place = intentPlace(entry.state);
  const { glyph, hue } = intentLook(entry.state, isPast);
  return (
    <span className={styles.row} data-place={place} data-past={isPast && place === 'collector'}>
      <span className={styles.shape}>
        <Glyph name={glyph} hue={hue} />
      </span>
      <span className={styles.words}>
        <span className={styles.title}>{intentTitle(entry)}</span>{' '}
        {look === 'brief' ? (
          <span className={styles.detail}>
            {[hostLabel, authorWords(entry), briefOutcome(entry, context)]
              .filter((part) => part !== null)
              .join(' · ')}
          </span>
        ) : (
          <Words entry={entry} hostLabel={hostLabel} context={context} />
        )}
      </span>
      {look === 'outbox' && end === 'inside' ? <IntentEnd entry={entry} now={now} /> : null}
    </span>
  );
}

interface WordsProps {
  readonly entry: IntentEntry;
  readonly hostLabel: string | null;
  readonly context: OutcomeContext;
}

function Words({ entry, hostLabel, context }: WordsProps) {
  const { now, isPast = false } = context;
  const place = intentPlace(entry.state);
  const { word, text } = intentOutcome(entry, context);
  const condition = place === 'ended' ? '' : intentCondition(entry, now);
  const where = hostLabel ?? entry.target.hostId ?? 'no host';
  return (
    <span className={styles.lines}>
      <span className={styles.where}>
        {where}
        {place === 'device' ? null : ` · ${authorWords(entry)}`}
        {condition === '' ? null : (
          <>
            , <strong className={styles.condition}>{condition}</strong>
          </>
        )}
      </span>
      <span className={styles.detail}>
        <HueText hue={intentLook(entry.state, isPast).hue} strong>
          {word}
        </HueText>{' '}
        {text}
        {entry.cancelAsked && place !== 'ended' ? `${text === '' ? '' : '. '}To be cancelled` : null}
      </span>
    </span>
  );
}

/** The right end of a row: a ring that empties while it may still be too late, in warning under 3 min; else when. */
export function IntentEnd({
  entry,
  now,
  look = 'stacked',
}: {
  readonly entry: IntentEntry;
  readonly now: number;
  readonly look?: 'stacked' | 'line';
}) {
  if (intentPlace(entry.state) !== 'device' && entry.state !== 'waiting') {
    return <time className={styles.end}>{formatMoment(entry.endedAt ?? entry.createdAt, now)}</time>;
  }
  const { leftMs, wholeMs, words, isSoon } = expiryView(entry, now);
  return (
    <span className={styles.end}>
      <ExpiryRing
        leftMs={leftMs}
        wholeMs={wholeMs}
        words={words}
        tone={isSoon ? 'warn' : 'plain'}
        look={look}
      />
    </span>
  );
}
