import type { ComponentProps, ReactNode } from 'react';
import { useId } from 'react';
import styles from './field.module.css';
import { Icon } from './icon.tsx';

interface FieldProps extends ComponentProps<'input'> {
  readonly label: ReactNode;
  readonly hint?: ReactNode;
  /** What is wrong with the value, in words; null when nothing is. */
  readonly error?: string | null;
  /** Stands beside the input. */
  readonly aside?: ReactNode;
  /** `code`: large letters of one width. */
  readonly look?: 'plain' | 'code';
  readonly tone?: 'plain' | 'bad' | 'key';
}

/** A named input with its hint and its error; 16 px on a phone, because iOS zooms into smaller ones. */
export function Field({ label, hint, error = null, aside, look = 'plain', tone, ...rest }: FieldProps) {
  const id = useId();
  const errorId = `${id}-error`;
  const hintId = `${id}-hint`;
  const described = [error === null ? null : errorId, hint === undefined ? null : hintId]
    .filter((part) => part !== null)
    .join(' ');
  return (
    <div className={styles.field}>
      <label className={styles.label} htmlFor={id}>
        {label}
      </label>
      <div className={styles.line}>
        <input
          {...rest}
          id={id}
          className={styles.input}
          data-look={look}
          data-tone={tone ?? (error === null ? 'plain' : 'bad')}
          aria-invalid={error !== null || undefined}
          aria-describedby={described === '' ? undefined : described}
        />
        {aside}
      </div>
      {error === null ? null : (
        <p id={errorId} className={styles.error} role="alert">
          <Icon name="barred" size="s" />
          <span>{error}</span>
        </p>
      )}
      {hint === undefined ? null : (
        <p id={hintId} className={styles.hint}>
          {hint}
        </p>
      )}
    </div>
  );
}
