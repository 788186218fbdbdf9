import type { ComponentProps, ReactElement, ReactNode } from 'react';
import { cloneElement, useState } from 'react';
import { deferred } from './deferred.tsx';

/** See {@link Menu}. */
export interface MenuProps {
  /** The button that opens it. */
  readonly trigger: ReactElement<ComponentProps<'button'>>;
  readonly children: ReactNode;
}

/** See {@link MenuItem}. */
export interface MenuItemProps {
  readonly onSelect: () => void;
  readonly children: ReactNode;
  /** Why it cannot be chosen now: shown under the label. */
  readonly unavailable?: string | null;
  readonly danger?: boolean;
  /** Beside others that exclude each other: whether it is the one that holds. */
  readonly checked?: boolean;
  /** A few words under the label. */
  readonly detail?: string;
}

/** See {@link MenuCheck}. */
export interface MenuCheckProps {
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
  readonly children: ReactNode;
  /** Number at the right, such as how many rows would match. */
  readonly count?: string;
}

const Popup = deferred<MenuProps>(async () => (await import('./menu-popup.tsx')).MenuPopup);

/** A menu of actions that floats at its button. Until it is first opened it is no more than that button. */
export function Menu({ trigger, children }: MenuProps) {
  const [wasOpened, setWasOpened] = useState(false);
  const closed = cloneElement(trigger, {
    'aria-haspopup': 'menu',
    'aria-expanded': false,
    onClick: () => setWasOpened(true),
  });
  return wasOpened ? (
    <Popup trigger={trigger} meanwhile={closed}>
      {children}
    </Popup>
  ) : (
    closed
  );
}

/** One action of a {@link Menu}. */
export const MenuItem = deferred<MenuItemProps>(async () => (await import('./menu-popup.tsx')).PopupItem);

/** One choice of a {@link Menu} that may be on or off; the menu stays open. */
export const MenuCheck = deferred<MenuCheckProps>(async () => (await import('./menu-popup.tsx')).PopupCheck);
