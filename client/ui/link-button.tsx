import { createLink } from '@tanstack/react-router';
import type { ComponentProps } from 'react';
import styles from './button.module.css';

interface AnchorProps extends ComponentProps<'a'> {
  readonly look?: 'plain' | 'ink' | 'quiet';
  readonly wide?: boolean;
}

function ButtonAnchor({ look = 'plain', wide = false, children, ...rest }: AnchorProps) {
  return (
    <a {...rest} className={styles.button} data-look={look} data-wide={wide}>
      {children}
    </a>
  );
}

/** A router link that looks like a button: for going somewhere, where `Button` does something. */
export const LinkButton = createLink(ButtonAnchor);
