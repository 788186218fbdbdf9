import type { ComponentProps, ReactNode } from 'react';
import styles from './chip.module.css';

interface ChipProps extends ComponentProps<'button'> {
  /** Whether the filter it stands for is on. */
  readonly pressed: boolean;
  readonly count?: string | undefined;
  readonly children: ReactNode;
}

/** A filter that is on or off, with the number of things it would show. */
export function Chip({ pressed, count, children, ...rest }: ChipProps) {
  return (
    <button type="button" {...rest} className={styles.chip} aria-pressed={pressed}>
      {children}
      {count === undefined ? null : <span className={styles.count}>{count}</span>}
    </button>
  );
}

/** A chip that opens a menu; pass it as the menu's trigger. */
export function MenuChip({
  active,
  children,
  ...rest
}: ComponentProps<'button'> & { readonly active: boolean }) {
  return (
    <button type="button" {...rest} className={styles.chip} data-active={active}>
      {children}
      <svg className={styles.chevron} aria-hidden="true">
        <use href="#i-down" />
      </svg>
    </button>
  );
}

interface ToggleChipProps {
  readonly isOn: boolean;
  readonly onToggle: () => void;
  readonly children: ReactNode;
}

/** A chip that switches something on and off without being a filter: tinted when on, not inked. */
export function ToggleChip({ isOn, onToggle, children }: ToggleChipProps) {
  return (
    <button
      type="button"
      className={styles.chip}
      data-active={isOn}
      aria-pressed={isOn}
      data-soft
      onClick={onToggle}
    >
      {children}
    </button>
  );
}
