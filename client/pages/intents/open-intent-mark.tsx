import { cancelIntent } from '../../data/intent-actions.ts';
import type { IntentEntry } from '../../data/intents/types.ts';
import { Glyph } from '../../ui/glyph.tsx';
import { HueText } from '../../ui/hue-text.tsx';
import { showFailure } from '../../ui/toast.tsx';
import { useArmed } from '../../ui/use-armed.ts';
import { useActOn } from './act-on.tsx';
import { outcomeSentence } from './intent-outcome.ts';
import { intentLook } from './intent-state.ts';
import { stepAt } from './intent-words.ts';
import { formatElapsed } from '../../ui/format.ts';
import styles from './open-intent-mark.module.css';
import type { Stop } from './open-intent.ts';
import { stopOf } from './open-intent.ts';

interface OpenIntentProps {
  readonly entry: IntentEntry;
  readonly now: number;
  readonly isPast: boolean;
}

/** An action under way, in the few words a row has room for: `queued here`, `running 0:14`, and how to stop it. */
export function OpenIntent({ entry, now, isPast }: OpenIntentProps) {
  const { act, unavailable } = useActOn();
  const { glyph, hue } = intentLook(entry.state, isPast);
  const stop = unavailable === null ? stopOf(entry) : null;
  return (
    <span className={styles.mark} data-intent="" title={outcomeSentence(entry, { now, isPast })}>
      <Glyph name={glyph} hue={hue} />
      <span className={styles.words}>
        {entry.isMine ? null : <span className={styles.author}>{entry.author.label}: </span>}
        <HueText hue={hue} strong>
          {openWords(entry, now, isPast)}
        </HueText>
      </span>
      {stop === null ? null : (
        <StopButton
          key={stop.how}
          label={stop.label}
          onStop={() => void (stop.how === 'abort' ? act(stop.draft) : cancel(stop))}
        />
      )}
    </span>
  );
}

/** It takes the place of the button that was just pressed: the second half of a double click must not stop it. */
const DEAD_MS = 800;

function StopButton({ label, onStop }: { readonly label: string; readonly onStop: () => void }) {
  const isArmed = useArmed(DEAD_MS);
  return (
    <button type="button" className={styles.stop} disabled={!isArmed} onClick={onStop}>
      {label}
    </button>
  );
}

/** `queued here`, `sent`, `waiting behind Load coder (ben)`, `waking bluefin 0:14`, `running 0:14`, `was running`. */
function openWords(entry: IntentEntry, now: number, isPast: boolean): string {
  const word = intentLook(entry.state, isPast).word.toLowerCase();
  if (entry.cancelAsked) return `${word}, cancelling`;
  if (isPast) return word;
  const reason = firstClause(entry.reason);
  if (entry.state === 'waiting' && reason !== null) return `waiting ${reason}`;
  if (entry.state !== 'running') return word;
  const startedAt = stepAt(entry, 'running');
  const elapsed = startedAt === null ? '' : ` ${formatElapsed(now - startedAt)}`;
  const isHeldUp = entry.code === 'waiting_behind' || entry.code === 'waking';
  return isHeldUp && reason !== null ? `${reason}${elapsed}` : `running${elapsed}`;
}

/** `behind Load coder (ben)`: what it waits for, without what else is said of it. */
function firstClause(reason: string | null): string | null {
  const clause = /^(.+?)(?:[.:](?:\s|$)| on \S+:)/.exec(reason ?? '')?.[1];
  return clause === undefined ? null : clause.charAt(0).toLowerCase() + clause.slice(1);
}

async function cancel(stop: Extract<Stop, { how: 'cancel' }>): Promise<void> {
  const stored = await cancelIntent(stop.id);
  if (!stored.ok) showFailure({ title: 'Not cancelled', detail: stored.message });
}
