import { usePreferences } from '../../ui/use-preferences.ts';
import { Dialog } from '../../ui/dialog.tsx';
import styles from './help-sheet.module.css';

const KEYS = [
  { group: 'Everywhere', keys: ['Ctrl K'], does: 'find anything, and act (⌘ K on a Mac)' },
  { group: 'Everywhere', keys: ['?'], does: 'this help' },
  { group: 'Everywhere', keys: ['g', 'f'], does: 'Fleet' },
  { group: 'Everywhere', keys: ['g', 'a'], does: 'Activity' },
  { group: 'Everywhere', keys: ['g', 'l'], does: 'Logs' },
  { group: 'Everywhere', keys: ['g', 'o'], does: 'Outbox' },
  { group: 'Everywhere', keys: ['g', 's'], does: 'Settings' },
  { group: 'Everywhere', keys: ['g', 'h'], does: 'Health' },
  { group: 'Everywhere', keys: ['/'], does: 'filter the page' },
  { group: 'Everywhere', keys: ['Esc'], does: 'close, or clear the filter' },
  { group: 'Lists', keys: ['j'], does: 'next row' },
  { group: 'Lists', keys: ['k'], does: 'previous row' },
  { group: 'Lists', keys: ['Enter'], does: 'open the row' },
  { group: 'Fleet, host', keys: ['l'], does: 'load the model in focus' },
  { group: 'Fleet, host', keys: ['u'], does: 'unload it' },
  { group: 'Fleet, host', keys: ['x'], does: 'cancel the request in focus' },
  { group: 'Fleet, host', keys: ['e'], does: 'unload all models of the host' },
  { group: 'Fleet, host', keys: ['p'], does: 'pause the host, or resume it' },
  { group: 'Fleet, host', keys: ['['], does: 'previous host' },
  { group: 'Fleet, host', keys: [']'], does: 'next host' },
  { group: 'Fleet, host', keys: ['1'], does: 'first part of the host’s page; 2 to 4 the others' },
  { group: 'Charts', keys: ['←', '→'], does: 'cursor; ten steps with Shift' },
  { group: 'Charts', keys: ['+', '-'], does: 'nearer, farther' },
  { group: 'Charts', keys: ['<', '>'], does: 'earlier, later' },
  { group: 'Charts', keys: ['0'], does: 'all of it again' },
  { group: 'Charts', keys: ['t'], does: 'as a table' },
  { group: 'Activity', keys: ['f'], does: 'failures only' },
  { group: 'Activity', keys: ['n'], does: 'to the newest row' },
  { group: 'Activity', keys: ['1'], does: 'parts of the open request: 1 to 5' },
  { group: 'Logs', keys: ['Space'], does: 'follow, or stand still' },
  { group: 'Logs', keys: ['w'], does: 'wrap long lines' },
  { group: 'Logs', keys: ['c'], does: 'copy what is shown' },
  { group: 'Logs', keys: ['n'], does: 'next match' },
  { group: 'Outbox', keys: ['c'], does: 'cancel the action' },
  { group: 'Outbox', keys: ['a'], does: 'ask for it again' },
  { group: 'Health', keys: ['c'], does: 'copy the report' },
] as const;

/** The keys that exist, by where they work; also on the settings page. */
export function KeyList() {
  const groups = [...new Set(KEYS.map((entry) => entry.group))];
  return groups.map((group) => (
    <section key={group} className={styles.group}>
      <h3 className={styles.title}>{group}</h3>
      <dl>
        {KEYS.filter((entry) => entry.group === group).map((entry) => (
          <div key={entry.does} className={styles.row}>
            <dt>
              {entry.keys.map((key) => (
                <kbd key={key} className={styles.key}>
                  {key}
                </kbd>
              ))}
            </dt>
            <dd>{entry.does}</dd>
          </div>
        ))}
      </dl>
    </section>
  ));
}

/** See {@link HelpSheet}. */
export interface HelpSheetProps {
  readonly open: boolean;
  readonly onClose: () => void;
}

/** Help: what the shapes of the page mean, and its keys. */
export function HelpSheet({ open, onClose }: HelpSheetProps) {
  const { shortcuts } = usePreferences();
  return (
    <Dialog open={open} onClose={onClose} title="Help">
      <p className={styles.note}>
        A value with a hatched edge is not live: it says what was known, and when. “–” is not known; it is
        never a zero. A dashed box is the demo, or not there yet.
      </p>
      {shortcuts ? null : <p className={styles.note}>Single keys are switched off in Settings, Keyboard.</p>}
      <KeyList />
    </Dialog>
  );
}
