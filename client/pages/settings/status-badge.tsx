import { STATUS_WORDS } from '#shared/lib/health-words.ts';
import type { Health } from '#shared/schemas/info.ts';
import type { GlyphName, Hue } from '../../ui/glyph.tsx';
import { Glyph } from '../../ui/glyph.tsx';
import styles from './status-badge.module.css';

const LOOKS: Readonly<Record<Health['status'], { readonly glyph: GlyphName; readonly hue: Hue }>> = {
  ok: { glyph: 'succeeded', hue: 'ready' },
  degraded: { glyph: 'needs-confirmation', hue: 'warn' },
  failed: { glyph: 'failed', hue: 'bad' },
};

/** What all checks come to, as a badge; stale: it was so. */
export function StatusBadge({
  status,
  isStale,
}: {
  readonly status: Health['status'];
  readonly isStale: boolean;
}) {
  const { glyph, hue } = LOOKS[status];
  return (
    <span className={styles.badge} data-hue={isStale ? 'stale' : hue}>
      <Glyph name={glyph} hue={isStale ? 'stale' : hue} />
      {isStale ? `was ${STATUS_WORDS[status]}` : STATUS_WORDS[status]}
    </span>
  );
}
