import type { SeqRange } from '../../domain/store-ports.ts';
import type { Connection } from './connection.ts';

/** How many rows of a history table some ranges of its sequence hold. */
export function countRows(
  connection: Connection,
  table: 'activity' | 'gap' | 'model_event' | 'perf_rollup',
  ranges: readonly SeqRange[],
): number {
  const count = connection.statement<{ n: number }>(
    `SELECT count(*) AS n FROM ${table} WHERE seq BETWEEN ? AND ?`,
  );
  return ranges.reduce((sum, { fromSeq, toSeq }) => sum + (count.get(fromSeq, toSeq)?.n ?? 0), 0);
}
