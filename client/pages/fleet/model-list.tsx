import { Glyph } from '../../ui/glyph.tsx';
import { HueText } from '../../ui/hue-text.tsx';
import { ListRow, RowList } from '../../ui/list-row.tsx';
import { Panel } from '../../ui/panel.tsx';
import type { CollectorHop, HostFacts } from '../host-parts/host-view.ts';
import { hostCard } from '../host-parts/host-view.ts';
import { shortFailure } from '../host-parts/reason-words.ts';
import { openModelSheet } from '../intents/model-sheet-state.ts';

/** See {@link ModelList}. */
export interface ModelListProps {
  readonly fleet: readonly HostFacts[];
  readonly hop: CollectorHop;
  readonly now: number;
}

/** Every model that is not at rest, over all hosts, then how many are. */
export function ModelList({ fleet, hop, now }: ModelListProps) {
  const cards = fleet.map((facts) => hostCard(facts, hop, now));
  const rows = cards
    .flatMap((card) => card.models.map((model) => ({ card, model })))
    .sort((a, b) => a.model.modelId.localeCompare(b.model.modelId));
  const others = cards.reduce(
    (sum, card) => sum + (card.others === null ? 0 : card.others.names.length + card.others.more),
    0,
  );
  return (
    <Panel title="Models" note={`${rows.length} shown, ${others} at rest`}>
      <RowList>
        {rows.map(({ card, model }) => (
          <li key={`${card.id} ${model.modelId}`} data-host-id={card.id} data-model-id={model.modelId}>
            <button type="button" data-stop="" onClick={() => openModelSheet(card.id, model.modelId)}>
              <ListRow
                lead={<Glyph name={model.glyph} hue={model.hue} />}
                title={model.modelId}
                detail={`${card.label}${model.failedStart === null ? '' : ` · ${shortFailure(model.failedStart.reason)}`}`}
                value={
                  <>
                    <HueText hue={model.hue} strong>
                      {model.word}
                    </HueText>{' '}
                    {model.time}
                    {model.runningWords === '' ? '' : ` · ${model.runningWords}`}
                  </>
                }
              />
            </button>
          </li>
        ))}
      </RowList>
    </Panel>
  );
}
