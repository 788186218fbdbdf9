import './zod-csp.ts';
import type { Readable } from './cell.ts';
import { fleetCell } from './fleet-state.ts';
import { watchInstall } from './install-prompt.ts';
import { replicaService } from './replica-instance.ts';
import { sessionCell } from './session-state.ts';

/** What is not needed on screen does not wait longer than this for what is. */
const SHOWN_WITHIN_MS = 4_000;

/**
 * Starts the data layer: copy on this device first, then the collector. Called once by `main.tsx` before the first
 * render; a second call does nothing. It ends with the page. The promise resolves when there is something to show;
 * then the service worker and install prompts follow.
 */
export function startData(): Promise<void> {
  started ??= start();
  return started;
}

let started: Promise<void> | null = null;

async function start(): Promise<void> {
  replicaService.start(new AbortController().signal);
  watchInstall();
  await Promise.race([
    becomes(fleetCell, ({ loaded }) => loaded),
    becomes(sessionCell, ({ status }) => status === 'signed-out'),
    new Promise<void>((resolve) => {
      setTimeout(resolve, SHOWN_WITHIN_MS);
    }),
  ]);
  // Without its code an action is refused with that reason; the rest of the page goes on.
  import('./intents/start-intents.ts').then(
    ({ intentDesk }) => intentDesk(),
    () => undefined,
  );
  const { registerServiceWorker } = await import('./register-service-worker.ts');
  registerServiceWorker();
}

/** Resolves once the value of `cell` is as asked for. */
function becomes<T>(cell: Readable<T>, isReached: (value: T) => boolean): Promise<void> {
  return new Promise((resolve) => {
    const look = (): void => {
      if (!isReached(cell.get())) return;
      unsubscribe();
      resolve();
    };
    const unsubscribe = cell.subscribe(look);
    look();
  });
}
