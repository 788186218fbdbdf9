import { Link } from '@tanstack/react-router';
import { checkTitle, checkWord } from '#shared/lib/health-words.ts';
import type { HealthCheck } from '#shared/schemas/info.ts';
import { UNKNOWN } from '../../ui/format.ts';
import type { GlyphName, Hue } from '../../ui/glyph.tsx';
import { Glyph } from '../../ui/glyph.tsx';
import { HueText } from '../../ui/hue-text.tsx';
import { LIVENESS_LOOK } from '../host-parts/host-view.ts';
import styles from './health-section.module.css';

interface Look {
  readonly glyph: GlyphName;
  readonly hue: Hue;
}

const LOOKS: Readonly<Record<HealthCheck['state'], Look>> = {
  fail: { glyph: 'failed', hue: 'bad' },
  warn: { glyph: 'needs-confirmation', hue: 'warn' },
  ok: { glyph: 'succeeded', hue: 'ready' },
};

/** One check: four columns on a laptop, a card on a phone. Nothing of it is cut off. */
export function CheckRow({ check, isStale }: { readonly check: HealthCheck; readonly isStale: boolean }) {
  const look = lookOf(check);
  const title = checkTitle(check);
  return (
    <li className={styles.row} data-state={check.state} data-stale={isStale}>
      <span className={styles.state}>
        <Glyph name={look.glyph} hue={isStale ? 'stale' : look.hue} />
        <HueText hue={isStale ? 'stale' : look.hue === 'ready' ? 'plain' : look.hue}>
          {checkWord(check)}
        </HueText>
      </span>
      <span className={styles.name}>
        {check.hostId === undefined ? (
          title
        ) : (
          <Link to="/hosts/$hostId" params={{ hostId: check.hostId }} search={{}}>
            {title}
          </Link>
        )}
      </span>
      <span className={styles.detail}>{check.detail}</span>
      <span className={styles.remedy} data-empty={check.remediation === null}>
        <span className="visually-hidden">Remedy: </span>
        {check.remediation ?? UNKNOWN}
      </span>
    </li>
  );
}

/** A host that does not fail as such has the shape of its state: a key, a crescent, two arrows. */
function lookOf({ state, standing }: HealthCheck): Look {
  if (standing === undefined || standing === 'connected' || standing === 'down') return LOOKS[state];
  return LIVENESS_LOOK[standing];
}
