import type { ActivityGap, ActivityRow } from '#shared/schemas/activity.ts';
import type { ModelEvent } from '#shared/schemas/model.ts';
import type { RowBlock } from './row-block.ts';
import { textAt } from './row-block.ts';

/** Identity of a row: (host, idEpoch, id), for a gap its range. Equal rows from the tail and a segment have one key. */
export function rowKey(row: ActivityRow): string {
  return row.type === 'request' ? requestKey(row.hostId, row.idEpoch, row.id) : gapKey(row);
}

/** {@link rowKey} of a block's row, without making the row. */
export function blockRowKey(block: RowBlock, row: number): string {
  const { requests, gaps } = block;
  const gap = gaps[row - requests.count];
  if (row >= requests.count && gap !== undefined) return gapKey(gap);
  return requestKey(textAt(requests.host, row) ?? '', requests.idEpoch[row] ?? 0, requests.id[row] ?? 0);
}

/** Identity of a transition: a model changes its state once a moment. */
export function eventKey({ hostId, modelId, at, from, to }: ModelEvent): string {
  return `${hostId}/${at}/${from ?? ''}>${to}/${modelId}`;
}

function requestKey(hostId: string, idEpoch: number, id: number): string {
  return `${hostId}/${idEpoch}/${id}`;
}

function gapKey(gap: ActivityGap): string {
  return `${gap.hostId}/${gap.idEpoch}/gap/${gap.fromId ?? ''}/${gap.toId ?? ''}/${gap.endedAt}`;
}
