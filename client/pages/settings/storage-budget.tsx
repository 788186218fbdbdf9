import { useState } from 'react';
import { changeStorageWishes, useStorageWishes } from '../../data/storage-wishes.ts';
import { useKeptCaptures } from '../../data/use-capture.ts';
import { useFreeSpace } from '../../data/use-free-space.ts';
import { useHistoryDays } from '../../data/use-history-days.ts';
import { useNow } from '../../data/use-now.ts';
import { Button } from '../../ui/button.tsx';
import { formatBytes, plural } from '../../ui/format.ts';
import { Menu, MenuItem } from '../../ui/menu.tsx';
import { Panel } from '../../ui/panel.tsx';
import { BudgetDialog } from './budget-dialog.tsx';
import styles from './storage-section.module.css';
import { backWords, barParts, BUDGETS_MB, KIND_WORDS, megabyteWords } from './storage-view.ts';

const MB = 1_000_000;

/** How much is kept of how much may be, by kind; the budget is chosen here. */
export function StorageBudget() {
  const { stored, heldByKind, heldBytes, progress } = useHistoryDays();
  const { budgetBytes } = useStorageWishes();
  const captures = useKeptCaptures();
  const [isTyping, setTyping] = useState(false);
  const free = useFreeSpace();
  const now = useNow(60_000);
  const parts = barParts(heldByKind, budgetBytes);
  const set = (bytes: number): void => changeStorageWishes(() => ({ budgetBytes: bytes }));
  return (
    <Panel label="Budget">
      <div className={styles.budget}>
        <p className={styles.line}>
          <span className={styles.used}>{megabyteWords(heldBytes)}</span> of {budgetBytes / MB} MB
          <span className={styles.back}>{backWords(stored, now)}</span>
        </p>
        <div className={styles.bar} aria-hidden="true">
          {parts
            .filter(({ share }) => share > 0)
            .map(({ kind, share }) => (
              <span
                key={kind}
                className={styles.share}
                data-kind={kind}
                style={{ width: `${share * 100}%` }}
              />
            ))}
        </div>
        <ul className={styles.legend}>
          {parts.map(({ kind, bytes }) => (
            <li key={kind}>
              <span className={styles.swatch} data-kind={kind} aria-hidden="true" />
              {KIND_WORDS[kind]} {formatBytes(bytes)}
            </li>
          ))}
        </ul>
        {captures === null || captures.count === 0 ? null : (
          <p className={styles.progress}>
            Besides: {plural(captures.count, 'capture')} that {captures.count === 1 ? 'was' : 'were'} opened
            here, {formatBytes(captures.bytes)}
          </p>
        )}
        {progress === null ? null : (
          <p className={styles.progress} aria-live="polite">
            Fetching {progress.background ? 'by itself' : 'as asked'}: {formatBytes(progress.doneBytes)} of{' '}
            {formatBytes(progress.totalBytes)}
          </p>
        )}
        {heldBytes > budgetBytes ? (
          <p className={styles.progress}>
            More than the budget: pinned days stay, and the rest goes once the collector is there.
          </p>
        ) : null}
      </div>
      <div className={styles.foot}>
        <Menu trigger={<Button>Keep at most {budgetBytes / MB} MB</Button>}>
          {BUDGETS_MB.map((megabytes) => (
            <MenuItem
              key={megabytes}
              checked={budgetBytes === megabytes * MB}
              onSelect={() => set(megabytes * MB)}
            >
              {megabytes} MB
            </MenuItem>
          ))}
          <MenuItem onSelect={() => setTyping(true)}>Another size…</MenuItem>
        </Menu>
        <span className={styles.free}>
          {free === null
            ? 'The browser does not say what room there is.'
            : `${formatBytes(free)} left for Drover in this browser`}
        </span>
      </div>
      <BudgetDialog open={isTyping} onClose={() => setTyping(false)} onSet={set} />
    </Panel>
  );
}
