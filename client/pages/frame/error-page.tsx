import type { ErrorComponentProps } from '@tanstack/react-router';
import { useRouter } from '@tanstack/react-router';
import { Button } from '../../ui/button.tsx';
import { CopyLine } from '../../ui/copy-line.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { Page } from './page.tsx';
import styles from './error-page.module.css';

/** A page that broke while it was drawn: what happened, whole, and two ways on. The rest of the app stands. */
export function ErrorPage({ error }: ErrorComponentProps) {
  const router = useRouter();
  return (
    <Page title="This page broke">
      <div className={styles.prose} role="alert">
        <p>A part of this page could not be drawn. What is kept on this device is not touched by it.</p>
        <CopyLine
          text={error instanceof Error ? error.message || error.name : String(error)}
          label="Copy the error"
        />
        <div className={styles.ways}>
          <Button look="ink" onClick={() => void router.invalidate()}>
            Try again
          </Button>
          <Button onClick={() => window.location.reload()}>Reload the app</Button>
        </div>
      </div>
    </Page>
  );
}

/** An address that is no page. */
export function NotFoundPage() {
  return (
    <Page title="No such page">
      <div className={styles.prose}>
        <p>Nothing stands at this address. A host or a page of that name may have been removed.</p>
        <div className={styles.ways}>
          <LinkButton to="/" look="ink">
            To the fleet
          </LinkButton>
        </div>
      </div>
    </Page>
  );
}
