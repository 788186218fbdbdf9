import { useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { useFleet } from '../../data/use-fleet.ts';
import { Button } from '../../ui/button.tsx';
import { Panel, PanelBody } from '../../ui/panel.tsx';
import styles from './demo-panel.module.css';

interface DemoPanelProps {
  readonly title: string;
  /** Why nothing can be done from this device now, in words; null when it can. */
  readonly unavailable: string | null;
}

/** The demo fleet: starts it, or takes it away where it is there. */
export function DemoPanel({ title, unavailable }: DemoPanelProps) {
  const router = useRouter();
  const { hosts } = useFleet();
  const [isSending, setSending] = useState(false);
  const isThere = hosts.some(({ demo }) => demo);

  async function change(): Promise<void> {
    setSending(true);
    const { removeDemo, startDemo } = await import('./demo-calls.ts');
    if (isThere) await removeDemo();
    else if (await startDemo()) await router.navigate({ to: '/' });
    setSending(false);
  }

  return (
    <Panel label="Demo fleet">
      <PanelBody>
        <h2 className={styles.title}>{title}</h2>
        <p className={styles.words}>
          Three emulated hosts with a day of history. Marked as demo everywhere, gone with one click.
        </p>
        <Button unavailable={unavailable} disabled={isSending} onClick={() => void change()}>
          {isThere ? 'Remove the demo fleet' : isSending ? 'Starting the demo fleet' : 'Start the demo fleet'}
        </Button>
      </PanelBody>
    </Panel>
  );
}
