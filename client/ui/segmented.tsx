import { useId } from 'react';
import styles from './segmented.module.css';

interface SegmentedProps<T extends string> {
  readonly label: string;
  readonly value: T;
  readonly options: readonly { readonly value: T; readonly label: string }[];
  readonly onChange: (value: T) => void;
  readonly wide?: boolean;
  readonly disabled?: boolean;
}

/** Two to four choices side by side, one of them taken; a radio group to keyboards and screen readers. */
export function Segmented<T extends string>({
  label,
  value,
  options,
  onChange,
  wide = false,
  disabled = false,
}: SegmentedProps<T>) {
  const name = useId();
  return (
    <fieldset className={styles.group} data-wide={wide} disabled={disabled}>
      <legend className="visually-hidden">{label}</legend>
      {options.map((option) => (
        <label key={option.value} className={styles.option}>
          <input
            className="visually-hidden"
            type="radio"
            name={name}
            value={option.value}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
          />
          {option.label}
        </label>
      ))}
    </fieldset>
  );
}
