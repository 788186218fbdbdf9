import { useState } from 'react';
import { useHostIntents } from '../../data/use-intents.ts';
import { useLive } from '../../data/use-live.ts';
import { usePresence, useReportPresence } from '../../data/use-presence.ts';
import { useNow } from '../../data/use-now.ts';
import { useSession } from '../../data/use-session.ts';
import { Button } from '../../ui/button.tsx';
import { DemoMark } from '../../ui/demo-mark.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Glyph } from '../../ui/glyph.tsx';
import { ListRow, RowList } from '../../ui/list-row.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { useArmed } from '../../ui/use-armed.ts';
import type { ActDraft } from './act-drafts.ts';
import { modelOf } from './act-drafts.ts';
import type { ActFacts, ActNeed } from './act-need.ts';
import styles from './confirm-sheet.module.css';
import type { WaitChoice } from './confirm-view.ts';
import { confirmView, othersPreparing, voidWords, WAIT_CHOICES, withWait } from './confirm-view.ts';
import { stoppedLoad } from './open-intent.ts';

interface ConfirmSheetProps {
  readonly open: boolean;
  readonly draft: ActDraft;
  readonly need: ActNeed;
  readonly facts: ActFacts;
  readonly onChoose: (draft: ActDraft) => Promise<void>;
  readonly onClose: () => void;
}

/** Asks before something is cut, woken or waited for; what it counts goes on while it is open. */
export function ConfirmSheet({ open, draft, need, facts, onChoose, onClose }: ConfirmSheetProps) {
  const { hostId } = draft.target;
  const now = useNow(1000);
  const { lastSeenAt } = useLive(hostId);
  const { device } = useSession();
  const presence = usePresence(hostId);
  // A count that is not known any more may be any.
  const isArmed = useArmed(400, need.ask === 'cut' ? (need.cut.count ?? Number.MAX_SAFE_INTEGER) : 0);
  const [isSending, setSending] = useState(false);
  const [wait, setWait] = useState<WaitChoice>('1h');
  useReportPresence(hostId, { kind: draft.kind, modelId: modelOf(draft) });
  const label = facts.host?.label ?? hostId;
  const view = confirmView(draft, need, { facts, label, now, heardAt: lastSeenAt });
  const stopped = stoppedLoad(useHostIntents(hostId), draft);
  const others = othersPreparing(presence, draft, device?.id ?? null);

  async function choose(chosen: ActDraft): Promise<void> {
    setSending(true);
    await onChoose(view.waits ? withWait(chosen, wait) : chosen);
  }

  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={view.title}
      actions={
        <>
          {view.choices.map((choice) => (
            <Button
              key={choice.key}
              look={choice.look}
              disabled={!isArmed || isSending}
              onClick={() => void choose(choice.draft)}
            >
              {choice.label}
            </Button>
          ))}
          <Button look="quiet" onClick={onClose}>
            {view.keep}
          </Button>
        </>
      }
    >
      {facts.host?.demo === true ? <DemoMark /> : null}
      <p className={styles.words}>
        <strong>{view.lead}</strong> {view.text}
      </p>
      {view.rows.length === 0 ? null : (
        <div className={styles.rows}>
          <RowList>
            {view.rows.map((row) => (
              <li key={row.id}>
                <ListRow
                  title={row.title}
                  detail={row.detail}
                  value={<span className={styles.elapsed}>{row.elapsed}</span>}
                />
              </li>
            ))}
            {view.more === 0 ? null : <li className={styles.more}>and {view.more} more</li>}
          </RowList>
        </div>
      )}
      {view.waits ? (
        <div className={styles.wait}>
          <Segmented label="How long it waits" wide value={wait} options={WAIT_CHOICES} onChange={setWait} />
          <p>{voidWords(wait, now)}</p>
        </div>
      ) : null}
      {view.note === '' ? null : (
        <p className={styles.note}>
          <Glyph name={view.isCounted ? 'live' : 'unknown'} hue={view.isCounted ? 'ready' : 'off'} />
          <span>{view.note}</span>
        </p>
      )}
      {[stopped, others].map((words) =>
        words === null ? null : (
          <p key={words} className={styles.others}>
            <Glyph name="needs-confirmation" hue="warn" />
            <span>{words}</span>
          </p>
        ),
      )}
    </Dialog>
  );
}
