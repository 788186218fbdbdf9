import { useEffect, useEffectEvent } from 'react';

/** A traversal that never reports must not keep the next sheet from its entry. */
const TRAVERSAL_MS = 500;

let sheets = 0;
/** Resolves when the last step back has been made: a new entry before that would be the one taken away. */
let settled: Promise<void> = Promise.resolve();

/**
 * While `open`, the device's Back closes the sheet instead of leaving the page: an entry of the same address is pushed,
 * and taken away again when the sheet is closed in another way. A link inside the sheet must not close it by itself:
 * it replaces the entry (`replace`), and the page that comes closes the sheet.
 */
export function useBackCloses(open: boolean, onClose: () => void): void {
  const close = useEffectEvent(onClose);
  useEffect(() => {
    if (!open) return;
    sheets += 1;
    const mark = `sheet-${sheets}`;
    let isDone = false;
    const onPop = (): void => {
      isDone = true;
      close();
    };
    void settled.then(() => {
      if (isDone) return false;
      window.history.pushState({ ...window.history.state, sheet: mark }, '', window.location.href);
      window.addEventListener('popstate', onPop, { once: true });
      return true;
    });
    return () => {
      window.removeEventListener('popstate', onPop);
      const wasDone = isDone;
      isDone = true;
      if (!wasDone && topMark() === mark) settled = stepBack();
    };
  }, [open]);
}

function topMark(): unknown {
  const state: unknown = window.history.state;
  return typeof state === 'object' && state !== null ? Reflect.get(state, 'sheet') : null;
}

function stepBack(): Promise<void> {
  return new Promise((resolve) => {
    window.addEventListener('popstate', () => resolve(), { once: true });
    setTimeout(resolve, TRAVERSAL_MS);
    window.history.back();
  });
}
