/** A page that is not looked at never paints. */
const PAINT_TIMEOUT_MS = 3000;

/** Resolves once what is in the page now is on screen, so that what it does not need is not fetched before it. */
export function nextPaint(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, PAINT_TIMEOUT_MS);
    // The frame that is being made shows it; the next task comes after that.
    requestAnimationFrame(() => setTimeout(resolve));
  });
}

/** Calls `work` once the page has painted and nothing more urgent waits, at the latest `timeoutMs` later. */
export function whenIdle(work: () => void, timeoutMs = 2000): void {
  void callWhenIdle(work, timeoutMs);
}

async function callWhenIdle(work: () => void, timeoutMs: number): Promise<void> {
  await nextPaint();
  // Safari has no idle callbacks; a moment later is as good.
  if (typeof requestIdleCallback === 'function') requestIdleCallback(() => work(), { timeout: timeoutMs });
  else setTimeout(work, 200);
}
