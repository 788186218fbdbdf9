import { useState } from 'react';
import { healthText, redactReport } from '#shared/lib/health-words.ts';
import type { HealthCheck } from '#shared/schemas/info.ts';
import { Button } from '../../ui/button.tsx';
import { copyText } from '../../ui/copy-text.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Icon } from '../../ui/icon.tsx';
import { useShortcuts } from '../../ui/shortcuts.ts';
import styles from './copy-report.module.css';

/** Copies all checks as text without secrets, addresses and paths; where there is no clipboard it is shown instead. */
export function CopyReport({
  checks,
  head,
}: {
  readonly checks: readonly HealthCheck[];
  readonly head: string;
}) {
  const [outcome, setOutcome] = useState<'none' | 'copied' | 'shown'>('none');
  const text = redactReport(`${head}\n\n${healthText(checks)}\n`);

  async function copy(): Promise<void> {
    await copyText(text).then(
      () => setOutcome('copied'),
      () => setOutcome('shown'),
    );
  }

  useShortcuts({ c: () => void copy() });
  return (
    <>
      <Button onClick={() => void copy()} title="Secrets, addresses and paths are taken out.">
        <Icon name="copy" size="s" />
        <span aria-live="polite">{outcome === 'copied' ? 'Copied' : 'Copy report'}</span>
      </Button>
      <Dialog open={outcome === 'shown'} onClose={() => setOutcome('none')} title="Report to copy by hand">
        <p className={styles.why}>The browser gives the clipboard to https pages only.</p>
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, so the keyboard has to reach it */}
        <pre className={styles.text} tabIndex={0}>
          {text}
        </pre>
      </Dialog>
    </>
  );
}
