import { useNow } from '../../data/use-now.ts';
import { Button } from '../../ui/button.tsx';
import { ExpiryRing } from '../../ui/expiry-ring.tsx';
import { Glyph } from '../../ui/glyph.tsx';
import { Panel, PanelBody } from '../../ui/panel.tsx';
import type { HeldWait } from './pairing-wait.ts';
import styles from './waiting-panel.module.css';

/** A request waits as long as a code is good. */
const REQUEST_MS = 600_000;

interface WaitingPanelProps {
  readonly wait: HeldWait;
  readonly isSilent: boolean;
  readonly onGiveUp: () => void;
}

/** This device asked to be let in: what the other side sees, and how long it may take. */
export function WaitingPanel({ wait, isSilent, onGiveUp }: WaitingPanelProps) {
  const now = useNow(1000);
  return (
    <Panel label="Waiting to be let in">
      <PanelBody>
        <div className={styles.body}>
          <Glyph name="waiting" hue="warn" />
          <output className={styles.words}>
            Waiting for whoever made the code: they see “{wait.label}” and your address.
          </output>
          <ExpiryRing leftMs={wait.expiresAt - now} wholeMs={REQUEST_MS} />
        </div>
        {isSilent ? (
          <output className={styles.silent}>The collector does not answer. It is asked again.</output>
        ) : null}
        <Button wide onClick={onGiveUp}>
          Use another code
        </Button>
      </PanelBody>
    </Panel>
  );
}
