import { vi } from 'vitest';

/** Lets a test run on Node what waits for the next paint: call the returned function to paint. */
export function stubFrames(): () => void {
  let waiting: (() => void)[] = [];
  vi.stubGlobal('requestAnimationFrame', (task: () => void) => waiting.push(task));
  vi.stubGlobal('cancelAnimationFrame', () => undefined);
  return () => {
    const tasks = waiting;
    waiting = [];
    for (const task of tasks) task();
  };
}
