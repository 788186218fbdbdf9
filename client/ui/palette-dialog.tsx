import { CSPProvider } from '@base-ui/react/csp-provider';
import { Dialog as Base } from '@base-ui/react/dialog';
import type { ReactNode } from 'react';
import styles from './palette-dialog.module.css';
import { useBackCloses } from './use-back-closes.ts';

interface PaletteDialogProps {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly label: string;
  readonly children: ReactNode;
}

/** A dialog without a head, near the top, for a field and what it finds; the whole screen on a phone. */
export function PaletteDialog({ open, onClose, label, children }: PaletteDialogProps) {
  useBackCloses(open, onClose);
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
          <Base.Popup className={styles.popup} aria-label={label}>
            {children}
            <Base.Close className={styles.close}>Close</Base.Close>
          </Base.Popup>
        </Base.Portal>
      </Base.Root>
    </CSPProvider>
  );
}
