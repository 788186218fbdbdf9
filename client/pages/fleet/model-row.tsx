import { useState } from 'react';
import { deferred } from '../../ui/deferred.tsx';
import { Glyph } from '../../ui/glyph.tsx';
import { HueText } from '../../ui/hue-text.tsx';
import type { FailedStartDialogProps } from '../host-parts/failed-start-dialog.tsx';
import type { ModelTtlProps } from '../host-parts/model-ttl.tsx';
import type { ModelRowView } from '../host-parts/model-view.ts';
import { shortFailure } from '../host-parts/reason-words.ts';
import type { UsualLoadProps } from '../host-parts/usual-load.tsx';
import { openModelSheet } from '../intents/model-sheet-state.ts';
import type { RowIntentProps } from '../intents/row-intent.tsx';
import styles from './model-row.module.css';

const FailedStartDialog = deferred<FailedStartDialogProps>(
  async () => (await import('../host-parts/failed-start-dialog.tsx')).FailedStartDialog,
);
const UsualLoad = deferred<UsualLoadProps>(
  async () => (await import('../host-parts/usual-load.tsx')).UsualLoad,
);
const ModelTtl = deferred<ModelTtlProps>(async () => (await import('../host-parts/model-ttl.tsx')).ModelTtl);
const RowIntent = deferred<RowIntentProps>(async () => (await import('../intents/row-intent.tsx')).RowIntent);

interface ModelRowProps {
  readonly hostId: string;
  readonly hostLabel: string;
  readonly model: ModelRowView;
  readonly isPast: boolean;
}

/** More bars than this say no more than the number beside them. */
const MAX_BARS = 4;

/**
 * A model on its host's card: shape, id, state since, and what runs on it, why it failed, or what is under way for it.
 * Anywhere on it opens its sheet.
 */
export function ModelRow({ hostId, hostLabel, model, isPast }: ModelRowProps) {
  const [isOpen, setOpen] = useState(false);
  const { failedStart } = model;
  const end =
    failedStart === null ? (
      <>
        <Running model={model} />
        {model.ttl === null ? null : <ModelTtl facts={model.ttl} />}
        {model.glyph === 'starting' ? <UsualLoad hostId={hostId} modelId={model.modelId} /> : null}
      </>
    ) : (
      <>
        <button
          type="button"
          className={styles.reason}
          data-past={isPast}
          title={failedStart.reason}
          onClick={() => setOpen(true)}
        >
          {shortFailure(failedStart.reason)}
        </button>
        <FailedStartDialog
          open={isOpen}
          onClose={() => setOpen(false)}
          hostId={hostId}
          hostLabel={hostLabel}
          modelId={model.modelId}
          failedStart={failedStart}
        />
      </>
    );
  return (
    <li className={styles.row} data-past={isPast} data-model-id={model.modelId}>
      <span className={styles.shape}>
        <Glyph name={model.glyph} hue={model.hue} />
      </span>
      <button
        type="button"
        className={styles.id}
        title={model.modelId}
        data-stop=""
        onClick={() => openModelSheet(hostId, model.modelId)}
      >
        {model.modelId === '' ? '(empty name)' : model.modelId}
      </button>
      <span className={styles.state}>
        <HueText hue={model.hue} strong={isPast}>
          {model.word}
        </HueText>{' '}
        {model.time}
      </span>
      <span className={styles.end}>
        <RowIntent hostId={hostId} modelId={model.modelId} meanwhile={end}>
          {end}
        </RowIntent>
      </span>
    </li>
  );
}

function Running({ model }: { readonly model: ModelRowView }) {
  if (model.runningWords === '') return null;
  const bars = Math.min(model.running ?? 0, MAX_BARS);
  return (
    <span className={styles.running} data-known={model.running !== null}>
      <span className={styles.bars} aria-hidden="true">
        {Array.from({ length: bars }, (_, bar) => (
          <i key={bar} className={styles.bar} />
        ))}
      </span>
      {model.runningWords}
    </span>
  );
}
