import { useState } from 'react';
import type { Model } from '#shared/schemas/model.ts';
import { Button } from '../../ui/button.tsx';
import { Glyph } from '../../ui/glyph.tsx';
import { HueText } from '../../ui/hue-text.tsx';
import { FailedStartDialog } from '../host-parts/failed-start-dialog.tsx';
import { ModelTtl } from '../host-parts/model-ttl.tsx';
import type { ModelRowView } from '../host-parts/model-view.ts';
import { shortFailure } from '../host-parts/reason-words.ts';
import { UsualLoad } from '../host-parts/usual-load.tsx';
import { useActOn } from '../intents/act-on.tsx';
import { modelActions } from '../intents/model-actions.ts';
import { openModelSheet } from '../intents/model-sheet-state.ts';
import { RowIntent } from '../intents/row-intent.tsx';
import styles from './host-model-row.module.css';

interface HostModelRowProps {
  readonly hostLabel: string;
  readonly model: Model;
  readonly row: ModelRowView;
  readonly isPast: boolean;
}

/** A model of the host: its state, and the one thing to do with it; while that is under way, how far it is. */
export function HostModelRow({ hostLabel, model, row, isPast }: HostModelRowProps) {
  const [isOpen, setOpen] = useState(false);
  const { act, unavailable, willQueue } = useActOn();
  const { hostId, modelId } = model;
  const [action] = modelActions(model, null).actions;
  const name = modelId === '' ? '(empty name)' : modelId;
  return (
    <li className={styles.row} data-past={isPast} data-model-id={modelId}>
      <span className={styles.shape}>
        <Glyph name={row.glyph} hue={row.hue} />
      </span>
      <span className={styles.words}>
        <button
          type="button"
          className={styles.id}
          data-stop=""
          onClick={() => openModelSheet(hostId, modelId)}
        >
          {name}
        </button>
        <span className={styles.state}>
          <HueText hue={row.hue} strong={isPast}>
            {row.word}
          </HueText>{' '}
          {row.time}
          {row.runningWords === '' ? '' : ` · ${row.runningWords}`}
          {row.ttl === null ? null : (
            <>
              {' · '}
              <ModelTtl facts={row.ttl} />
            </>
          )}
          {row.glyph === 'starting' ? (
            <>
              {' '}
              <UsualLoad hostId={hostId} modelId={modelId} />
            </>
          ) : null}
          {row.failedStart === null ? null : (
            <>
              {' · '}
              <button
                type="button"
                className={styles.reason}
                title={row.failedStart.reason}
                onClick={() => setOpen(true)}
              >
                {shortFailure(row.failedStart.reason)}
              </button>
              <FailedStartDialog
                open={isOpen}
                onClose={() => setOpen(false)}
                hostId={hostId}
                hostLabel={hostLabel}
                modelId={modelId}
                failedStart={row.failedStart}
              />
            </>
          )}
        </span>
      </span>
      <span className={styles.end}>
        <RowIntent hostId={hostId} modelId={modelId}>
          {action !== undefined && willQueue ? <small className={styles.queues}>will queue</small> : null}
          {action === undefined ? null : (
            <Button
              unavailable={unavailable}
              aria-label={`${action.label} ${name}`}
              onClick={() => void act(action.draft)}
            >
              {action.label}
            </Button>
          )}
        </RowIntent>
      </span>
    </li>
  );
}
