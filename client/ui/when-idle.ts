/** A page that is not looked at never paints. */
const PAINT_TIMEOUT_MS = 3000;

let painted: Promise<void> | null = null;

/** Resolves once something is on screen, so that what it does not need is not fetched before it. */
export function firstPaint(): Promise<void> {
  painted ??= new Promise((resolve) => {
    setTimeout(resolve, PAINT_TIMEOUT_MS);
    const observer = new PerformanceObserver((list) => {
      if (list.getEntriesByName('first-contentful-paint').length > 0) resolve();
    });
    observer.observe({ type: 'paint', buffered: true });
  });
  return painted;
}

/** Calls `work` once the page has painted and nothing more urgent waits, at the latest `timeoutMs` later. */
export function whenIdle(work: () => void, timeoutMs = 2000): void {
  void callWhenIdle(work, timeoutMs);
}

async function callWhenIdle(work: () => void, timeoutMs: number): Promise<void> {
  await firstPaint();
  // Safari has no idle callbacks; a moment later is as good.
  if (typeof requestIdleCallback === 'function') requestIdleCallback(() => work(), { timeout: timeoutMs });
  else setTimeout(work, 200);
}
