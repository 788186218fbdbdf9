import { useEffect } from 'react';
import type { LivePresence, PreparedAction } from '#shared/schemas/live.ts';
import { useReadable } from './cell.ts';
import { addPresence, presenceByHost } from './presence-state.ts';

/** Who looks at a host now and what they prepare, this device among them; null while nobody does or nothing is known. */
export function usePresence(hostId: string): LivePresence | null {
  return useReadable(presenceByHost.at(hostId));
}

/** Tells others, while the component stands, that this page shows a host and what is prepared there. Any number may. */
export function useReportPresence(hostId: string | null, preparing: PreparedAction | null): void {
  const kind = preparing?.kind ?? null;
  const modelId = preparing?.modelId ?? null;
  useEffect(
    () => addPresence({ hostId, preparing: kind === null ? null : { kind, modelId } }),
    [hostId, kind, modelId],
  );
}
