import { RestOfModels } from '../host-parts/rest-of-models.tsx';
import { openModelSheet } from '../intents/model-sheet-state.ts';
import { RowIntent } from '../intents/row-intent.tsx';
import styles from './other-names.module.css';

/** See {@link OtherNames}. */
export interface OtherNamesProps {
  readonly hostId: string;
  readonly names: readonly string[];
  /** How many more there are than this device was given. */
  readonly more: number;
}

/** Models at rest, by name; each opens its sheet, where it can be loaded. */
export function OtherNames({ hostId, names, more }: OtherNamesProps) {
  return (
    <ul className={styles.list}>
      {names.map((name) => (
        <li key={name} className={styles.row} data-model-id={name}>
          <button
            type="button"
            className={styles.name}
            data-stop=""
            onClick={() => openModelSheet(hostId, name)}
          >
            {name === '' ? '(empty name)' : name}
          </button>
          <span className={styles.end}>
            <RowIntent hostId={hostId} modelId={name} />
          </span>
        </li>
      ))}
      {more === 0 ? null : <RestOfModels hostId={hostId} more={more} />}
    </ul>
  );
}
