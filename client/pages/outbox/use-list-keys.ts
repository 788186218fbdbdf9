import type { RefObject } from 'react';
import type { IntentEntry } from '../../data/intents/types.ts';
import { useShortcuts } from '../../ui/shortcuts.ts';
import type { EntryAction } from './entry-actions.ts';
import { entryActions } from './entry-actions.ts';

interface ListKeys {
  readonly entryOf: (id: string) => IntentEntry | null;
  readonly onAct: (entry: IntentEntry, action: EntryAction) => void;
  /** This device may look only. */
  readonly isBlocked: boolean;
  readonly onEscape: () => void;
}

/** `j` and `k` move over the rows of `list`, Enter opens one, `c` cancels it, `a` asks again, Escape closes what is open. */
export function useListKeys(
  list: RefObject<HTMLElement | null>,
  { entryOf, onAct, isBlocked, onEscape }: ListKeys,
): void {
  const act = (action: EntryAction): void => {
    const entry = entryOf(current(list)?.dataset['entry'] ?? '');
    if (!isBlocked && entry !== null && entryActions(entry).includes(action)) onAct(entry, action);
  };
  useShortcuts({
    j: () => move(list, 1),
    k: () => move(list, -1),
    c: () => act('cancel'),
    a: () => act('ask-again'),
    Escape: onEscape,
  });
}

function rows(list: RefObject<HTMLElement | null>): readonly HTMLElement[] {
  return [...(list.current?.querySelectorAll<HTMLElement>('[data-entry]') ?? [])];
}

/** The row that has the focus, or whose button has it; else the one that is open. */
function current(list: RefObject<HTMLElement | null>): HTMLElement | undefined {
  const item = document.activeElement?.closest('li');
  return (
    rows(list).find((row) => item?.contains(row)) ?? rows(list).find((row) => row.ariaExpanded === 'true')
  );
}

function move(list: RefObject<HTMLElement | null>, step: 1 | -1): void {
  const all = rows(list);
  const at = current(list);
  const next = at === undefined ? (step === 1 ? 0 : all.length - 1) : all.indexOf(at) + step;
  all[Math.max(0, Math.min(all.length - 1, next))]?.focus();
}
