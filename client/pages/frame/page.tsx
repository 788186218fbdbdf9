import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { IconButton } from '../../ui/button.tsx';
import { DemoMark } from '../../ui/demo-mark.tsx';
import { Icon } from '../../ui/icon.tsx';
import { ConnectionPill } from './connection-button.tsx';
import { OfflineBanner } from './offline-banner.tsx';
import { paletteCell } from './palette-state.ts';
import styles from './page.module.css';

interface PageProps {
  readonly title: string;
  /** Before the title on a laptop: a shape. */
  readonly lead?: ReactNode;
  /** Beside the title on a laptop; not on a phone. */
  readonly summary?: ReactNode;
  /** Where Back leads; pages of the bottom bar have none. */
  readonly back?: { readonly to: '/' | '/settings'; readonly label: string };
  /** Controls at the right of the title on a laptop. */
  readonly actions?: ReactNode;
  /** One control beside the pill on a phone. */
  readonly phoneAction?: ReactNode;
  /** What the page shows belongs to the demo fleet. */
  readonly demo?: boolean;
  /** `flush`: the page brings its own padding. `fill`: it also is as high as the window and scrolls inside. */
  readonly layout?: 'padded' | 'flush' | 'fill';
  readonly children: ReactNode;
}

/** A page with its head: 52 px with the connection on a phone, title and controls on a laptop. */
export function Page({
  title,
  lead,
  summary,
  back,
  actions,
  phoneAction,
  demo = false,
  layout = 'padded',
  children,
}: PageProps) {
  return (
    <div className={styles.page} data-layout={layout}>
      <title>{`${demo ? 'Demo · ' : ''}${title} · Drover`}</title>
      <header className={styles.head}>
        {back === undefined ? null : (
          <>
            <Link to={back.to} className={styles.back} aria-label={`Back to ${back.label}`}>
              <Icon name="left" />
            </Link>
            <Link to={back.to} className={styles.crumb}>
              {back.label} /
            </Link>
          </>
        )}
        {lead === undefined ? null : <span className={styles.lead}>{lead}</span>}
        <h1 className={styles.title}>{title}</h1>
        {demo ? <span className={styles.demo}>{<DemoMark />}</span> : null}
        {summary === undefined ? null : <p className={styles.summary}>{summary}</p>}
        <div className={styles.end}>
          <ConnectionPill />
          <span className={styles.phone}>
            {phoneAction}
            <IconButton label="Find and act" aria-haspopup="dialog" onClick={() => paletteCell.set(true)}>
              <Icon name="search" />
            </IconButton>
          </span>
          {actions === undefined ? null : <div className={styles.actions}>{actions}</div>}
        </div>
      </header>
      <OfflineBanner />
      <div className={styles.body}>{children}</div>
    </div>
  );
}
