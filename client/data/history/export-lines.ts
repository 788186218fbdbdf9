import type { ActivityRow } from '#shared/schemas/activity.ts';
import type { ModelEvent } from '#shared/schemas/model.ts';
import { gpuSample, systemSample } from '#shared/schemas/performance.ts';
import type { PerformanceRow } from '#shared/schemas/performance.ts';
import { csvCell } from '../csv-cell.ts';
import type { StoredKind } from '../types.ts';

/** A row of any kind of history. */
export type ExportRow = ActivityRow | ModelEvent | PerformanceRow;
/** `ndjson`: rows as the API has them, a line each. `csv`: one table for each kind. */
export type ExportFormat = 'ndjson' | 'csv';

type Cell = string | number | boolean | null | undefined;

const ACTIVITY_COLUMNS = [
  'endedAt',
  'type',
  'hostId',
  'idEpoch',
  'id',
  'modelId',
  'path',
  'status',
  'source',
  'sourceCertainty',
  'inputTokens',
  'cachedTokens',
  'outputTokens',
  'promptPerSecond',
  'tokensPerSecond',
  'durationMs',
  'hasCapture',
  'error',
  'fromId',
  'toId',
  'from',
  'to',
  'reason',
] as const;
const EVENT_COLUMNS = ['at', 'hostId', 'modelId', 'from', 'to', 'reason'] as const;
/** Fields of a card's sample that a machine's has not, and the other way round, are empty cells. */
const SAMPLE_COLUMNS = [...new Set([...Object.keys(systemSample.shape), ...Object.keys(gpuSample.shape)])];
const COLUMNS: Readonly<Record<StoredKind, readonly string[]>> = {
  activity: ACTIVITY_COLUMNS,
  'model-events': EVENT_COLUMNS,
  'perf-5m': ['hostId', 'gpuKey', 'gpuName', ...SAMPLE_COLUMNS],
};

/** What a file begins with: the names of its columns, or nothing. */
export function exportHead(kind: StoredKind, format: ExportFormat): string {
  return format === 'csv' ? `${COLUMNS[kind].join(',')}\r\n` : '';
}

/** One row as a line. Times are epoch milliseconds in NDJSON, as in the API, and ISO 8601 in CSV; unknown is empty. */
export function exportLine(row: ExportRow, format: ExportFormat): string {
  if (format === 'ndjson') return `${JSON.stringify(row)}\n`;
  return `${cellsOf(row).map(csvCell).join(',')}\r\n`;
}

function cellsOf(row: ExportRow): readonly Cell[] {
  if ('sample' in row) {
    const { hostId, gpu, sample } = row;
    return [hostId, gpu?.key, gpu?.name, ...SAMPLE_COLUMNS.map((name) => field(sample, name))];
  }
  const columns = row.type === 'model-event' ? EVENT_COLUMNS : ACTIVITY_COLUMNS;
  return columns.map((name) => field(row, name));
}

const TIMES = new Set(['at', 'endedAt', 'from', 'to']);

function field(row: object, name: string): Cell {
  const value: unknown = Reflect.get(row, name);
  if (typeof value === 'number') return TIMES.has(name) ? new Date(value).toISOString() : value;
  return typeof value === 'string' || typeof value === 'boolean' ? value : null;
}
