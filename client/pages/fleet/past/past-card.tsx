import { DemoMark } from '../../../ui/demo-mark.tsx';
import { Glyph } from '../../../ui/glyph.tsx';
import { HueText } from '../../../ui/hue-text.tsx';
import { Gauge } from '../../host-parts/gauge.tsx';
import styles from './past-card.module.css';
import type { PastHost } from './past-host.ts';

/** A host as it was: its models, the memory of its cards, what it served. */
export function PastCard({ host }: { readonly host: PastHost }) {
  const name = `past-${host.id}`;
  return (
    <article className={styles.card} aria-labelledby={name} data-host-id={host.id}>
      <h2 className={styles.name} id={name}>
        {host.label} {host.demo ? <DemoMark /> : null}
      </h2>
      {host.requests === null ? null : <p className={styles.facts}>{host.requests}</p>}
      {host.note === null ? null : <p className={styles.note}>{host.note}</p>}
      {host.gpus.length === 0 ? null : (
        <div className={styles.gauges}>
          {host.gpus.map((gpu) => (
            <Gauge key={gpu.key} view={gpu} />
          ))}
        </div>
      )}
      <ul className={styles.models}>
        {host.models.map((model) => (
          <li key={model.modelId} className={styles.model} data-model-id={model.modelId}>
            <Glyph name={model.glyph} hue={model.hue} />
            <span className={styles.id}>{model.modelId === '' ? '(empty name)' : model.modelId}</span>
            <span className={styles.state}>
              <HueText hue={model.hue} strong>
                {model.word}
              </HueText>{' '}
              {model.time}
              {model.failedStart === null ? null : <span> · {model.failedStart.reason}</span>}
              {model.runningWords === '' ? null : <span> · {model.runningWords}</span>}
            </span>
          </li>
        ))}
        <Names names={host.stopped} word="stopped" glyph="stopped" />
        <Names names={host.unknown} word="not known then" glyph="unknown" />
      </ul>
    </article>
  );
}

const MAX_NAMES = 8;

interface NamesProps {
  readonly names: readonly string[];
  readonly word: string;
  readonly glyph: 'stopped' | 'unknown';
}

function Names({ names, word, glyph }: NamesProps) {
  if (names.length === 0) return null;
  const more = names.length - MAX_NAMES;
  return (
    <li className={styles.model}>
      <Glyph name={glyph} hue="off" />
      <span className={styles.names}>
        {names.length} {word}
        <span className={styles.preview}>
          {' '}
          · {names.slice(0, MAX_NAMES).join(', ')}
          {more > 0 ? ` and ${more} more` : ''}
        </span>
      </span>
    </li>
  );
}
