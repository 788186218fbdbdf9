import { getRouteApi } from '@tanstack/react-router';
import { useConnection } from '../../data/use-connection.ts';
import { useFleet, useModels } from '../../data/use-fleet.ts';
import { useNow } from '../../data/use-now.ts';
import type { ActivityFeed, HistoryDay } from '../../data/types.ts';
import { IconButton } from '../../ui/button.tsx';
import { Chip, ToggleChip } from '../../ui/chip.tsx';
import { ChoiceMenu } from '../../ui/choice-menu.tsx';
import { formatCount } from '../../ui/format.ts';
import { Glyph } from '../../ui/glyph.tsx';
import { Icon } from '../../ui/icon.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { useShortcuts } from '../../ui/shortcuts.ts';
import type { ActivitySearch } from './activity-search.ts';
import { isFiltered } from './activity-search.ts';
import styles from './filter-bar.module.css';
import { dayOf, dayWords, neighbourDays } from './held-words.ts';
import { sourceWords } from './row-view.ts';

const route = getRouteApi('/activity');
/** Sources are whatever callers send: so many of the newest rows say which there are. */
const SOURCE_ROWS = 2000;

interface FilterBarProps {
  readonly feed: ActivityFeed;
  readonly days: readonly HistoryDay[];
  readonly isFollowing: boolean;
  readonly onFollow: (on: boolean) => void;
}

/** Filters as chips, each of them in the address; and the day. */
export function FilterBar({ feed, days, isFollowing, onFollow }: FilterBarProps) {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { hosts } = useFleet();
  const models = useModels();
  const set = (change: Partial<Record<keyof ActivitySearch, unknown>>): void => {
    const next = Object.fromEntries(
      Object.entries({ ...search, ...change }).filter(([, value]) => value !== undefined),
    );
    void navigate({ search: next, replace: true });
  };
  useShortcuts({
    f: () => set({ failures: search.failures === true ? undefined : true }),
    Escape: () => {
      if (isFiltered(search)) set(NO_FILTER);
    },
  });
  const modelIds = [...new Set(models.map((model) => model.modelId))].sort();
  return (
    <div className={styles.bar}>
      <div className={styles.search}>
        <SearchField
          label="model, path, error, source"
          value={search.q ?? ''}
          onChange={(text) => set({ q: text === '' ? undefined : text })}
        />
      </div>
      <fieldset className={styles.chips} aria-label="Filters">
        <Chip
          pressed={search.failures === true}
          count={formatCount(feed.counts.failed)}
          onClick={() => set({ failures: search.failures === true ? undefined : true })}
        >
          <Glyph name="failed" hue={search.failures === true ? 'plain' : 'bad'} />
          Failures
        </Chip>
        <ChoiceMenu
          name="host"
          all="All hosts"
          options={hosts.map((host) => ({ value: host.id, label: host.label }))}
          chosen={search.host ?? []}
          onChange={(host) => set({ host: host.length === 0 ? undefined : host })}
        />
        <ChoiceMenu
          name="model"
          all="All models"
          options={modelIds.map((id) => ({ value: id, label: id }))}
          chosen={search.model ?? []}
          onChange={(model) => set({ model: model.length === 0 ? undefined : model })}
        />
        <ChoiceMenu
          name="source"
          all="All sources"
          options={sourcesOf(feed, search.source).map((source) => ({
            value: source,
            label: sourceWords(source),
          }))}
          chosen={search.source === undefined ? [] : [search.source]}
          onChange={(source) => set({ source: source.at(-1) })}
        />
        {isFiltered(search) ? (
          <Chip pressed={false} onClick={() => set(NO_FILTER)}>
            Clear
            <Icon name="close" size="s" />
          </Chip>
        ) : null}
      </fieldset>
      <DayStepper days={days} day={search.day ?? null} onChange={(day) => set({ day })} />
      {search.day === undefined ? <Following isFollowing={isFollowing} onFollow={onFollow} /> : null}
    </div>
  );
}

const NO_FILTER = { failures: undefined, host: undefined, model: undefined, source: undefined, q: undefined };

interface DayStepperProps {
  readonly days: readonly HistoryDay[];
  readonly day: string | null;
  readonly onChange: (day: string | undefined) => void;
}

function DayStepper({ days, day, onChange }: DayStepperProps) {
  const now = useNow(60_000);
  const { older, newer, newerIsLive } = neighbourDays(days, day, dayOf(now));
  return (
    <fieldset className={styles.days} aria-label="Day">
      <IconButton label="Earlier day" disabled={older === null} onClick={() => onChange(older ?? undefined)}>
        <Icon name="left" />
      </IconButton>
      <strong className={styles.day} aria-live="polite">
        {day === null ? 'Last 24 h' : dayWords(day, now)}
      </strong>
      <IconButton
        label={newerIsLive ? 'Back to the last 24 h' : 'Later day'}
        disabled={newer === null && !newerIsLive}
        onClick={() => onChange(newer ?? undefined)}
      >
        <Icon name="right" />
      </IconButton>
    </fieldset>
  );
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

function sourcesOf(feed: ActivityFeed, chosen: string | undefined): readonly string[] {
  const sources = new Set<string>(chosen === undefined ? [] : [chosen]);
  for (let index = 0; index < Math.min(feed.count, SOURCE_ROWS); index += 1) {
    const row = feed.rowAt(index);
    if (row?.type === 'request' && row.source !== null) sources.add(row.source);
  }
  return [...sources].sort();
}
