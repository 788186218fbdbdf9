import { useState } from 'react';
import type { IntentEntry } from '../../data/intents/types.ts';
import { showFailure, showToast } from '../../ui/toast.tsx';
import type { EntryAction } from './entry-actions.ts';
import { abortLoad, again, cancel, confirmAgain, dismiss } from './entry-act.ts';

/** What the buttons of the page do, and which sheet stands open over it. */
export interface EntryActs {
  /** `inFlight`: what runs on the target as the person reads it; left out: that was not shown. */
  readonly act: (entry: IntentEntry, action: EntryAction, inFlight?: number | null) => void;
  readonly copy: (entry: IntentEntry) => void;
  readonly expiryOf: IntentEntry | null;
  readonly noteOf: IntentEntry | null;
  /** Id of the action whose log lines were asked for, until they are in view. */
  readonly logOf: string | null;
  readonly logShown: () => void;
  readonly closeSheet: () => void;
}

/** See {@link EntryActs}. What needs the detail to be decided is opened with `show`. */
export function useEntryActs(show: (id: string) => void): EntryActs {
  const [expiryOf, setExpiryOf] = useState<IntentEntry | null>(null);
  const [noteOf, setNoteOf] = useState<IntentEntry | null>(null);
  const [logOf, setLogOf] = useState<string | null>(null);

  function act(entry: IntentEntry, action: EntryAction, inFlight?: number | null): void {
    switch (action) {
      case 'cancel':
        return void cancel(entry);
      case 'change-expiry':
        return setExpiryOf(entry);
      case 'ask-again':
        return void again(entry);
      case 'dismiss':
        return void dismiss(entry);
      case 'abort':
        return void abortLoad(entry, inFlight ?? null);
      case 'confirm':
        // The row does not say what would be cut: the count is read first.
        return inFlight === undefined ? show(entry.id) : void confirmAgain(entry, { inFlight });
      case 'only-if-idle':
        return void confirmAgain(entry, 'only-if-idle');
      case 'note':
        return setNoteOf(entry);
      case 'log':
        setLogOf(entry.id);
        return show(entry.id);
    }
  }

  return {
    act,
    copy: (entry) => {
      copyJson(entry).then(
        () => showToast({ title: 'Copied' }),
        () =>
          showFailure({
            title: 'Not copied',
            detail: 'The browser allows it from encrypted addresses only.',
          }),
      );
    },
    expiryOf,
    noteOf,
    logOf,
    logShown: () => setLogOf(null),
    closeSheet: () => {
      setExpiryOf(null);
      setNoteOf(null);
    },
  };
}

async function copyJson(entry: IntentEntry): Promise<void> {
  if (!('clipboard' in navigator)) throw new Error('no clipboard on plain http');
  await navigator.clipboard.writeText(JSON.stringify(entry, null, 2));
}
