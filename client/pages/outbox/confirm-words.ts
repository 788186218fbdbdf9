import type { IntentEntry } from '../../data/intents/types.ts';
import { plural } from '../../ui/format.ts';

/** `Unload, cut 2 requests`: what is agreed to by pressing it, as things stand. */
export function confirmWords({ kind }: Pick<IntentEntry, 'kind'>, inFlight: number | null): string {
  if (kind === 'model.load') return 'Load, and wake it';
  if (inFlight === null) return 'Unload, whatever runs';
  return inFlight === 0 ? 'Unload now' : `Unload, cut ${plural(inFlight, 'request')}`;
}
