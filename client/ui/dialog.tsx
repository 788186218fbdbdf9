import type { ReactNode, RefObject } from 'react';
import { useState } from 'react';
import { deferred } from './deferred.tsx';
import { SheetFrame } from './sheet-frame.tsx';
import { useBackCloses } from './use-back-closes.ts';

/** See {@link Dialog}. */
export interface DialogProps {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly title: string;
  readonly children: ReactNode;
  /** Buttons at the foot, the primary one first. */
  readonly actions?: ReactNode;
  /** Gets the focus when it closes; left out: what had it before. */
  readonly returnTo?: RefObject<HTMLElement | null>;
}

const Sheet = deferred<DialogProps>(async () => (await import('./dialog-sheet.tsx')).DialogSheet);

/**
 * A bottom sheet on a phone, a dialog of 520 px on a laptop. Closed by Back, Escape, the scrim and its cross; focus goes
 * in and returns to what opened it.
 */
export function Dialog(props: DialogProps) {
  const { open, onClose } = props;
  useBackCloses(open, onClose);
  // A page has many that are never opened: those cost nothing.
  const [wasOpened, setWasOpened] = useState(open);
  if (open && !wasOpened) setWasOpened(true);
  if (!wasOpened) return null;
  return <Sheet {...props} meanwhile={open ? <SheetFrame title={props.title} onClose={onClose} /> : null} />;
}
