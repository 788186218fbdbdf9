import type { ActivityRow } from '#shared/schemas/activity.ts';
import { csvCell } from '../../data/csv-cell.ts';
import type { ActivityFeed } from '../../data/types.ts';

const COLUMNS = [
  'ended_at',
  'type',
  'host',
  'id_epoch',
  'id',
  'model',
  'path',
  'status',
  'source',
  'input_tokens',
  'cached_tokens',
  'output_tokens',
  'prompt_per_second',
  'tokens_per_second',
  'duration_ms',
  'error',
  'source_certainty',
] as const;

/** Rows per task: writing a hundred thousand must not freeze the page. */
const CHUNK = 2000;

/** The filtered rows as CSV, newest first, written in small tasks. */
export async function activityCsv(feed: Pick<ActivityFeed, 'count' | 'rowAt'>): Promise<Blob> {
  const parts: string[] = [`${COLUMNS.join(',')}\r\n`];
  for (let start = 0; start < feed.count; start += CHUNK) {
    const lines: string[] = [];
    for (let index = start; index < Math.min(feed.count, start + CHUNK); index += 1) {
      const row = feed.rowAt(index);
      if (row !== undefined) lines.push(csvLine(row));
    }
    parts.push(lines.join(''));
    await new Promise((resolve) => {
      setTimeout(resolve);
    });
  }
  return new Blob(parts, { type: 'text/csv;charset=utf-8' });
}

/** One row as a line; unknown is an empty cell. */
export function csvLine(row: ActivityRow): string {
  const cells =
    row.type === 'request'
      ? [
          new Date(row.endedAt).toISOString(),
          'request',
          row.hostId,
          row.idEpoch,
          row.id,
          row.modelId,
          row.path,
          row.status,
          row.source,
          row.inputTokens,
          row.cachedTokens,
          row.outputTokens,
          row.promptPerSecond,
          row.tokensPerSecond,
          row.durationMs,
          row.error,
          row.sourceCertainty,
        ]
      : [
          new Date(row.to).toISOString(),
          'gap',
          row.hostId,
          row.idEpoch,
          row.fromId === null || row.toId === null ? null : `${row.fromId}-${row.toId}`,
          ...Array.from<null>({ length: 10 }).fill(null),
          row.reason,
          null,
        ];
  return csvText([cells]);
}

/** Lines of CSV; null is an empty cell. */
export function csvText(lines: readonly (readonly (string | number | null)[])[]): string {
  return lines.map((cells) => `${cells.map(csvCell).join(',')}\r\n`).join('');
}
