import { Dialog as Base } from '@base-ui/react/dialog';
import type { ReactNode, RefObject } from 'react';
import { IconButton } from './button.tsx';
import styles from './dialog.module.css';
import { Icon } from './icon.tsx';
import { useBackCloses } from './use-back-closes.ts';

interface DialogProps {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly title: string;
  readonly children: ReactNode;
  /** Buttons at the foot, the primary one first. */
  readonly actions?: ReactNode;
  /** Gets the focus when it closes; left out: what had it before. */
  readonly returnTo?: RefObject<HTMLElement | null>;
}

/**
 * A bottom sheet on a phone, a dialog of 520 px on a laptop. Closed by Back, Escape, the scrim and its cross; focus goes
 * in and returns to what opened it.
 */
export function Dialog({ open, onClose, title, children, actions, returnTo }: DialogProps) {
  useBackCloses(open, onClose);
  return (
    <Base.Root
      open={open}
      onOpenChange={(next) => {
        if (!next) onClose();
      }}
    >
      <Base.Portal>
        <Base.Backdrop className={styles.scrim} />
        <Base.Popup className={styles.popup} finalFocus={returnTo}>
          <div className={styles.grip} aria-hidden="true" />
          <div className={styles.head}>
            <Base.Title className={styles.title}>{title}</Base.Title>
            <Base.Close render={<IconButton label="Close" />}>
              <Icon name="close" />
            </Base.Close>
          </div>
          <div className={styles.body}>{children}</div>
          {actions === undefined ? null : <div className={styles.actions}>{actions}</div>}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}
