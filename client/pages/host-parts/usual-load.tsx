import { useModelEvents } from '../../data/use-model-events.ts';
import { useNow } from '../../data/use-now.ts';
import { formatElapsed } from '../../ui/format.ts';
import { HISTORY_MS, modelHistory } from './model-history.ts';

/** See {@link UsualLoad}. */
export interface UsualLoadProps {
  readonly hostId: string;
  readonly modelId: string;
}

/** Beside a model that is starting: how long that usually takes, where enough loads were seen. */
export function UsualLoad({ hostId, modelId }: UsualLoadProps) {
  const now = useNow(60_000);
  const held = useModelEvents({ hostId, spanMs: HISTORY_MS, stamp: 'starting' });
  const p50Ms = held && modelHistory(held.events, { modelId, from: held.from, now }).loads.p50Ms;
  return p50Ms === null ? null : `usually ${formatElapsed(p50Ms)}`;
}
