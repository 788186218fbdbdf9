import { CSPProvider } from '@base-ui/react/csp-provider';
import { Dialog as Base } from '@base-ui/react/dialog';
import { IconButton } from './button.tsx';
import type { DialogProps } from './dialog.tsx';
import styles from './dialog.module.css';
import { Icon } from './icon.tsx';

/** What a `Dialog` looks like; loaded by it. */
export function DialogSheet({ open, onClose, title, children, actions, returnTo }: DialogProps) {
  return (
    <CSPProvider disableStyleElements>
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
    </CSPProvider>
  );
}
