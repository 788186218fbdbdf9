import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { DemoMark } from '../../ui/demo-mark.tsx';
import { deferred } from '../../ui/deferred.tsx';
import { Glyph } from '../../ui/glyph.tsx';
import { HueText } from '../../ui/hue-text.tsx';
import { Icon } from '../../ui/icon.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { HostMenu } from '../host-parts/host-menu.tsx';
import type { HostGaugesProps } from '../host-parts/host-gauges.tsx';
import type { HostCardView, OtherModels } from '../host-parts/host-view.ts';
import type { PresenceMarkProps } from '../host-parts/presence-mark.tsx';
import type { RowIntentProps } from '../intents/row-intent.tsx';
import styles from './host-card.module.css';
import type { HostRateProps } from './host-rate.tsx';
import { ModelRow } from './model-row.tsx';
import type { OtherNamesProps } from './other-names.tsx';
import type { UnderWayRowsProps } from './under-way-rows.tsx';

const OtherNames = deferred<OtherNamesProps>(async () => (await import('./other-names.tsx')).OtherNames);
const PresenceMark = deferred<PresenceMarkProps>(
  async () => (await import('../host-parts/presence-mark.tsx')).PresenceMark,
);
const HostGauges = deferred<HostGaugesProps>(
  async () => (await import('../host-parts/host-gauges.tsx')).HostGauges,
);
const HostRate = deferred<HostRateProps>(async () => (await import('./host-rate.tsx')).HostRate);
const RowIntent = deferred<RowIntentProps>(async () => (await import('../intents/row-intent.tsx')).RowIntent);

const UnderWayRows = deferred<UnderWayRowsProps>(
  async () => (await import('./under-way-rows.tsx')).UnderWayRows,
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
      data-host-id={view.id}
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
            <Link to="/hosts/$hostId" params={{ hostId: view.id }} className={styles.link} data-stop="">
              {view.label}
            </Link>
          </h2>
          <HueText hue={view.hue} strong>
            {view.word}
          </HueText>
          {view.demo ? <DemoMark /> : null}
          <PresenceMark hostId={view.id} />
          <RowIntent hostId={view.id} />
        </div>
        {view.keyRefused ? (
          <LinkButton to="/hosts/$hostId/edit" params={{ hostId: view.id }}>
            Replace key
          </LinkButton>
        ) : (
          <span className={styles.rate}>
            <HostRate hostId={view.id} freshness={view.freshness} />
          </span>
        )}
        <HostMenu hostId={view.id} label={view.label} />
      </header>
      <p className={styles.facts}>{facts.join(' · ')}</p>
      {view.reason === null ? null : <p className={styles.reason}>{view.reason}</p>}
      {view.gaugeRows === 0 ? null : (
        <div className={styles.gauges} data-rows={view.gaugeRows}>
          <HostGauges hostId={view.id} isPast={isPast} />
        </div>
      )}
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
        <UnderWayRows
          hostId={view.id}
          hostLabel={view.label}
          shown={view.models.map(({ modelId }) => modelId)}
          context={view.rowContext}
        />
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
      {isOpen ? <OtherNames hostId={hostId} names={others.names} more={others.more} /> : null}
    </li>
  );
}
