import { useNow } from '../../data/use-now.ts';
import { forgetRestoredHistory, useRestoredHistory } from '../../data/restored-history.ts';
import { Button } from '../../ui/button.tsx';
import { formatMoment } from '../../ui/format.ts';
import { Glyph } from '../../ui/glyph.tsx';
import styles from './storage-notice.module.css';

/** Says what a restore of the collector's history did to the actions listed here, until it was read. */
export function RestoredNotice() {
  const at = useRestoredHistory();
  const now = useNow(60_000);
  if (at === null) return null;
  return (
    <div className={styles.notice}>
      <Glyph name="needs-confirmation" hue="warn" />
      <p>
        <strong>The history was restored.</strong> Found at {formatMoment(at, now)}, and fetched anew. What
        was asked for before and the collector does not know any more is not done. Ask again for what is still
        wanted.
      </p>
      <Button onClick={forgetRestoredHistory}>Hide</Button>
    </div>
  );
}
