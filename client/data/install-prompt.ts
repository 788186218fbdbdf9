import { createCell } from './cell.ts';
import { isSecure } from './environment.ts';
import { keepStorage, lookAtStorage } from './keep-storage.ts';
import type { Install } from './types.ts';

/** Chromium's install prompt, which the types of the DOM do not have. */
interface InstallPromptEvent extends Event {
  readonly prompt: () => Promise<{ readonly outcome: 'accepted' | 'dismissed' }>;
}

const dismissed: Install['install'] = () => Promise.resolve('dismissed');

/** Whether and how the app can be installed. */
export const installCell = createCell<Install>({ state: 'unavailable', install: dismissed });

/** Watches for the browser's offer to install; an installed app asks to keep its copy. */
export function watchInstall(): void {
  void lookAtStorage();
  if (!isSecure) return;
  if (isInstalled()) {
    installCell.set({ state: 'installed', install: dismissed });
    void keepStorage();
    return;
  }
  // iOS offers no prompt, only its own menu; `standalone` exists nowhere else.
  if ('standalone' in navigator) installCell.set({ state: 'manual', install: dismissed });
  addEventListener('beforeinstallprompt', (event) => {
    if (!isInstallPrompt(event)) return;
    event.preventDefault();
    installCell.set({
      state: 'available',
      install: async () => {
        const { outcome } = await event.prompt();
        // A prompt can be used once; after a refusal the browser offers a new one when it likes.
        installCell.set({ state: 'unavailable', install: dismissed });
        return outcome;
      },
    });
  });
  addEventListener('appinstalled', () => {
    installCell.set({ state: 'installed', install: dismissed });
    void keepStorage();
  });
}

function isInstalled(): boolean {
  const isStandalone = 'standalone' in navigator && navigator.standalone === true;
  return isStandalone || matchMedia('(display-mode: standalone)').matches;
}

function isInstallPrompt(event: Event): event is InstallPromptEvent {
  return 'prompt' in event && typeof event.prompt === 'function';
}
