import styles from './icon.module.css';

/** Symbols of `icons.svg`. */
export type IconName =
  | 'fleet'
  | 'activity'
  | 'logs'
  | 'wrap'
  | 'outbox'
  | 'settings'
  | 'more'
  | 'menu'
  | 'search'
  | 'filter'
  | 'plus'
  | 'minus'
  | 'close'
  | 'right'
  | 'left'
  | 'down'
  | 'up'
  | 'download'
  | 'table'
  | 'copy'
  | 'eye'
  | 'phone'
  | 'key'
  | 'heart'
  | 'lock'
  | 'pin'
  | 'info'
  | 'storage'
  | 'keyboard'
  | 'install'
  | 'exit'
  | 'capture'
  | 'barred'
  | 'logo';

/** A control's picture, always beside or inside something that is named. */
export function Icon({ name, size = 'm' }: { readonly name: IconName; readonly size?: 's' | 'm' | 'l' }) {
  return (
    <svg className={styles.icon} data-size={size} aria-hidden="true" focusable="false">
      <use href={`#i-${name}`} />
    </svg>
  );
}
