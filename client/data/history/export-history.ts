import { Zip, ZipDeflate } from 'fflate';
import type { ActivityRow } from '#shared/schemas/activity.ts';
import type { ModelEvent } from '#shared/schemas/model.ts';
import type { PerformanceRow } from '#shared/schemas/performance.ts';
import type { StoredKind } from '../types.ts';
import { exportLine, exportHead } from './export-lines.ts';
import type { ExportFormat, ExportRow } from './export-lines.ts';
import type { HistoryLibrary } from './history-library.ts';
import { eventKey, rowKey } from './row-key.ts';
import type { HeldSegment } from './storage-plan.ts';
import { STORED_KINDS } from './stored-days.ts';

/** What is exported, and how. */
export interface ExportWish {
  readonly format: ExportFormat;
  readonly library: Pick<HistoryLibrary, 'held' | 'exportRows'>;
  /** Rows that no segment has yet. */
  readonly unsealed: {
    readonly activity: readonly ActivityRow[];
    readonly 'model-events': readonly ModelEvent[];
  };
  readonly onProgress: (doneBytes: number, totalBytes: number) => void;
  /** Looked at between segments; true ends it. */
  readonly isCancelled: () => boolean;
}

/** Compresses well enough and costs a third of the default. */
const LEVEL = 3;
const FILE_NAMES: Readonly<Record<StoredKind, string>> = {
  activity: 'activity',
  'perf-5m': 'performance-5min',
  'model-events': 'model-events',
};

/**
 * Everything this device holds as a zip with one file for each kind, oldest segment first, each row once. Written as it
 * is read: only one segment and the zip's own bytes are in memory. Null: it was cancelled.
 */
export async function exportHistory(wish: ExportWish): Promise<Blob | null> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let failure: Error | null = null;
  const zip = new Zip((error, chunk) => {
    failure ??= error;
    // A chunk may be a window on a buffer that is written again.
    parts.push(Uint8Array.from(chunk));
  });
  const held = wish.library.held();
  const totalBytes = held.reduce((sum, { bytes }) => sum + bytes, 0);
  let doneBytes = 0;
  const encoder = new TextEncoder();
  for (const kind of STORED_KINDS) {
    const file = new ZipDeflate(`drover-${FILE_NAMES[kind]}.${wish.format}`, { level: LEVEL });
    zip.add(file);
    file.push(encoder.encode(exportHead(kind, wish.format)));
    const once = new OnceByTime();
    for (const segment of [...held].filter((one) => one.kind === kind).sort((a, b) => a.from - b.from)) {
      if (wish.isCancelled()) return cancelled(zip);
      const rows = await wish.library.exportRows(segment.hash);
      file.push(encoder.encode(linesOf(rows, { format: wish.format, once, segment })));
      doneBytes += segment.bytes;
      wish.onProgress(doneBytes, totalBytes);
      if (failure !== null) throw failure;
    }
    const rest = kind === 'perf-5m' ? [] : wish.unsealed[kind];
    const span = { from: Number.POSITIVE_INFINITY, to: Number.POSITIVE_INFINITY };
    file.push(encoder.encode(linesOf(rest, { format: wish.format, once, segment: span })), true);
  }
  zip.end();
  if (failure !== null) throw failure;
  return new Blob(parts, { type: 'application/zip' });
}

function cancelled(zip: Zip): null {
  zip.terminate();
  return null;
}

function linesOf(
  rows: readonly ExportRow[],
  {
    format,
    once,
    segment,
  }: {
    readonly format: ExportFormat;
    readonly once: OnceByTime;
    readonly segment: Pick<HeldSegment, 'from' | 'to'>;
  },
): string {
  const isNew = once.begin(segment);
  const lines: string[] = [];
  for (const row of rows) if (isNew(keyOf(row))) lines.push(exportLine(row, format));
  return lines.join('');
}

function keyOf(row: ExportRow): string {
  if ('sample' in row) return performanceKey(row);
  return row.type === 'model-event' ? eventKey(row) : rowKey(row);
}

function performanceKey({ hostId, gpu, sample }: PerformanceRow): string {
  return `${hostId}/${gpu?.key ?? ''}/${sample.at}`;
}

/** Rows stand twice only where segments overlap in time: keys of segments that ended before are forgotten. */
class OnceByTime {
  #open: { readonly to: number; readonly keys: Set<string> }[] = [];

  /** Begins a segment, in order of `from`; the returned function says whether a row was not seen yet. */
  begin({ from, to }: Pick<HeldSegment, 'from' | 'to'>): (key: string) => boolean {
    // The rows without a segment may be in any of them.
    if (Number.isFinite(from)) this.#open = this.#open.filter((earlier) => earlier.to >= from);
    const earlier = [...this.#open];
    const keys = new Set<string>();
    this.#open.push({ to, keys });
    return (key) => {
      if (keys.has(key) || earlier.some((other) => other.keys.has(key))) return false;
      keys.add(key);
      return true;
    };
  }
}
