import { useHostIntents } from '../../data/use-intents.ts';
import { useModels } from '../../data/use-fleet.ts';
import { wholeModelRow } from '../host-parts/model-view.ts';
import type { ModelRowContext } from '../host-parts/model-view.ts';
import { intentPlace } from '../intents/intent-state.ts';
import { ModelRow } from './model-row.tsx';

/** See {@link UnderWayRows}. */
export interface UnderWayRowsProps {
  readonly hostId: string;
  readonly hostLabel: string;
  /** Models that have a row already. */
  readonly shown: readonly string[];
  readonly context: ModelRowContext;
}

/** Rows of models at rest for which something is under way: among "11 stopped" nobody would see it. */
export function UnderWayRows({ hostId, hostLabel, shown, context }: UnderWayRowsProps) {
  const entries = useHostIntents(hostId);
  const models = useModels(hostId);
  const awaited = new Set(
    entries
      .filter((entry) => intentPlace(entry.state) !== 'ended' && entry.kind !== 'request.cancel')
      .flatMap((entry) => entry.target.modelId ?? []),
  );
  return models
    .filter(({ modelId }) => awaited.has(modelId) && !shown.includes(modelId))
    .map((model) => (
      <ModelRow
        key={model.modelId}
        hostId={hostId}
        hostLabel={hostLabel}
        model={wholeModelRow(model, context)}
        isPast={context.freshness === 'past'}
      />
    ));
}
