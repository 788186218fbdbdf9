import { IconButton } from '../../ui/button.tsx';
import { DemoMark } from '../../ui/demo-mark.tsx';
import { Glyph } from '../../ui/glyph.tsx';
import { Icon } from '../../ui/icon.tsx';
import type { NeedsYouItem } from './needs-you-view.ts';
import styles from './needs-you.module.css';

/** See {@link NeedsYou}. */
export interface NeedsYouProps {
  readonly items: readonly NeedsYouItem[];
  /** How many stand alone before the rest is summed up in one line. */
  readonly limit: number;
  readonly onOpen: (item: NeedsYouItem) => void;
  /** It was read: it leaves the strip of this device. */
  readonly onSeen: (seenKey: string) => void;
  readonly onShowAll: () => void;
  /** Nothing on stale ground keeps its hue. */
  readonly isPast: boolean;
}

/** What waits for a person, above everything else. */
export function NeedsYou({ items, limit, onOpen, onSeen, onShowAll, isPast }: NeedsYouProps) {
  if (items.length === 0) return null;
  const shown = items.length <= limit ? items : items.slice(0, limit - 1);
  const rest = items.slice(shown.length);
  const [firstOfRest] = rest;
  return (
    <section className={styles.strip} aria-label="Needs you">
      <ul className={styles.list}>
        {shown.map((item) => (
          <li key={item.key} className={styles.item}>
            <button type="button" className={styles.button} onClick={() => onOpen(item)}>
              <span className={styles.shape}>
                <Glyph name={item.glyph} hue={isPast ? 'stale' : item.hue} />
              </span>
              <span className={styles.words}>
                <span className={styles.title}>{item.title}</span>
                <span className={styles.detail}>{item.detail}</span>
              </span>
              {item.demo ? <DemoMark /> : null}
              {item.failedStart === undefined ? (
                <span className={styles.chevron}>
                  <Icon name="right" size="s" />
                </span>
              ) : null}
            </button>
            {item.failedStart === undefined ? null : (
              <Seen title={item.title} seenKey={item.failedStart.seenKey} onSeen={onSeen} />
            )}
          </li>
        ))}
        {firstOfRest === undefined ? null : (
          <li className={styles.item}>
            <button type="button" className={styles.button} onClick={onShowAll}>
              <span className={styles.shape}>
                <Glyph name={firstOfRest.glyph} hue={isPast ? 'stale' : firstOfRest.hue} />
              </span>
              <span className={styles.words}>
                <span className={styles.title}>{rest.length} more</span>
                <span className={styles.detail}>{rest.map((item) => item.title).join(', ')}</span>
              </span>
              <span className={styles.chevron}>
                <Icon name="right" size="s" />
              </span>
            </button>
          </li>
        )}
      </ul>
    </section>
  );
}

interface SeenProps extends Pick<NeedsYouProps, 'onSeen'> {
  readonly title: string;
  readonly seenKey: string;
}

/** Takes it off the strip: read, not gone. */
function Seen({ title, seenKey, onSeen }: SeenProps) {
  return (
    <span className={styles.seen}>
      <IconButton label={`Seen: ${title}`} onClick={() => onSeen(seenKey)}>
        <Icon name="close" size="s" />
      </IconButton>
    </span>
  );
}
