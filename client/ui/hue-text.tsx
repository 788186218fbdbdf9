import type { ReactNode } from 'react';
import type { Hue } from './glyph.tsx';
import styles from './hue-text.module.css';

/** A state's word in its hue. */
export function HueText({
  hue,
  strong = false,
  children,
}: {
  readonly hue: Hue;
  readonly strong?: boolean;
  readonly children: ReactNode;
}) {
  return (
    <span className={styles.text} data-hue={hue} data-strong={strong}>
      {children}
    </span>
  );
}
