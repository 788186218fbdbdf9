import { useState } from 'react';
import { useFleet } from '../../data/use-fleet.ts';
import type { SearchView } from '../../data/logs/log-search.ts';
import { Chip, MenuChip } from '../../ui/chip.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { IconButton } from '../../ui/button.tsx';
import { formatCount } from '../../ui/format.ts';
import { Icon } from '../../ui/icon.tsx';
import { Menu, MenuItem } from '../../ui/menu.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { BREAKPOINTS, useMedia } from '../../ui/use-media.ts';
import styles from './log-bar.module.css';
import { LogSources, type LogSourcesProps } from './log-sources.tsx';
import type { LogsSearch } from './logs-search.ts';

const LEVELS = [
  { value: undefined, label: 'All levels' },
  { value: 'warn', label: 'Warnings and errors' },
  { value: 'error', label: 'Errors' },
] as const;

interface LogBarProps extends LogSourcesProps {
  readonly search: LogsSearch;
  readonly wrap: boolean;
  readonly found: SearchView;
  readonly hits: number;
  /** Which match is looked at, from 1; 0: none. */
  readonly hit: number;
  readonly onStep: (step: 1 | -1) => void;
  readonly onChange: (change: Partial<Record<keyof LogsSearch, unknown>>) => void;
  readonly onCopy: () => void;
  readonly onDownload: () => void;
}

/** Whose log, how grave, and what is looked for. */
export function LogBar(props: LogBarProps) {
  const { search, hostId, hostLabel, chosen, onChoose, onChange, found, hits, hit, onStep } = props;
  const { hosts } = useFleet();
  const [isChoosing, setChoosing] = useState(false);
  const isLaptop = useMedia(BREAKPOINTS.laptop);
  const level = LEVELS.find(({ value }) => value === search.level) ?? LEVELS[0];
  return (
    <div className={styles.bar}>
      <fieldset className={styles.chips} aria-label="Which log">
        <Menu
          trigger={
            <MenuChip active={false} aria-label={`Host: ${hostLabel}`}>
              {hostLabel}
            </MenuChip>
          }
        >
          {hosts.map((host) => (
            <MenuItem
              key={host.id}
              onSelect={() => onChange({ host: host.id, source: undefined, model: undefined })}
            >
              {host.label}
            </MenuItem>
          ))}
        </Menu>
        <span className={styles.phone}>
          <MenuChip
            active={chosen.source !== undefined || chosen.model !== undefined}
            aria-haspopup="dialog"
            onClick={() => setChoosing(true)}
          >
            {chosen.model ?? chosen.source ?? 'Sources'}
          </MenuChip>
        </span>
        <Menu
          trigger={
            <MenuChip active={search.level !== undefined} aria-label={`Level: ${level.label}`}>
              {isLaptop || search.level !== undefined ? level.label : 'Levels'}
            </MenuChip>
          }
        >
          {LEVELS.map(({ value, label }) => (
            <MenuItem key={label} onSelect={() => onChange({ level: value })}>
              {label}
            </MenuItem>
          ))}
        </Menu>
        <span className={styles.phone}>
          <Chip pressed={props.wrap} onClick={() => onChange({ wrap: !props.wrap })}>
            Wrap
          </Chip>
          <Chip pressed={false} onClick={props.onCopy}>
            Copy
          </Chip>
          <Chip pressed={false} onClick={props.onDownload}>
            Download
          </Chip>
        </span>
      </fieldset>
      <div className={styles.search}>
        <SearchField
          label="regular expression"
          value={search.q ?? ''}
          onChange={(text) => onChange({ q: text === '' ? undefined : text })}
        />
      </div>
      {found.state === 'off' ? null : (
        <div className={styles.found}>
          <output>{foundWords(found, hits, hit)}</output>
          <IconButton label="Match before" disabled={hits === 0} onClick={() => onStep(-1)}>
            <Icon name="up" />
          </IconButton>
          <IconButton label="Next match" disabled={hits === 0} onClick={() => onStep(1)}>
            <Icon name="down" />
          </IconButton>
        </div>
      )}
      <Dialog open={isChoosing} onClose={() => setChoosing(false)} title="Sources">
        <LogSources
          hostId={hostId}
          hostLabel={hostLabel}
          chosen={chosen}
          keptFrom={props.keptFrom}
          onChoose={(choice) => {
            setChoosing(false);
            onChoose(choice);
          }}
        />
      </Dialog>
    </div>
  );
}

/** What the search found, or why it found nothing. */
function foundWords({ state, message }: SearchView, hits: number, hit: number): string {
  if (state === 'wrong') return `No pattern: ${message ?? ''}`;
  if (state === 'too-slow') return 'Stopped: this pattern takes too long.';
  if (hits === 0) return state === 'searching' ? 'Searching' : 'No match';
  return hit === 0
    ? `${formatCount(hits)} ${hits === 1 ? 'line' : 'lines'}`
    : `${hit} of ${formatCount(hits)}`;
}
