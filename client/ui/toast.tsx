import { Toast } from '@base-ui/react/toast';
import type { ReactNode } from 'react';
import styles from './toast.module.css';
import { Icon } from './icon.tsx';
import { IconButton } from './button.tsx';

/** Six seconds, long enough to read two lines; failures and offers stay until closed. */
const SHOWN_MS = 6000;

const toasts = Toast.createToastManager();

interface ToastContent {
  readonly title: string;
  readonly detail?: string;
}

/** Says in passing that something was done. Not for what the page shows anyway. */
export function showToast({ title, detail }: ToastContent): void {
  toasts.add({ title, description: detail, timeout: SHOWN_MS });
}

/** Says that something failed; stays until it is closed. */
export function showFailure({ title, detail }: ToastContent): void {
  toasts.add({ title, description: detail, timeout: 0, type: 'failed', priority: 'high' });
}

/** Offers one action, such as starting a new version; stays until closed. The same id is shown once. */
export function showOffer(
  offer: ToastContent & { readonly id: string; readonly action: string; readonly onAction: () => void },
): void {
  toasts.add({
    id: offer.id,
    title: offer.title,
    description: offer.detail,
    timeout: 0,
    actionProps: { children: offer.action, onClick: offer.onAction },
  });
}

/** Holds the page and the one toast that floats above its bottom bar or beside the rail's foot. */
export function ToastProvider({ children }: { readonly children: ReactNode }) {
  return (
    <Toast.Provider toastManager={toasts} limit={1} timeout={SHOWN_MS}>
      {children}
      <Toast.Portal>
        <Toast.Viewport className={styles.viewport}>
          <ToastList />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  );
}

function ToastList() {
  const { toasts: shown } = Toast.useToastManager();
  return shown.map((toast) => (
    <Toast.Root key={toast.id} toast={toast} className={styles.toast} swipeDirection={['down', 'left']}>
      <Toast.Content className={styles.content}>
        <div className={styles.words}>
          <Toast.Title className={styles.title} />
          <Toast.Description className={styles.detail} />
        </div>
        <Toast.Action className={styles.action} />
        <Toast.Close render={<IconButton label="Close" />}>
          <Icon name="close" />
        </Toast.Close>
      </Toast.Content>
    </Toast.Root>
  ));
}
