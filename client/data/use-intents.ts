import { useReadable } from './cell.ts';
import { intentById, intentsByHost, intentsCell, outboxCell } from './intents/intent-cells.ts';
import type { IntentEntry, OutboxState } from './intents/types.ts';

/** Everybody's intents, newest first: this device's queue and the collector's ledger, each id once. */
export function useIntents(): readonly IntentEntry[] {
  return useReadable(intentsCell);
}

/** One intent, or null when neither queue nor ledger has it. */
export function useIntent(id: string): IntentEntry | null {
  return useReadable(intentById.at(id));
}

/** Intents about one host, newest first. */
export function useHostIntents(hostId: string): readonly IntentEntry[] {
  return useReadable(intentsByHost.at(hostId));
}

/** How this device's queue stands: what waits, what needs a decision, and whether it is kept. */
export function useOutbox(): OutboxState {
  return useReadable(outboxCell);
}
