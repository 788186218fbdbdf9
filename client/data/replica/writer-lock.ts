const LOCK_NAME = 'drover/writer';

/**
 * Elects the one tab that writes the copy: calls `onElected` when this tab holds the lock, perhaps much later, when
 * another tab closed. Where there are no Web Locks (plain http) nobody is elected, and nothing is kept.
 */
export function electWriter(onElected: () => void, signal: AbortSignal): void {
  if (!('locks' in navigator)) return;
  navigator.locks
    .request(LOCK_NAME, { signal }, () => {
      onElected();
      return new Promise<void>((resolve) => {
        signal.addEventListener('abort', () => resolve(), { once: true });
      });
    })
    .catch(() => undefined);
}
