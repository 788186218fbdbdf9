import './zod-csp.ts';
import { watchInstall } from './install-prompt.ts';
import { registerServiceWorker } from './register-service-worker.ts';
import { replicaService } from './replica-instance.ts';

/**
 * Starts the data layer: copy on this device first, then the collector, the service worker and install prompts. Called
 * once by `main.tsx` before the first render; a second call does nothing. It ends with the page.
 */
export function startData(): void {
  if (started) return;
  started = true;
  replicaService.start(new AbortController().signal);
  watchInstall();
  registerServiceWorker();
}

let started = false;
