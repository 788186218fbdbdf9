import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { useConnection } from '../../data/use-connection.ts';
import { useFleet, useModels } from '../../data/use-fleet.ts';
import type { ActivityFeed, ActivityTally, HistoryDay } from '../../data/types.ts';
import { Chip, ToggleChip } from '../../ui/chip.tsx';
import { ChoiceMenu } from '../../ui/choice-menu.tsx';
import { deferred } from '../../ui/deferred.tsx';
import { formatCount, UNKNOWN } from '../../ui/format.ts';
import { Glyph } from '../../ui/glyph.tsx';
import { Icon } from '../../ui/icon.tsx';
import { MenuItem } from '../../ui/menu.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { useShortcuts } from '../../ui/shortcuts.ts';
import { sourceWords } from '../frame/source-words.ts';
import type { ActivitySearch } from './activity-search.ts';
import { isFiltered } from './activity-search.ts';
import { DayStepper } from './day-stepper.tsx';
import styles from './filter-bar.module.css';
import { SavedViewsMenu } from './saved-views-menu.tsx';
import type { SourceTableProps } from './source-table.tsx';

const route = getRouteApi('/activity');
const SourceTable = deferred<SourceTableProps>(async () => (await import('./source-table.tsx')).SourceTable);

interface FilterBarProps {
  readonly feed: ActivityFeed;
  /** Why the feed has no counts; null when it has, or will. */
  readonly countsProblem: string | null;
  readonly days: readonly HistoryDay[];
  /** Which time the rows are of, in words. */
  readonly timeWords: string;
  readonly isFollowing: boolean;
  readonly onFollow: (on: boolean) => void;
}

/** Filters as chips, each of them in the address; and the day. */
export function FilterBar({ feed, countsProblem, days, timeWords, isFollowing, onFollow }: FilterBarProps) {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { hosts } = useFleet();
  const models = useModels();
  const [isTableOpen, setTableOpen] = useState(false);
  const go = async (change: Partial<Record<keyof ActivitySearch, unknown>>): Promise<void> => {
    // A view that was changed is that view no more.
    const next = Object.fromEntries(
      Object.entries({ ...search, view: undefined, ...change }).filter(([, value]) => value !== undefined),
    );
    await navigate({ search: next, replace: true });
  };
  const set = (change: Parameters<typeof go>[0]): void => void go(change);
  const setList = (name: 'host' | 'model' | 'source') => (chosen: readonly string[]) =>
    set({ [name]: chosen.length === 0 ? undefined : chosen });
  useShortcuts({
    f: () => set({ failures: search.failures === true ? undefined : true }),
    Escape: () => {
      if (isFiltered(search)) set(NO_FILTER);
    },
  });
  const { counts, tally } = feed;
  const modelIds = [...new Set([...models.map((model) => model.modelId), ...valuesOf(tally?.models)])].sort();
  const sources = [...new Set([...valuesOf(tally?.sources), ...(search.source ?? [])])];
  return (
    <div className={styles.bar}>
      <div className={styles.search}>
        <SearchField
          label="model, path, error, source"
          value={search.q ?? ''}
          onChange={(text) => set({ q: text === '' ? undefined : text })}
        />
      </div>
      <fieldset aria-label="Filters">
        {/* Not the fieldset itself: it forgets how far it was scrolled when a menu opens inside. */}
        <div className={styles.chips}>
          <Chip
            pressed={search.failures === true}
            count={counts === null ? UNKNOWN : formatCount(counts.failed)}
            onClick={() => set({ failures: search.failures === true ? undefined : true })}
          >
            <Glyph name="failed" hue={search.failures === true ? 'plain' : 'bad'} />
            Failures
          </Chip>
          <ChoiceMenu
            name="host"
            all="All hosts"
            options={hosts.map((host) => ({ value: host.id, label: host.label }))}
            counts={tally?.hosts}
            chosen={search.host ?? []}
            onChange={setList('host')}
          />
          <ChoiceMenu
            name="model"
            all="All models"
            options={modelIds.map((id) => ({ value: id, label: id }))}
            counts={tally?.models}
            chosen={search.model ?? []}
            onChange={setList('model')}
          />
          <ChoiceMenu
            name="source"
            all="All sources"
            options={sources.map((source) => ({ value: source, label: sourceWords(source) }))}
            counts={tally?.sources}
            chosen={search.source ?? []}
            onChange={setList('source')}
          >
            <MenuItem onSelect={() => setTableOpen(true)}>Table by source</MenuItem>
          </ChoiceMenu>
          <SavedViewsMenu search={search} />
          {isFiltered(search) ? (
            <Chip pressed={false} onClick={() => set(NO_FILTER)}>
              Clear
              <Icon name="close" size="s" />
            </Chip>
          ) : null}
        </div>
      </fieldset>
      <div className={styles.time}>
        <DayStepper days={days} day={search.day ?? null} isAll={search.all === true} onChange={set} />
        {search.day === undefined && search.all === undefined ? (
          <Following isFollowing={isFollowing} onFollow={onFollow} />
        ) : null}
      </div>
      <SourceTable
        open={isTableOpen}
        onClose={() => setTableOpen(false)}
        sums={tally?.bySource ?? null}
        problem={countsProblem}
        timeWords={timeWords}
        onChoose={(source) => {
          // Closed before, the sheet would take the new address away with its own entry.
          void go({ source: [source] }).then(() => setTableOpen(false));
        }}
      />
    </div>
  );
}

const NO_FILTER = { failures: undefined, host: undefined, model: undefined, source: undefined, q: undefined };

function valuesOf(counts: ActivityTally['sources'] = []): readonly string[] {
  return counts.map(({ value }) => value);
}

/** Whether new rows come in by themselves; only on a laptop, a phone has the pill. */
function Following({ isFollowing, onFollow }: Pick<FilterBarProps, 'isFollowing' | 'onFollow'>) {
  const { kind } = useConnection();
  const isLive = isFollowing && kind === 'live';
  return (
    <span className={styles.following}>
      <ToggleChip isOn={isFollowing} onToggle={() => onFollow(!isFollowing)}>
        <Glyph name={isLive ? 'live' : 'unknown'} hue={isLive ? 'ready' : 'off'} />
        {isFollowing ? 'Following' : 'Follow'}
      </ToggleChip>
    </span>
  );
}
