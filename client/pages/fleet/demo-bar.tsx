import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import styles from './demo-bar.module.css';

/** Says that the hosts are emulated, and takes them away. */
export function DemoBar({
  count,
  unavailable,
}: {
  readonly count: number;
  readonly unavailable: string | null;
}) {
  const [isSending, setSending] = useState(false);

  async function remove(): Promise<void> {
    setSending(true);
    const { removeDemo } = await import('../host-parts/demo-calls.ts');
    await removeDemo();
    setSending(false);
  }

  return (
    <section className={styles.bar} aria-label="Demo fleet">
      <Icon name="fleet" />
      <p className={styles.words}>
        <strong>Demo fleet.</strong> {count === 1 ? 'One emulated host' : `${count} emulated hosts`} with a
        made-up day. No real machine is touched.
      </p>
      <Button unavailable={unavailable} disabled={isSending} onClick={() => void remove()}>
        <Icon name="close" size="s" />
        Remove the demo fleet
      </Button>
    </section>
  );
}
