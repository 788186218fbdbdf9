import type { ComponentProps } from 'react';
import styles from './button.module.css';

type Look = 'plain' | 'ink' | 'quiet' | 'danger';

interface ButtonProps extends ComponentProps<'button'> {
  /** `ink`: the one primary action of a page. `danger`: it destroys. `quiet`: no border. */
  readonly look?: Look;
  /** Fills its row on a phone. */
  readonly wide?: boolean;
  /**
   * Why the button cannot be used now, in words; it stays focusable, so that a keyboard and a screen reader find the
   * reason too.
   */
  readonly unavailable?: string | null | undefined;
}

/** A button. 44 px under a finger, 32 px under a mouse. */
export function Button({ look = 'plain', wide = false, unavailable, onClick, ...rest }: ButtonProps) {
  const off = unavailable !== undefined && unavailable !== null;
  return (
    <button
      type="button"
      {...rest}
      className={styles.button}
      data-look={look}
      data-wide={wide}
      aria-disabled={off || undefined}
      title={off ? unavailable : rest.title}
      onClick={(event) => {
        if (off) {
          event.preventDefault();
          return;
        }
        onClick?.(event);
      }}
    />
  );
}

interface IconButtonProps extends Omit<ComponentProps<'button'>, 'aria-label'> {
  readonly label: string;
}

/** A square button that shows an icon only; `label` names it. */
export function IconButton({ label, ...rest }: IconButtonProps) {
  return <button type="button" {...rest} className={styles.icon} aria-label={label} title={label} />;
}
