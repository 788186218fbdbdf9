import { useState } from 'react';
import { useReadable } from '../../data/cell.ts';
import { decideReview } from '../../data/intent-actions.ts';
import type { IntentEntry } from '../../data/intents/types.ts';
import { useConnection } from '../../data/use-connection.ts';
import { useFleet, useModels } from '../../data/use-fleet.ts';
import { useIntents, useOutbox } from '../../data/use-intents.ts';
import { useAllInFlight } from '../../data/use-live.ts';
import { useNow } from '../../data/use-now.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { formatAge, formatMoment } from '../../ui/format.ts';
import { Glyph } from '../../ui/glyph.tsx';
import { intentCondition, intentTitle, voidWords } from '../intents/intent-words.ts';
import styles from './review-sheet.module.css';
import { putOffReview } from './review-state.ts';
import type { ReviewView } from './review-view.ts';
import { reviewView } from './review-view.ts';
import { sendWords } from './review-words.ts';

/** What waited here too long to be sent by itself: what has changed since, and what is still wanted. */
export function ReviewSheet() {
  const { review } = useOutbox();
  const entries = useIntents();
  const connection = useConnection();
  const later = useReadable(putOffReview);
  const waiting = entries.filter(({ id }) => review?.ids.includes(id));
  const isOpen =
    review !== null && waiting.length > 0 && connection.kind === 'live' && later !== review.since;
  // What it was about stays while it slides away.
  const [shown, setShown] = useState({ since: 0, waiting });
  const isChanged = shown.since !== review?.since || shown.waiting.length !== waiting.length;
  if (isOpen && isChanged) setShown({ since: review.since, waiting });
  if (shown.waiting.length === 0) return null;
  return (
    <Review
      key={shown.since}
      open={isOpen}
      since={shown.since}
      waiting={shown.waiting}
      expired={entries.filter(({ state, dismissed }) => state === 'expired-here' && !dismissed)}
      onLater={() => putOffReview.set(review?.since ?? null)}
    />
  );
}

interface ReviewProps {
  readonly open: boolean;
  readonly since: number;
  readonly waiting: readonly IntentEntry[];
  readonly expired: readonly IntentEntry[];
  readonly onLater: () => void;
}

function Review({ open, since, waiting, expired, onLater }: ReviewProps) {
  const now = useNow(5000);
  const { hosts } = useFleet();
  const models = useModels();
  const inFlight = useAllInFlight();
  /** Only what the person changed; the rest follows what is known. */
  const [chosen, setChosen] = useState<Readonly<Record<string, boolean>>>({});
  const [problem, setProblem] = useState<string | null>(null);
  const [isSending, setSending] = useState(false);
  const items = waiting.map((entry) => {
    const { hostId } = entry.target;
    const view = reviewView(entry, {
      host: hosts.find(({ id }) => id === hostId) ?? null,
      models: models.filter((model) => model.hostId === hostId),
      inFlight: inFlight.find((running) => running.hostId === hostId) ?? null,
      isLive: true,
    });
    return { entry, view, isOn: chosen[entry.id] ?? !view.isAgainst };
  });
  const sent = items.filter(({ isOn }) => isOn).map(({ entry }) => entry.id);
  const dropped = items.filter(({ isOn }) => !isOn).map(({ entry }) => entry.id);

  async function decide(): Promise<void> {
    setSending(true);
    const answer = await decideReview(sent, dropped);
    setSending(false);
    setProblem(answer.ok ? null : answer.message);
  }

  return (
    <Dialog
      open={open}
      onClose={onLater}
      title={`Back after ${formatAge(now - since)}`}
      actions={
        <>
          <Button look="ink" disabled={isSending} onClick={() => void decide()}>
            {sendWords(sent.length, dropped.length)}
          </Button>
          <Button look="quiet" onClick={onLater}>
            Decide later: nothing is sent
          </Button>
        </>
      }
    >
      <p>
        {waiting.length === 1 ? '1 action is' : `${waiting.length} actions are`} still on this device. Since
        you queued {waiting.length === 1 ? 'it' : 'them'} the fleet may have changed. Send what you still
        want.
      </p>
      <ul className={styles.items}>
        {items.map(({ entry, view, isOn }) => (
          <Item
            key={entry.id}
            entry={entry}
            view={view}
            hostLabel={hosts.find(({ id }) => id === entry.target.hostId)?.label ?? entry.target.hostId}
            now={now}
            isOn={isOn}
            onToggle={() => setChosen({ ...chosen, [entry.id]: !isOn })}
          />
        ))}
      </ul>
      {expired.length === 0 ? null : (
        <div className={styles.expired}>
          <Glyph name="expired" hue="off" />
          <p>
            <strong>{expired.length} expired, never sent</strong>
            {expired.map((entry) => (
              <span key={entry.id}>
                {intentTitle(entry)}, {entry.target.hostId}: void since {formatMoment(entry.expiresAt, now)}
              </span>
            ))}
          </p>
        </div>
      )}
      {problem === null ? null : (
        <p className={styles.problem} role="alert">
          {problem}
        </p>
      )}
    </Dialog>
  );
}

interface ItemProps {
  readonly entry: IntentEntry;
  readonly view: ReviewView;
  readonly hostLabel: string | null;
  readonly now: number;
  readonly isOn: boolean;
  readonly onToggle: () => void;
}

function Item({ entry, view, hostLabel, now, isOn, onToggle }: ItemProps) {
  const condition = intentCondition(entry, now);
  return (
    <li>
      <label className={styles.item}>
        <input
          type="checkbox"
          className={styles.box}
          aria-label={intentTitle(entry)}
          aria-describedby={`review-${entry.id}`}
          checked={isOn}
          onChange={onToggle}
        />
        <span>
          <strong className={styles.title}>{intentTitle(entry)}</strong>
          <span id={`review-${entry.id}`} className={styles.detail}>
            {hostLabel}
            {condition === '' ? '' : `, ${condition}`}.{' '}
            <strong data-against={view.isAgainst}>Now: {view.now}.</strong> {view.outcome}{' '}
            {view.outcome === '' ? `${upperFirst(voidWords(entry.expiresAt, now))}.` : null}
          </span>
        </span>
      </label>
    </li>
  );
}

function upperFirst(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
