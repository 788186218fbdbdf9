import { useEffect, useRef, useState } from 'react';
import { useHistoryDays } from '../../data/use-history-days.ts';
import { Button } from '../../ui/button.tsx';
import { formatBytes } from '../../ui/format.ts';
import { Icon } from '../../ui/icon.tsx';
import { Menu, MenuItem } from '../../ui/menu.tsx';
import { saveBlob } from '../../ui/save-blob.ts';
import { showFailure } from '../../ui/toast.tsx';
import styles from './storage-section.module.css';

/** Saves everything this device holds as a zip; made in the worker, with progress, and it can be cancelled. */
export function StorageExport() {
  const { exportAll, heldBytes } = useHistoryDays();
  const [progress, setProgress] = useState<{ readonly done: number; readonly total: number } | null>(null);
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);

  async function run(format: 'ndjson' | 'csv'): Promise<void> {
    const controller = new AbortController();
    running.current = controller;
    setProgress({ done: 0, total: heldBytes });
    const answer = await exportAll(format, {
      signal: controller.signal,
      onProgress: (done, total) => setProgress({ done, total }),
    });
    setProgress(null);
    if (answer.ok) saveBlob(answer.value, `drover-${new Date().toISOString().slice(0, 10)}.${format}.zip`);
    else if (answer.code !== 'cancelled')
      showFailure({ title: 'Nothing was exported', detail: answer.message });
  }

  if (progress !== null) {
    return (
      <span className={styles.export}>
        <output>
          {formatBytes(progress.done)} of {formatBytes(progress.total)}
        </output>
        <Button onClick={() => running.current?.abort()}>Cancel</Button>
      </span>
    );
  }
  return (
    <Menu
      trigger={
        <Button>
          <Icon name="download" size="s" />
          Export
        </Button>
      }
    >
      <MenuItem detail="Rows as the API has them, a line each." onSelect={() => void run('ndjson')}>
        NDJSON, zipped
      </MenuItem>
      <MenuItem detail="One table for each kind." onSelect={() => void run('csv')}>
        CSV, zipped
      </MenuItem>
    </Menu>
  );
}
