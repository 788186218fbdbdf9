import { exportUnsent } from '../../data/intent-actions.ts';
import type { IntentEntry } from '../../data/intents/types.ts';

/** Saves what the page lists, whole. */
export function saveEntries(entries: readonly IntentEntry[]): void {
  save(
    new Blob([`${JSON.stringify(entries, null, 2)}\n`], { type: 'application/json' }),
    'drover-outbox.json',
  );
}

/** Saves what the collector is not known to have. */
export async function saveUnsent(): Promise<void> {
  save(await exportUnsent(), 'drover-unsent.json');
}

function save(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The download has taken the blob by the next task.
  setTimeout(() => URL.revokeObjectURL(url));
}
