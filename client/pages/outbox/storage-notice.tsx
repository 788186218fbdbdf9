import type { OutboxState } from '../../data/intents/types.ts';
import { Button } from '../../ui/button.tsx';
import { Glyph } from '../../ui/glyph.tsx';
import styles from './storage-notice.module.css';
import { noticeWords } from './storage-words.ts';

interface StorageNoticeProps {
  readonly outbox: OutboxState;
  readonly onExport: () => void;
}

/** Says when what waits would not outlive this page, or when the collector does not take it. */
export function StorageNotice({ outbox, onExport }: StorageNoticeProps) {
  const words = noticeWords(outbox);
  if (words === null) return null;
  return (
    <div className={styles.notice}>
      <Glyph name="needs-confirmation" hue="warn" />
      <p>
        <strong>{words.title}</strong> {words.detail}
      </p>
      {outbox.unsent === 0 ? null : <Button onClick={onExport}>Export</Button>}
    </div>
  );
}
