import { useOutbox } from '../../data/use-intents.ts';
import styles from './outbox-badge.module.css';

/** How many actions wait on this device or for a word of its user; nothing when none does. */
export function OutboxBadge() {
  const { unsent, needsYou } = useOutbox();
  const count = unsent + needsYou;
  return count === 0 ? null : <span className={styles.badge}>{count}</span>;
}
