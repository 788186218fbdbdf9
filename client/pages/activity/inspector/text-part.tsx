import { useState } from 'react';
import { formatCount } from '../../../ui/format.ts';
import { splitCode } from './inspector-view.ts';
import styles from './conversation-view.module.css';

/** So much of a text is drawn at once: a page of 100,000 characters is not what anybody reads first. */
const FIRST_CHARS = 4_000;

/** Text as it was written, code between fences set apart; a long one opens in two steps. */
export function TextPart({ text }: { readonly text: string }) {
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole || text.length <= FIRST_CHARS ? text : text.slice(0, FIRST_CHARS);
  return (
    <>
      {splitCode(shown).map((segment, index) =>
        segment.kind === 'code' ? (
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, so a keyboard has to get there
          <pre key={index} className={styles.code} tabIndex={0}>
            <code>{segment.text}</code>
          </pre>
        ) : (
          <p key={index} className={styles.prose}>
            {segment.text}
          </p>
        ),
      )}
      {shown.length === text.length ? null : (
        <button type="button" className={styles.toggle} onClick={() => setWhole(true)}>
          show all {formatCount(text.length)} characters
        </button>
      )}
    </>
  );
}
