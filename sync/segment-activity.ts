import type { ActivityGap, ActivityRequest, ActivityRow } from '#shared/schemas/activity.ts';
import { CorruptBytesError } from './bytes.ts';
import type { ByteReader, ByteWriter } from './bytes.ts';
import {
  columnsReader,
  columnsWriter,
  numberAt,
  requireTexts,
  textAt,
  writeIntColumn,
} from './segment-column.ts';
import type { TextColumn } from './segment-column.ts';
import { readGaps, writeGaps } from './segment-gaps.ts';
import { certaintyOf, isMatched } from './source-certainty.ts';
import { fromHundredths, toHundredths } from './speed.ts';

/**
 * Requests of a segment by column, NaN where null, in the order of the feed without the gaps. Speeds are in tokens
 * per second, times in epoch milliseconds.
 */
export interface RequestColumns {
  readonly count: number;
  readonly host: TextColumn;
  readonly model: TextColumn;
  readonly path: TextColumn;
  readonly source: TextColumn;
  readonly error: TextColumn;
  readonly idEpoch: Float64Array;
  readonly id: Float64Array;
  readonly endedAt: Float64Array;
  readonly status: Float64Array;
  readonly inputTokens: Float64Array;
  readonly outputTokens: Float64Array;
  readonly cachedTokens: Float64Array;
  readonly promptPerSecond: Float64Array;
  readonly tokensPerSecond: Float64Array;
  readonly durationMs: Float64Array;
  readonly hasCapture: Float64Array;
  /** 1 where the source was matched, 0 where it is the host's own word or missing. */
  readonly sourceMatched: Float64Array;
}

/** A decoded activity segment: `row(index)` makes one row of the feed, gaps among requests as they were sealed. */
export interface ActivityColumns {
  readonly kind: 'activity';
  readonly rowCount: number;
  readonly requests: RequestColumns;
  readonly gaps: readonly ActivityGap[];
  /** Feed positions of the gaps, ascending. */
  readonly gapAt: readonly number[];
  row(index: number): ActivityRow;
}

/** True when rows need the layout with matched sources; without one they are written as they were before there were any. */
export function hasMatchedSources(rows: readonly ActivityRow[]): boolean {
  return rows.some((row) => row.type === 'request' && isMatched(row));
}

/** Writes the columns of an activity segment. */
export function writeActivity(
  out: ByteWriter,
  rows: readonly ActivityRow[],
  options: { readonly withMatched: boolean },
): void {
  const requests = rows.filter((row) => row.type === 'request');
  const ids = predictIds(requests);
  const columns = columnsWriter(out, requests);
  // The end times come first and are never shortened: their length bounds the row count.
  columns.deltas((row) => row.endedAt);
  columns.texts((row) => row.hostId);
  writeIntColumn(out, ids.epochSteps, 'values');
  writeIntColumn(out, ids.idSteps, 'values');
  columns.texts((row) => row.modelId);
  columns.texts((row) => row.path);
  columns.texts((row) => row.source);
  columns.texts((row) => row.error);
  columns.ints((row) => row.status);
  columns.ints((row) => row.inputTokens);
  columns.ints((row) => row.outputTokens);
  columns.ints((row) => row.cachedTokens);
  columns.ints((row) => toHundredths(row.promptPerSecond));
  columns.ints((row) => toHundredths(row.tokensPerSecond));
  columns.ints((row) => row.durationMs);
  columns.ints((row) => (row.hasCapture ? 1 : 0));
  if (options.withMatched) columns.ints((row) => (isMatched(row) ? 1 : 0));
  writeGaps(out, rows);
}

/** How many rows and requests an activity segment has, and whether its version tells matched sources. */
export interface ActivityLayout {
  readonly rowCount: number;
  readonly requestCount: number;
  readonly withMatched: boolean;
}

/** Reads what {@link writeActivity} wrote, every count checked against the bytes behind it. */
export function readActivity(
  input: ByteReader,
  { rowCount, requestCount, withMatched }: ActivityLayout,
): ActivityColumns {
  const columns = columnsReader(input, requestCount);
  const endedAt = columns.requiredInts();
  const host = columns.texts();
  const epochSteps = columns.requiredInts();
  const idSteps = columns.requiredInts();
  restoreIds(host, epochSteps, idSteps);
  const requests: RequestColumns = {
    count: requestCount,
    endedAt,
    host,
    idEpoch: epochSteps,
    id: idSteps,
    model: columns.texts(),
    path: columns.texts(),
    source: columns.texts(),
    error: columns.texts(),
    status: columns.ints(),
    inputTokens: columns.ints(),
    outputTokens: columns.ints(),
    cachedTokens: columns.ints(),
    promptPerSecond: columns.ints().map(fromHundredths),
    tokensPerSecond: columns.ints().map(fromHundredths),
    durationMs: columns.ints(),
    hasCapture: columns.requiredInts(),
    sourceMatched: withMatched ? columns.requiredInts() : new Float64Array(requestCount),
  };
  requireTexts(requests.host, requests.model);
  const { gaps, gapAt } = readGaps(input, rowCount - requestCount, rowCount);
  return {
    kind: 'activity',
    rowCount,
    requests,
    gaps,
    gapAt,
    row(index) {
      const before = lowerBound(gapAt, index);
      const gap = gapAt[before] === index ? gaps[before] : undefined;
      return gap ?? requestAt(requests, index - before);
    },
  };
}

function requestAt(columns: RequestColumns, index: number): ActivityRequest {
  const source = textAt(columns.source, index);
  return {
    type: 'request',
    hostId: textAt(columns.host, index) ?? '',
    idEpoch: columns.idEpoch[index] ?? 0,
    id: columns.id[index] ?? 0,
    modelId: textAt(columns.model, index) ?? '',
    path: textAt(columns.path, index),
    endedAt: columns.endedAt[index] ?? 0,
    status: numberAt(columns.status, index),
    inputTokens: numberAt(columns.inputTokens, index),
    outputTokens: numberAt(columns.outputTokens, index),
    cachedTokens: numberAt(columns.cachedTokens, index),
    promptPerSecond: numberAt(columns.promptPerSecond, index),
    tokensPerSecond: numberAt(columns.tokensPerSecond, index),
    durationMs: numberAt(columns.durationMs, index),
    hasCapture: columns.hasCapture[index] === 1,
    error: textAt(columns.error, index),
    source,
    sourceCertainty: certaintyOf(source, columns.sourceMatched[index] === 1),
  };
}

/** Ids count up by one on each host, so what is stored is the distance from that guess: nearly always 0. */
function predictIds(requests: readonly ActivityRequest[]): { epochSteps: number[]; idSteps: number[] } {
  const last = new Map<string, { idEpoch: number; id: number }>();
  const epochSteps: number[] = [];
  const idSteps: number[] = [];
  for (const { hostId, idEpoch, id } of requests) {
    const before = last.get(hostId) ?? { idEpoch: 0, id: -1 };
    epochSteps.push(idEpoch - before.idEpoch);
    idSteps.push(id - before.id - 1);
    last.set(hostId, { idEpoch, id });
  }
  return { epochSteps, idSteps };
}

/** Turns steps back into ids and epochs, in place. */
function restoreIds(host: TextColumn, epochs: Float64Array, ids: Float64Array): void {
  const lastEpoch = new Float64Array(host.texts.length + 1);
  const lastId = new Float64Array(host.texts.length + 1).fill(-1);
  for (let row = 0; row < ids.length; row += 1) {
    const reference = host.references[row] ?? 0;
    const idEpoch = (lastEpoch[reference] ?? 0) + (epochs[row] ?? 0);
    const id = (lastId[reference] ?? -1) + 1 + (ids[row] ?? 0);
    if (!Number.isSafeInteger(idEpoch) || !Number.isSafeInteger(id)) {
      throw new CorruptBytesError('an id is out of range');
    }
    lastEpoch[reference] = idEpoch;
    lastId[reference] = id;
    epochs[row] = idEpoch;
    ids[row] = id;
  }
}

/** Index of the first element ≥ `value`. */
function lowerBound(sorted: readonly number[], value: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] ?? 0) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
