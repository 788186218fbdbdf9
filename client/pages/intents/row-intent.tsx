import type { ReactNode } from 'react';
import { useConnection } from '../../data/use-connection.ts';
import { useHostIntents } from '../../data/use-intents.ts';
import { useNow } from '../../data/use-now.ts';
import { OpenIntent } from './open-intent-mark.tsx';
import { openIntentOn } from './open-intent.ts';

/** See {@link RowIntent}. */
export interface RowIntentProps {
  readonly hostId: string;
  readonly modelId?: string | null;
  readonly requestId?: string | null;
  /** Shown while nothing is under way. */
  readonly children?: ReactNode;
}

/** What is under way for the model, request or host of a row, with the way to stop it. */
export function RowIntent({ hostId, modelId = null, requestId = null, children }: RowIntentProps) {
  const entry = openIntentOn(useHostIntents(hostId), { modelId, requestId });
  const isPast = useConnection().kind !== 'live';
  const now = useNow(1000);
  return entry === null ? children : <OpenIntent entry={entry} now={now} isPast={isPast} />;
}
