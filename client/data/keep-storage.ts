import { createCell } from './cell.ts';
import { isSecure } from './environment.ts';
import type { PersistOutcome } from './types.ts';

/** What the browser said to keeping the copy. */
export const persistCell = createCell<PersistOutcome>('not-asked');

/** Asks the browser not to clear this copy when room gets short. Some browsers ask the person: call it on a gesture. */
export async function keepStorage(): Promise<PersistOutcome> {
  persistCell.set(await ask());
  return persistCell.get();
}

/** Looks whether it was promised before, without asking. */
export async function lookAtStorage(): Promise<void> {
  if (!isSecure || !('storage' in navigator)) persistCell.set('unsupported');
  else if (await navigator.storage.persisted().catch(() => false)) persistCell.set('granted');
}

async function ask(): Promise<PersistOutcome> {
  if (!isSecure || !('storage' in navigator)) return 'unsupported';
  return (await navigator.storage.persist().catch(() => false)) ? 'granted' : 'refused';
}
