import { useEffect, useRef, useState } from 'react';
import { Icon } from './icon.tsx';
import { useShortcuts } from './shortcuts.ts';
import styles from './search-field.module.css';

interface SearchFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly autoFocus?: boolean;
}

/** Typing settles before a list is filtered: a keystroke must never wait for rows. */
const SETTLE_MS = 120;

/** A text filter. `/` goes to it, Escape empties it and leaves. */
export function SearchField({ label, value, onChange, autoFocus = false }: SearchFieldProps) {
  const input = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState(value);
  const [applied, setApplied] = useState(value);
  // The address changed by itself: Back, or "Clear filters".
  if (value !== applied) {
    setApplied(value);
    setTyped(value);
  }
  useEffect(() => {
    if (typed === applied) return;
    const timer = setTimeout(() => {
      setApplied(typed);
      onChange(typed);
    }, SETTLE_MS);
    return () => clearTimeout(timer);
  }, [typed, applied, onChange]);
  useEffect(() => {
    if (autoFocus) input.current?.focus();
  }, [autoFocus]);
  useShortcuts({ '/': () => input.current?.focus() });
  return (
    <search className={styles.field}>
      <Icon name="search" />
      <input
        ref={input}
        className={styles.input}
        type="search"
        aria-label={label}
        placeholder={label}
        value={typed}
        maxLength={200}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => setTyped(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return;
          event.preventDefault();
          setTyped('');
          event.currentTarget.blur();
        }}
      />
      <kbd className={styles.key} aria-hidden="true">
        /
      </kbd>
    </search>
  );
}
