import { useState } from 'react';
import { DemoMark } from '../../ui/demo-mark.tsx';
import { Glyph } from '../../ui/glyph.tsx';
import { HueText } from '../../ui/hue-text.tsx';
import { Icon } from '../../ui/icon.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import type { HostCardView } from './fleet-view.ts';
import styles from './host-card.module.css';
import { HostMenu } from './host-menu.tsx';
import { ModelRow } from './model-row.tsx';

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
        {view.others === null ? null : <Others others={view.others} />}
      </ul>
    </article>
  );
}

function Others({
  others,
}: {
  readonly others: { readonly word: string; readonly names: readonly string[] };
}) {
  const [isOpen, setOpen] = useState(false);
  return (
    <li className={styles.others}>
      <button type="button" className={styles.opener} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <Glyph name="stopped" hue="off" />
        <span className={styles.names}>
          {others.word}
          {isOpen ? null : <span className={styles.preview}> · {others.names.slice(0, 8).join(', ')}</span>}
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
        </ul>
      ) : null}
    </li>
  );
}
