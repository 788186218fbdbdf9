import type { RefObject } from 'react';
import { useState } from 'react';
import type { ActivityRequest } from '#shared/schemas/activity.ts';
import type { CaptureKey } from '#shared/schemas/capture.ts';
import type { ActivityFeed } from '../../data/types.ts';
import { deferred } from '../../ui/deferred.tsx';
import { SheetFrame } from '../../ui/sheet-frame.tsx';
import type { RequestInspectorProps } from './inspector/request-inspector.tsx';
import { rowKey } from './row-view.ts';

/** A link to a request finds its row among so many of the newest; one further back comes with its capture. */
const SEARCHED_ROWS = 5_000;

const Inspector = deferred<RequestInspectorProps>(
  async () => (await import('./inspector/request-inspector.tsx')).RequestInspector,
);

interface InspectedProps {
  readonly feed: ActivityFeed;
  readonly request: CaptureKey | null;
  readonly onClose: () => void;
  readonly onStep: (step: 1 | -1) => void;
  readonly returnTo: RefObject<HTMLElement | null>;
}

/** The request that is open, with its row as the list has it. */
export function Inspected({ feed, request, onClose, onStep, returnTo }: InspectedProps) {
  const [last, setLast] = useState<ActivityRequest | null>(null);
  const key = request === null ? null : rowKey({ type: 'request', ...request });
  const isLast = last !== null && rowKey(last) === key;
  const found = key === null || isLast ? null : findRow(feed, key);
  // Once found it stays, whatever the list goes on to show.
  if (found !== null) setLast(found);
  return (
    <Inspector
      request={request}
      row={isLast ? last : found}
      onClose={onClose}
      onStep={onStep}
      returnTo={returnTo}
      meanwhile={request === null ? null : <SheetFrame title={`Request ${request.id}`} onClose={onClose} />}
    />
  );
}

function findRow(feed: ActivityFeed, key: string): ActivityRequest | null {
  for (let index = 0; index < Math.min(feed.count, SEARCHED_ROWS); index += 1) {
    const row = feed.rowAt(index);
    if (row?.type === 'request' && rowKey(row) === key) return row;
  }
  return null;
}
