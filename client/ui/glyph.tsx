import styles from './glyph.module.css';

/** Shapes of `glyphs.svg`, by the state they stand for. */
export type GlyphName =
  | 'live'
  | 'reconnecting'
  | 'asleep'
  | 'down'
  | 'unauthorized'
  | 'incompatible'
  | 'paused'
  | 'ready'
  | 'starting'
  | 'stopping'
  | 'stopped'
  | 'failed'
  | 'unknown'
  | 'queued'
  | 'sent'
  | 'received'
  | 'waiting'
  | 'claimed'
  | 'running'
  | 'succeeded'
  | 'outcome-unknown'
  | 'rejected'
  | 'expired'
  | 'cancelled'
  | 'superseded'
  | 'needs-confirmation'
  | 'gap';

/** Hues of `tokens.css` that a state may take; `stale` and `plain` are the two without a hue. */
export type Hue = 'ready' | 'busy' | 'warn' | 'bad' | 'sleep' | 'key' | 'odd' | 'off' | 'stale' | 'plain';

interface GlyphProps {
  readonly name: GlyphName;
  readonly hue: Hue;
  /** 14 in rows, 16 in headers. */
  readonly size?: 'row' | 'header';
}

/** A state's shape. Decorative for assistive technology: the word beside it carries the meaning. */
export function Glyph({ name, hue, size = 'row' }: GlyphProps) {
  return (
    <svg className={styles.glyph} data-hue={hue} data-size={size} aria-hidden="true" focusable="false">
      <use href={`#g-${name}`} />
    </svg>
  );
}
