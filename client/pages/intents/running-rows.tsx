import { formatElapsed, UNKNOWN } from '../../ui/format.ts';
import { ListRow, RowList } from '../../ui/list-row.tsx';
import { sourceWords } from '../frame/source-words.ts';
import type { RunningRequest } from '../frame/running-view.ts';
import { RequestCancel } from './request-cancel.tsx';
import styles from './running-rows.module.css';

/** See {@link RunningRows}. */
export interface RunningRowsProps {
  readonly requests: readonly RunningRequest[];
  /** Names of hosts by id, where rows of several stand together. */
  readonly hostLabels?: ReadonlyMap<string, string>;
  /** So many are listed, the rest is counted. */
  readonly limit?: number;
  /** `source`: the model is said already. */
  readonly lead?: 'model' | 'source';
}

/** Requests in flight, each with its time and the way to cut it. */
export function RunningRows({ requests, hostLabels, limit = 20, lead = 'model' }: RunningRowsProps) {
  return (
    <RowList>
      {requests.slice(0, limit).map((request) => (
        <li
          key={`${request.hostId} ${request.id}`}
          className={styles.row}
          tabIndex={-1}
          data-stop=""
          data-host-id={request.hostId}
          data-model-id={request.modelId}
          data-request-id={request.id}
        >
          <ListRow
            title={lead === 'model' ? request.modelId : sourceOf(request)}
            detail={
              lead === 'model' ? detailOf(request, hostLabels) : (request.progress ?? request.path ?? '')
            }
            value={
              <span className={styles.elapsed}>
                {request.elapsedMs === null ? UNKNOWN : formatElapsed(request.elapsedMs)}
              </span>
            }
          />
          <span className={styles.act}>
            <RequestCancel hostId={request.hostId} modelId={request.modelId} requestId={request.id} />
          </span>
        </li>
      ))}
      {requests.length <= limit ? null : <li className={styles.more}>{requests.length - limit} more</li>}
    </RowList>
  );
}

function detailOf(request: RunningRequest, hostLabels: RunningRowsProps['hostLabels']): string {
  const host = hostLabels?.get(request.hostId) ?? (hostLabels === undefined ? null : request.hostId);
  // Beside several hosts there is no room for more.
  const progress = hostLabels === undefined ? request.progress : null;
  return [host, sourceOf(request), progress].filter((part) => part !== null).join(' · ');
}

function sourceOf({ source }: RunningRequest): string {
  return source === null ? 'source unknown' : sourceWords(source);
}
