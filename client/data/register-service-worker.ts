import type { Workbox } from 'workbox-window';
import { isSecure } from './environment.ts';
import { updateCell } from './update-state.ts';

const CHECK_EVERY_MS = 3_600_000;

/** Registers the service worker of a built app, where the browser allows one. Nothing here ever reloads by itself. */
export function registerServiceWorker(): void {
  if (!import.meta.env.PROD || !isSecure || !('serviceWorker' in navigator)) return;
  void register().catch((error: unknown) => {
    // Blocked by the browser or a policy: the app works, but does not start without network.
    console.warn('The service worker was not registered.', error);
  });
}

/** Looks for a new version now; a failed look is as good as none. */
export function checkForUpdate(): void {
  registered?.update().catch(() => undefined);
}

let registered: Workbox | null = null;

async function register(): Promise<void> {
  const { Workbox } = await import('workbox-window');
  const workbox = new Workbox('/service-worker.js');
  workbox.addEventListener('waiting', () => offer(workbox));
  // Another tab started the new version: this one still runs the old code and should be reloaded when it suits.
  workbox.addEventListener('controlling', ({ isUpdate }) => {
    if (isUpdate === true) updateCell.set({ ready: true, reload: () => location.reload() });
  });
  await workbox.register();
  registered = workbox;
  setInterval(checkForUpdate, CHECK_EVERY_MS);
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') checkForUpdate();
  });
}

function offer(workbox: Workbox): void {
  updateCell.set({
    ready: true,
    reload: () => {
      workbox.addEventListener('controlling', () => location.reload());
      workbox.messageSkipWaiting();
    },
  });
}
