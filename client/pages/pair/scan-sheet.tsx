import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { Dialog } from '../../ui/dialog.tsx';
import { scanWithCamera } from './scan-code.ts';
import styles from './scan-sheet.module.css';

/** See {@link ScanSheet}. */
export interface ScanSheetProps {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly onCode: (code: string) => void;
}

/** The camera, until it sees a pairing code. */
export function ScanSheet({ open, onClose, onCode }: ScanSheetProps) {
  return (
    <Dialog open={open} onClose={onClose} title="Scan the code">
      {open ? <Camera onCode={onCode} /> : null}
    </Dialog>
  );
}

function Camera({ onCode }: Pick<ScanSheetProps, 'onCode'>) {
  const video = useRef<HTMLVideoElement>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const scan = useEffectEvent(async (shown: HTMLVideoElement, signal: AbortSignal): Promise<void> => {
    try {
      const code = await scanWithCamera(shown, signal);
      if (code !== null && !signal.aborted) onCode(code);
    } catch (error) {
      setProblem(cameraProblem(error));
    }
  });
  useEffect(() => {
    const shown = video.current;
    if (shown === null) return;
    const ending = new AbortController();
    void scan(shown, ending.signal);
    return () => ending.abort();
  }, []);
  return problem === null ? (
    <>
      <p>Point the camera at the code that a signed-in device shows under Settings, Devices.</p>
      <video ref={video} className={styles.picture} muted playsInline aria-label="What the camera sees" />
    </>
  ) : (
    <p role="alert">{problem}</p>
  );
}

function cameraProblem(error: unknown): string {
  const isRefused = error instanceof DOMException && error.name === 'NotAllowedError';
  return isRefused
    ? 'The browser does not give the camera to this page. Type the code instead.'
    : 'The camera cannot be used. Type the code instead.';
}
