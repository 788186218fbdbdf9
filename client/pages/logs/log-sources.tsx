import type { ReactNode } from 'react';
import { useModels } from '../../data/use-fleet.ts';
import { useHeldLog } from '../../data/use-logs.ts';
import { useNow } from '../../data/use-now.ts';
import { formatCount, formatMoment } from '../../ui/format.ts';
import { Glyph } from '../../ui/glyph.tsx';
import styles from './log-sources.module.css';
import type { LogsSearch } from './logs-search.ts';
import { countLevels, streamsOf, type LevelCounts } from './log-view.ts';

/** Which log of a host: all its streams, one of them, or a model's own. */
export type LogChoice = Pick<LogsSearch, 'source' | 'model'>;

/** See {@link LogSources}. */
export interface LogSourcesProps {
  readonly hostId: string;
  readonly hostLabel: string;
  readonly chosen: LogChoice;
  readonly onChoose: (choice: LogChoice) => void;
  /** When the oldest line came that the collector keeps on disk; null: none, or nobody can tell now. */
  readonly keptFrom: number | null;
}

/** The logs of a host, with how many errors and warnings are held of each. */
export function LogSources({ hostId, hostLabel, chosen, onChoose, keptFrom }: LogSourcesProps) {
  const now = useNow(60_000);
  const { lines } = useHeldLog(hostId, null);
  const models = useModels(hostId);
  const isAll = chosen.source === undefined && chosen.model === undefined;
  return (
    <nav className={styles.sources} aria-label={`Logs of ${hostLabel}`}>
      <h2 className={styles.host}>{hostLabel}</h2>
      <Choice label="All" isOn={isAll} counts={null} onChoose={() => onChoose({})} />
      {streamsOf(lines).map((source) => (
        <Choice
          key={source}
          label={source}
          isOn={chosen.source === source}
          counts={countLevels(lines, source)}
          onChoose={() => onChoose({ source })}
        />
      ))}
      <h3 className={styles.group}>One model</h3>
      {models.length === 0 ? <p className={styles.note}>None known.</p> : null}
      {models
        .filter((model) => model.peerId === null)
        .map(({ modelId, state }) => (
          <ModelChoice
            key={modelId}
            hostId={hostId}
            modelId={modelId}
            isStarting={state === 'starting'}
            isOn={chosen.model === modelId}
            onChoose={() => onChoose({ model: modelId })}
          />
        ))}
      <h3 className={styles.group}>Tail</h3>
      <p className={styles.note}>
        2,000 lines a source, held by the collector in memory.
        {keptFrom === null ? '' : ` On disk back to ${formatMoment(keptFrom, now)}.`}
      </p>
    </nav>
  );
}

interface ModelChoiceProps {
  readonly hostId: string;
  readonly modelId: string;
  readonly isStarting: boolean;
  readonly isOn: boolean;
  readonly onChoose: () => void;
}

function ModelChoice({ hostId, modelId, isStarting, isOn, onChoose }: ModelChoiceProps) {
  const { lines } = useHeldLog(hostId, modelId);
  return (
    <Choice label={modelId} isOn={isOn} counts={countLevels(lines, null)} onChoose={onChoose}>
      {isStarting ? <Glyph name="starting" hue="busy" /> : null}
    </Choice>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly isOn: boolean;
  readonly counts: LevelCounts | null;
  readonly onChoose: () => void;
  readonly children?: ReactNode;
}

function Choice({ label, isOn, counts, onChoose, children }: ChoiceProps) {
  const { errors, warnings } = counts ?? { errors: 0, warnings: 0 };
  return (
    <button type="button" className={styles.choice} aria-current={isOn} onClick={onChoose}>
      <span className={styles.name}>{label}</span>
      {children}
      {errors > 0 ? (
        <span className={styles.errors} title={`${errors} errors`}>
          <Glyph name="failed" hue="bad" />
          {formatCount(errors)}
        </span>
      ) : null}
      {warnings > 0 && errors === 0 ? (
        <span className={styles.warnings} title={`${warnings} warnings`}>
          <Glyph name="needs-confirmation" hue="warn" />
          {formatCount(warnings)}
        </span>
      ) : null}
    </button>
  );
}
