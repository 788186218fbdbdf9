import { Link, getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { SearchField } from '../../ui/search-field.tsx';
import { Panel, PanelBody } from '../../ui/panel.tsx';
import type { CollectorHop, HostFacts } from '../host-parts/host-view.ts';
import { modelRows } from '../host-parts/host-view.ts';
import { RestOfModels } from '../host-parts/rest-of-models.tsx';
import { HostModelRow } from './host-model-row.tsx';
import styles from './host-models.module.css';
import { briefModelIds, keptModelOrder, readyWords } from './models-view.ts';

const route = getRouteApi('/hosts/$hostId');
/** Past so many a filter stands above them. */
const FILTER_PAST = 12;

interface HostModelsProps {
  readonly facts: HostFacts;
  readonly hop: CollectorHop;
  readonly now: number;
  readonly isPast: boolean;
  /** Beside the charts: only what is not at rest, and some more; the others one step away. */
  readonly isBrief?: boolean;
}

/** The models of a host, each with what can be done with it; the order is that of the arrival. */
export function HostModels({ facts, hop, now, isPast, isBrief = false }: HostModelsProps) {
  const { q = '' } = route.useSearch();
  const navigate = route.useNavigate();
  const { host, models } = facts;
  const ids = useKeptOrder(models);
  const rows = new Map(modelRows(facts, hop, now).map((row) => [row.modelId, row]));
  const byId = new Map(models.map((model) => [model.modelId, model]));
  const text = isBrief ? '' : q.toLowerCase();
  const matching = ids.filter((id) => id.toLowerCase().includes(text));
  const shown = isBrief ? briefModelIds(matching, models) : matching;
  const more = Math.max(0, (host.modelCount ?? 0) - models.length);
  const total = models.length + more;
  return (
    <Panel
      title="Models"
      note={readyWords(models, total, isPast)}
      action={
        shown.length < matching.length ? (
          <Link
            to="/hosts/$hostId"
            params={{ hostId: host.id }}
            search={(last) => ({ ...last, tab: 'models' as const })}
            replace
            className={styles.all}
          >
            All {total}
          </Link>
        ) : undefined
      }
    >
      {!isBrief && (total > FILTER_PAST || q !== '') ? (
        <div className={styles.filter}>
          <SearchField
            label="Filter models"
            value={q}
            onChange={(next) =>
              void navigate({
                search: ({ q: _q, ...last }) => ({ ...last, ...(next !== '' && { q: next }) }),
                replace: true,
              })
            }
          />
        </div>
      ) : null}
      {total === 0 ? (
        <PanelBody>
          <p className={styles.empty}>
            {host.lastSeenAt === null ? 'Never heard: its models are not known.' : 'No models in its config.'}
          </p>
        </PanelBody>
      ) : shown.length === 0 && text !== '' ? (
        <PanelBody>
          <p className={styles.empty}>Nothing matches “{q}”.</p>
        </PanelBody>
      ) : null}
      <ul className={styles.list} aria-label="Models">
        {shown.map((id) => {
          const model = byId.get(id);
          const row = rows.get(id);
          return model === undefined || row === undefined ? null : (
            <HostModelRow key={id} hostLabel={host.label} model={model} row={row} isPast={isPast} />
          );
        })}
      </ul>
      {more === 0 || isBrief ? null : (
        <ul className={styles.rest}>
          <RestOfModels hostId={host.id} more={more} />
        </ul>
      )}
    </Panel>
  );
}

function useKeptOrder(models: HostFacts['models']): readonly string[] {
  const [shown, setShown] = useState<readonly string[]>([]);
  const ids = keptModelOrder(shown, models);
  if (ids !== shown) setShown(ids);
  return ids;
}
