import { Link } from '@tanstack/react-router';
import { useSession } from '../../data/use-session.ts';
import { Icon } from '../../ui/icon.tsx';
import { ConnectionFoot } from './connection-button.tsx';
import { NAV_ITEMS } from './nav-items.ts';
import { OutboxBadge } from './outbox-badge.tsx';
import styles from './rail.module.css';

/** Navigation of a laptop: 56 px of icons, 208 px with words from 1080. */
export function Rail() {
  const session = useSession();
  return (
    <nav className={styles.rail} aria-label="Pages">
      <Link to="/" className={styles.brand} aria-label="Drover, to the fleet">
        <Icon name="logo" size="l" />
        <span className={styles.word}>Drover</span>
      </Link>
      <ul className={styles.items}>
        {NAV_ITEMS.map((item) => (
          <li key={item.to}>
            <Link
              to={item.to}
              className={styles.item}
              activeOptions={{ exact: item.to === '/', includeSearch: false }}
              title={item.label}
            >
              <Icon name={item.icon} />
              <span className={styles.word}>{item.label}</span>
              {item.to === '/outbox' ? <OutboxBadge /> : null}
            </Link>
          </li>
        ))}
      </ul>
      <div className={styles.foot}>
        <ConnectionFoot />
        {session.status === 'signed-in' ? (
          <div className={styles.account}>
            <span className={styles.avatar} aria-hidden="true">
              {(session.device?.label ?? 'key').slice(0, 1).toUpperCase()}
            </span>
            <span className={styles.word}>
              <span className={styles.device}>{session.device?.label ?? 'API key'}</span>
              <span className={styles.role}>{session.role}</span>
            </span>
          </div>
        ) : null}
      </div>
    </nav>
  );
}
