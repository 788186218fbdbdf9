import type { LivePresence, PreparedAction, PresenceReport } from '#shared/schemas/live.ts';
import { createCell } from './cell.ts';
import { createCellsByKey } from './cells-by-key.ts';

/** Who looks at a host now; null while nobody does or nothing is known. */
export const presenceByHost = createCellsByKey<LivePresence | null>(null);

/** What this page shows, all of its parts together. */
export const presenceReportCell = createCell<PresenceReport>({ hostId: null, preparing: null });

/** What one part of the page says. */
interface Part {
  readonly hostId: string | null;
  readonly preparing: PreparedAction | null;
}

const parts = new Set<Part>();

/** Adds what one part of the page shows; the returned function takes it back. */
export function addPresence(part: Part): () => void {
  parts.add(part);
  publish();
  return () => {
    parts.delete(part);
    publish();
  };
}

/** One page, one report: whoever prepares something goes before who only looks, the later before the earlier. */
function publish(): void {
  const shown = [...parts].filter(({ hostId }) => hostId !== null);
  const { hostId = null, preparing = null } =
    shown.findLast((part) => part.preparing !== null) ?? shown.at(-1) ?? {};
  const last = presenceReportCell.get();
  const isSame =
    last.hostId === hostId &&
    last.preparing?.kind === preparing?.kind &&
    last.preparing?.modelId === preparing?.modelId;
  if (!isSame) presenceReportCell.set({ hostId, preparing });
}
