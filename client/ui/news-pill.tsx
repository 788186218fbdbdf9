import type { ComponentProps } from 'react';
import styles from './news-pill.module.css';

/** Floats over the foot of a list that is held still while it is read, and leads to what came meanwhile. */
export function NewsPill(props: ComponentProps<'button'>) {
  return <button type="button" {...props} className={styles.pill} />;
}
