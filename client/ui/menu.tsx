import { Menu as Base } from '@base-ui/react/menu';
import type { ReactElement, ReactNode } from 'react';
import styles from './menu.module.css';

interface MenuProps {
  /** The button that opens it. */
  readonly trigger: ReactElement;
  readonly children: ReactNode;
}

/** A menu of actions that floats at its button. */
export function Menu({ trigger, children }: MenuProps) {
  return (
    <Base.Root modal={false}>
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Positioner className={styles.positioner} sideOffset={4} align="end" collisionPadding={8}>
          <Base.Popup className={styles.popup}>{children}</Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

interface MenuItemProps {
  readonly onSelect: () => void;
  readonly children: ReactNode;
  /** Why it cannot be chosen now: shown under the label. */
  readonly unavailable?: string | null;
  readonly danger?: boolean;
}

/** One action of a {@link Menu}. */
export function MenuItem({ onSelect, children, unavailable = null, danger = false }: MenuItemProps) {
  return (
    <Base.Item
      className={styles.item}
      data-danger={danger}
      disabled={unavailable !== null}
      onClick={onSelect}
    >
      <span>
        {children}
        {unavailable === null ? null : <small className={styles.why}>{unavailable}</small>}
      </span>
    </Base.Item>
  );
}

interface MenuCheckProps {
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
  readonly children: ReactNode;
  /** Number at the right, such as how many rows would match. */
  readonly count?: string;
}

/** One choice of a {@link Menu} that may be on or off; the menu stays open. */
export function MenuCheck({ checked, onChange, children, count }: MenuCheckProps) {
  return (
    <Base.CheckboxItem
      className={styles.item}
      checked={checked}
      onCheckedChange={onChange}
      closeOnClick={false}
    >
      <span className={styles.box} aria-hidden="true">
        <Base.CheckboxItemIndicator className={styles.tick}>
          <svg viewBox="0 0 16 16">
            <use href="#g-succeeded" />
          </svg>
        </Base.CheckboxItemIndicator>
      </span>
      <span className={styles.name}>{children}</span>
      {count === undefined ? null : <span className={styles.count}>{count}</span>}
    </Base.CheckboxItem>
  );
}
