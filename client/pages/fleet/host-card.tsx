import { useState } from 'react';
import { DemoMark } from '../../ui/demo-mark.tsx';
import { deferred } from '../../ui/deferred.tsx';
import { Glyph } from '../../ui/glyph.tsx';
import { HueText } from '../../ui/hue-text.tsx';
import { Icon } from '../../ui/icon.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import type { HostCardView, OtherModels } from './fleet-view.ts';
import styles from './host-card.module.css';
import { HostMenu } from './host-menu.tsx';
import { ModelRow } from './model-row.tsx';
import type { RestOfModelsProps } from './rest-of-models.tsx';

const RestOfModels = deferred<RestOfModelsProps>(
  async () => (await import('./rest-of-models.tsx')).RestOfModels,
);

interface HostCardProps {
  readonly view: HostCardView;
  /** When its last request ended, in words; null: none is known here. */
  readonly lastRequest: string | null;
}

/** A host: its state in shape and word, one stamp, why it is not live, and its models. */
export function HostCard({ view, lastRequest }: HostCardProps) {
  const isPast = view.freshness === 'past';
  const facts = lastRequest === null ? view.facts : [...view.facts, lastRequest];
  return (
    <article
      id={`host-${view.id}`}
      className={styles.card}
      data-past={isPast}
      data-away={view.hue === 'stale'}
      tabIndex={-1}
      aria-labelledby={`host-${view.id}-name`}
    >
      <header className={styles.head}>
        <span className={styles.shape}>
          <Glyph
            name={view.glyph}
            hue={view.freshness === 'live' || view.hue !== 'ready' ? view.hue : 'stale'}
            size="header"
          />
        </span>
        <div className={styles.title}>
          <h2 className={styles.name} id={`host-${view.id}-name`}>
            {view.label}
          </h2>
          <HueText hue={view.hue} strong>
            {view.word}
          </HueText>
          {view.demo ? <DemoMark /> : null}
        </div>
        {view.keyRefused ? (
          <LinkButton to="/hosts/$hostId/edit" params={{ hostId: view.id }}>
            Replace key
          </LinkButton>
        ) : null}
        <HostMenu hostId={view.id} />
      </header>
      <p className={styles.facts}>{facts.join(' · ')}</p>
      {view.reason === null ? null : <p className={styles.reason}>{view.reason}</p>}
      <ul className={styles.models}>
        {view.models.map((model) => (
          <ModelRow
            key={model.modelId}
            hostId={view.id}
            hostLabel={view.label}
            model={model}
            isPast={isPast}
          />
        ))}
        {view.others === null ? null : <Others hostId={view.id} others={view.others} />}
      </ul>
    </article>
  );
}

function Others({ hostId, others }: { readonly hostId: string; readonly others: OtherModels }) {
  const [isOpen, setOpen] = useState(false);
  const preview = others.names.slice(0, 8).join(', ');
  return (
    <li className={styles.others}>
      <button type="button" className={styles.opener} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <Glyph name="stopped" hue="off" />
        <span className={styles.names}>
          {others.word}
          {isOpen || preview === '' ? null : <span className={styles.preview}> · {preview}</span>}
        </span>
        <span className={styles.chevron} data-open={isOpen}>
          <Icon name="down" />
        </span>
      </button>
      {isOpen ? (
        <ul className={styles.list}>
          {others.names.map((name) => (
            <li key={name}>{name === '' ? '(empty name)' : name}</li>
          ))}
          {others.more === 0 ? null : <RestOfModels hostId={hostId} more={others.more} />}
        </ul>
      ) : null}
    </li>
  );
}
