import { useRouter } from '@tanstack/react-router';
import { useEffect, useEffectEvent } from 'react';

let sheets = 0;

/**
 * While `open`, the device's Back closes the sheet instead of leaving the page: an entry of the same address is pushed
 * and taken away again when the sheet is closed in another way.
 */
export function useBackCloses(open: boolean, onClose: () => void): void {
  const { history } = useRouter();
  const close = useEffectEvent(onClose);
  useEffect(() => {
    if (!open) return;
    sheets += 1;
    const mark = `sheet-${sheets}`;
    window.history.pushState({ ...window.history.state, sheet: mark }, '', window.location.href);
    let gone = false;
    const onPop = (): void => {
      gone = true;
      close();
    };
    window.addEventListener('popstate', onPop, { once: true });
    return () => {
      window.removeEventListener('popstate', onPop);
      const state: unknown = window.history.state;
      const isOurs = typeof state === 'object' && state !== null && Reflect.get(state, 'sheet') === mark;
      // A link inside the sheet has moved on already: then the entry below stays, going back would undo the link.
      if (!gone && isOurs) history.back();
    };
  }, [open, history]);
}
