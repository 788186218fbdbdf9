import { useState } from 'react';
import { IconButton } from './button.tsx';
import styles from './copy-line.module.css';
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

/** The clipboard exists only in a secure context; on plain http the promise rejects. */
async function copyText(text: string): Promise<void> {
  if (!('clipboard' in navigator)) throw new Error('no clipboard on plain http');
  await navigator.clipboard.writeText(text);
}
