import { usePresence } from '../../data/use-presence.ts';
import { useSession } from '../../data/use-session.ts';
import styles from './presence-mark.module.css';
import { presenceView } from './presence-view.ts';

/** See {@link PresenceMark}. */
export interface PresenceMarkProps {
  readonly hostId: string;
  /** There is room for all that is known; left out: a phone shows the avatar only. */
  readonly words?: boolean;
}

/** Who else looks at a host. Nothing while nobody does, and while nobody can know. */
export function PresenceMark({ hostId, words = false }: PresenceMarkProps) {
  const presence = usePresence(hostId);
  const { device } = useSession();
  const view = presenceView(presence, device?.id ?? null);
  if (view === null) return null;
  return (
    <span className={styles.mark} data-words={words} title={view.words}>
      <span className={styles.avatar} aria-hidden="true">
        {view.initial}
      </span>
      <span className={styles.words}>{words ? view.words : view.short}</span>
    </span>
  );
}
