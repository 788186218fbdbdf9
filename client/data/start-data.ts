import './zod-csp.ts';
import type { Readable } from './cell.ts';
import { fleetCell } from './fleet-state.ts';
import { watchInstall } from './install-prompt.ts';
import { replicaService } from './replica-instance.ts';
import { sessionCell } from './session-state.ts';

/** The first render does not wait longer than this for the copy: the way to the collector is worth showing by itself. */
const COPY_WITHIN_MS = 400;
/** The network does not wait longer than this for the screen, as in a page that is not looked at. */
const DRAWN_WITHIN_MS = 1_500;
/** What is not needed on screen does not wait longer than this for what is. */
const SHOWN_WITHIN_MS = 4_000;
const REGISTER_AGAIN_MS = 5_000;

/** How far a start has come. */
export interface DataStart {
  /** The copy on this device can be shown, or there is none, or it takes too long to wait for. */
  readonly copyRead: Promise<void>;
  /** There is something to show; the service worker and install prompts follow. */
  readonly shown: Promise<void>;
}

/**
 * Starts the data layer: copy on this device first, then, once the page has `drawn`, the collector. Called once by
 * `main.tsx` before the first render; a second call does nothing. It ends with the page.
 */
export function startData(drawn: Promise<void>): DataStart {
  started ??= start(drawn);
  return started;
}

let started: DataStart | null = null;

function start(drawn: Promise<void>): DataStart {
  replicaService.start(new AbortController().signal, Promise.race([drawn, after(DRAWN_WITHIN_MS)]));
  watchInstall();
  const loaded = becomes(fleetCell, (fleet) => fleet.loaded);
  const hasCopy = sessionCell.get().status === 'signed-in';
  const shown = Promise.race([
    loaded,
    becomes(sessionCell, ({ status }) => status === 'signed-out'),
    after(SHOWN_WITHIN_MS),
  ]);
  void shown.then(startRest);
  return { copyRead: hasCopy ? Promise.race([loaded, after(COPY_WITHIN_MS)]) : Promise.resolve(), shown };
}

async function startRest(): Promise<void> {
  // Without its code an action is refused with that reason; the rest of the page goes on.
  import('./intents/start-intents.ts').then(
    ({ intentDesk }) => intentDesk(),
    () => undefined,
  );
  await registerOnceFetched();
}

/** A page whose network goes before this code has come is kept for offline once the network is back. */
async function registerOnceFetched(): Promise<void> {
  const code = await import('./register-service-worker.ts').catch(() => null);
  if (code !== null) return code.registerServiceWorker();
  await after(REGISTER_AGAIN_MS);
  return registerOnceFetched();
}

function after(delayMs: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, delayMs);
  });
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
