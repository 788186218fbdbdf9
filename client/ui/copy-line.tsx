import { useState } from 'react';
import { IconButton } from './button.tsx';
import styles from './copy-line.module.css';
import { copyText } from './copy-text.ts';
import { Icon } from './icon.tsx';

/** One line to be taken elsewhere, with a button that copies it and says so. */
export function CopyLine({ text, label }: { readonly text: string; readonly label: string }) {
  const [outcome, setOutcome] = useState<'none' | 'copied' | 'refused'>('none');
  return (
    <div className={styles.line}>
      <code className={styles.text}>{text}</code>
      <output className={styles.outcome}>
        {outcome === 'copied' ? 'Copied' : outcome === 'refused' ? 'Select it by hand' : ''}
      </output>
      <IconButton
        label={label}
        onClick={() => {
          copyText(text).then(
            () => setOutcome('copied'),
            () => setOutcome('refused'),
          );
        }}
      >
        <Icon name="copy" />
      </IconButton>
    </div>
  );
}
