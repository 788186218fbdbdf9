import { routes } from '#shared/http/routes.ts';
import { useSession } from '../../data/use-session.ts';
import { Glyph } from '../../ui/glyph.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { useAnswer } from '../frame/use-answer.ts';
import styles from './own-host-card.module.css';

/** A llama-swap that answers beside the collector, while only the demo is watched. */
export function FoundHint() {
  const { role } = useSession();
  const { value } = useAnswer(routes.firstRun, role === 'admin');
  const found = value?.found ?? null;
  if (found === null) return null;
  return (
    <p className={styles.found}>
      <Glyph name="succeeded" hue="ready" />
      <span>
        A real llama-swap answers at <code>{found.url}</code>
        {found.version === null ? '' : `, ${found.version}`}; not added.
      </span>
      <LinkButton to="/hosts/add" search={{ url: found.url }} state={{ testAtOnce: true }}>
        Add it
      </LinkButton>
    </p>
  );
}
