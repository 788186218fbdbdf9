import { exportUnsent } from '../../data/intent-actions.ts';
import type { IntentEntry } from '../../data/intents/types.ts';
import { saveBlob } from '../../ui/save-blob.ts';

/** Saves what the page lists, whole. */
export function saveEntries(entries: readonly IntentEntry[]): void {
  saveBlob(
    new Blob([`${JSON.stringify(entries, null, 2)}\n`], { type: 'application/json' }),
    'drover-outbox.json',
  );
}

/** Saves what the collector is not known to have. */
export async function saveUnsent(): Promise<void> {
  saveBlob(await exportUnsent(), 'drover-unsent.json');
}
