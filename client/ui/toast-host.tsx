import { CSPProvider } from '@base-ui/react/csp-provider';
import { Toast } from '@base-ui/react/toast';
import { useEffect } from 'react';
import { IconButton } from './button.tsx';
import { Icon } from './icon.tsx';
import type { ToastRequest } from './toast.tsx';
import { takeToasts } from './toast.tsx';
import styles from './toast.module.css';

/** Six seconds, long enough to read two lines; failures and offers stay until closed. */
const SHOWN_MS = 6000;

const toasts = Toast.createToastManager();

/** The one toast that floats above the bottom bar or beside the rail's foot; loaded by `Toasts`. */
export function ToastHost() {
  useEffect(() => takeToasts(show), []);
  return (
    <CSPProvider disableStyleElements>
      <Toast.Provider toastManager={toasts} limit={1} timeout={SHOWN_MS}>
        <Toast.Portal>
          <Toast.Viewport className={styles.viewport}>
            <ToastList />
          </Toast.Viewport>
        </Toast.Portal>
      </Toast.Provider>
    </CSPProvider>
  );
}

function show({ kind, title, detail, id, action, isPolite = false }: ToastRequest): void {
  const shownId = toasts.add({
    title,
    description: detail,
    timeout: kind === 'done' ? SHOWN_MS : 0,
    ...(kind === 'failed' ? { type: 'failed' } : {}),
    ...(kind === 'failed' && !isPolite ? { priority: 'high' as const } : {}),
    ...(id === undefined ? {} : { id }),
    ...(action === undefined
      ? {}
      : {
          actionProps: {
            children: action.label,
            onClick: () => {
              toasts.close(shownId);
              action.act();
            },
          },
        }),
  });
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
