import type { RefObject } from 'react';
import type { ActivityRequest } from '#shared/schemas/activity.ts';
import type { CaptureKey } from '#shared/schemas/capture.ts';
import { IconButton } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { useShortcuts } from '../../../ui/shortcuts.ts';
import { BREAKPOINTS, useMedia } from '../../../ui/use-media.ts';
import { openText } from '../open-request.ts';
import { requestRow } from '../row-view.ts';
import { CapturePane } from './capture-pane.tsx';
import styles from './request-inspector.module.css';

/** See {@link RequestInspector}. */
export interface RequestInspectorProps {
  /** Null: it is closed. */
  readonly request: CaptureKey | null;
  /** The row as the list has it; null: it is not in the list. */
  readonly row: ActivityRequest | null;
  readonly onClose: () => void;
  /** Opens the row above or below. */
  readonly onStep: (step: 1 | -1) => void;
  readonly returnTo: RefObject<HTMLElement | null>;
}

/** A request from inside: beside the list where there is room, else a sheet over it. */
export function RequestInspector(props: RequestInspectorProps) {
  const isAside = useMedia(BREAKPOINTS.aside);
  if (isAside) return props.request === null ? null : <Aside {...props} request={props.request} />;
  return <Sheet {...props} />;
}

function Aside({
  request,
  row,
  onClose,
  onStep,
  returnTo,
}: RequestInspectorProps & { readonly request: CaptureKey }) {
  const close = (): void => {
    onClose();
    returnTo.current?.focus();
  };
  useShortcuts({ Escape: close });
  const title = titleOf(request, row);
  const view = row === null ? null : requestRow(row, row.endedAt);
  return (
    <aside className={styles.aside} aria-label={`Request: ${title}`}>
      <div className={styles.head}>
        {view === null ? null : (
          <span className={styles.code} data-outcome={view.outcome}>
            {view.code}
          </span>
        )}
        <h2 className={styles.title}>{title}</h2>
        <IconButton label="Request above" onClick={() => onStep(-1)}>
          <Icon name="up" />
        </IconButton>
        <IconButton label="Request below" onClick={() => onStep(1)}>
          <span className={styles.below}>
            <Icon name="up" />
          </span>
        </IconButton>
        <IconButton label="Close" onClick={close}>
          <Icon name="close" />
        </IconButton>
      </div>
      <div key={openText(request)} className={styles.scroll}>
        <CapturePane request={request} row={row} />
      </div>
    </aside>
  );
}

function Sheet({ request, row, onClose, returnTo }: RequestInspectorProps) {
  return (
    <Dialog
      open={request !== null}
      onClose={onClose}
      returnTo={returnTo}
      title={request === null ? '' : titleOf(request, row)}
    >
      {request === null ? null : (
        <div className={styles.sheet}>
          <CapturePane key={openText(request)} request={request} row={row} />
        </div>
      )}
    </Dialog>
  );
}

function titleOf(request: CaptureKey, row: ActivityRequest | null): string {
  if (row === null) return `Request ${request.id}`;
  return row.modelId === '' ? '(no model)' : row.modelId;
}
