/** Calls `work` once the page has painted and nothing more urgent waits, at the latest after `timeoutMs`. */
export function whenIdle(work: () => void, timeoutMs = 2000): void {
  // Safari has no idle callbacks; a moment after the next frame is as good.
  if (typeof requestIdleCallback === 'function') requestIdleCallback(() => work(), { timeout: timeoutMs });
  else requestAnimationFrame(() => setTimeout(work, 200));
}
