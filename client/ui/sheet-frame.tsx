import { useEffect, useId, useLayoutEffect, useRef, useState } from 'react';
import { Button } from './button.tsx';
import { useDeferredLoad } from './deferred.tsx';
import styles from './dialog.module.css';

/** What comes within this time needs no word about it. */
const PATIENCE_MS = 150;

interface SheetFrameProps {
  readonly title: string;
  readonly onClose: () => void;
}

/**
 * Stands where a sheet will be while its code is fetched: a tap is never without an answer, even when the network goes in
 * that second. A `<dialog>` of the browser: it keeps the focus and closes by Escape without any code that could be missing
 * too.
 */
export function SheetFrame(props: SheetFrameProps) {
  const [isLong, setLong] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLong(true), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, []);
  return isLong ? <NativeSheet {...props} /> : null;
}

function NativeSheet({ title, onClose }: SheetFrameProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  const { hasFailed, retry } = useDeferredLoad();
  // Closed before it is taken away: only then the browser gives the focus back to what had it.
  useLayoutEffect(() => {
    const shown = dialog.current;
    shown?.showModal();
    return () => shown?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      className={`${styles.native} ${styles.popup}`}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <div className={styles.grip} aria-hidden="true" />
      <h2 id={titleId} className={styles.title}>
        {title}
      </h2>
      <output className={styles.body}>
        {hasFailed
          ? 'This part of the app could not be fetched: no network, or the collector is away. Nothing was done. It is tried again by itself.'
          : 'Fetching this part of the app.'}
      </output>
      <div className={styles.actions}>
        {hasFailed ? (
          <Button look="ink" onClick={retry}>
            Try again
          </Button>
        ) : null}
        <Button look="quiet" onClick={onClose}>
          Close
        </Button>
      </div>
    </dialog>
  );
}
