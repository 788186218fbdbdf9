import { CSPProvider } from '@base-ui/react/csp-provider';
import { Menu as Base } from '@base-ui/react/menu';
import { useEffect, useRef } from 'react';
import type { MenuCheckProps, MenuItemProps, MenuProps } from './menu.tsx';
import styles from './menu.module.css';

/** A `Menu` that was opened; loaded by it. */
export function MenuPopup({ trigger, children }: MenuProps) {
  const button = useRef<HTMLButtonElement>(null);
  // Taking the place of the plain button may have moved a strip that scrolls sideways.
  useEffect(() => {
    // Newer browsers answer with a promise, which as an effect's answer would be called when the menu closes.
    button.current?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, []);
  return (
    <CSPProvider disableStyleElements>
      <Base.Root modal={false} defaultOpen>
        <Base.Trigger ref={button} render={trigger} />
        <Base.Portal>
          <Base.Positioner
            positionMethod="fixed"
            className={styles.positioner}
            sideOffset={4}
            align="end"
            collisionPadding={8}
          >
            <Base.Popup className={styles.popup}>{children}</Base.Popup>
          </Base.Positioner>
        </Base.Portal>
      </Base.Root>
    </CSPProvider>
  );
}

/** See `MenuItem`. */
export function PopupItem({
  onSelect,
  children,
  unavailable = null,
  danger = false,
  checked,
  detail = '',
}: MenuItemProps) {
  const why = unavailable ?? detail;
  const radio = checked === undefined ? {} : { role: 'menuitemradio', 'aria-checked': checked };
  return (
    <Base.Item
      className={styles.item}
      {...radio}
      data-danger={danger}
      disabled={unavailable !== null}
      onClick={onSelect}
    >
      <span className={styles.name}>
        {children}
        {why === '' ? null : <small className={styles.why}>{why}</small>}
      </span>
      {checked === true ? (
        <span className={styles.tick} aria-hidden="true">
          <svg viewBox="0 0 16 16">
            <use href="#g-succeeded" />
          </svg>
        </span>
      ) : null}
    </Base.Item>
  );
}

/** See `MenuCheck`. */
export function PopupCheck({ checked, onChange, children, count }: MenuCheckProps) {
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
      {count === undefined ? null : (
        <span className={styles.count} aria-hidden="true">
          {count}
        </span>
      )}
    </Base.CheckboxItem>
  );
}
