import { vi } from 'vitest';

/**
 * Lets a test run on Node what waits for the next paint: call the returned function to paint. Time stands still, so that
 * a busy machine changes nothing. Undone by `unstubFrames`.
 */
export function stubFrames(): () => void {
  let waiting: (() => void)[] = [];
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  vi.stubGlobal('requestAnimationFrame', (task: () => void) => waiting.push(task));
  vi.stubGlobal('cancelAnimationFrame', () => undefined);
  return () => {
    const tasks = waiting;
    waiting = [];
    for (const task of tasks) task();
  };
}

/** Ends what {@link stubFrames} began. */
export function unstubFrames(): void {
  vi.useRealTimers();
  vi.unstubAllGlobals();
}
