import { useEffect, useEffectEvent } from 'react';
import { preferences } from './preferences.ts';

/** Actions by key, as `KeyboardEvent.key` says it; a sequence is written `g f`. */
export type Shortcuts = Readonly<Record<string, () => void>>;

/** A sequence must be finished within this time, or its first key is forgotten. */
const SEQUENCE_MS = 1200;

type Listener = (keys: string) => boolean;
const listeners = new Set<Listener>();
let lead: { readonly key: string; readonly at: number } | null = null;

/**
 * Listens for `shortcuts` while mounted; what was mounted last is asked first. Dead in inputs, menus and dialogs, and
 * when single keys are switched off.
 */
export function useShortcuts(shortcuts: Shortcuts): void {
  const act = useEffectEvent((keys: string): boolean => {
    const action = shortcuts[keys];
    action?.();
    return action !== undefined;
  });
  useEffect(() => {
    const listener: Listener = (keys) => act(keys);
    if (listeners.size === 0) window.addEventListener('keydown', onKeyDown);
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0) window.removeEventListener('keydown', onKeyDown);
    };
  }, []);
}

function onKeyDown(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
  if (!preferences().shortcuts || isTaken(event.target, event.key)) return;
  const isSequence = lead !== null && event.timeStamp - lead.at < SEQUENCE_MS;
  const keys = isSequence && lead !== null ? `${lead.key} ${event.key}` : event.key;
  lead = event.key === 'g' && !isSequence ? { key: event.key, at: event.timeStamp } : null;
  for (const listener of [...listeners].toReversed()) {
    if (!listener(keys)) continue;
    event.preventDefault();
    return;
  }
}

const NOT_TYPED = ['radio', 'checkbox', 'button', 'submit'];

function isTaken(target: EventTarget | null, key: string): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (key === ' ' && target.closest('button,summary') !== null) return true;
  if (target.closest('dialog,[role="dialog"],[role="menu"]') !== null || target.isContentEditable)
    return true;
  if (target instanceof HTMLInputElement) return !NOT_TYPED.includes(target.type);
  return target.tagName === 'TEXTAREA' || target.tagName === 'SELECT';
}
