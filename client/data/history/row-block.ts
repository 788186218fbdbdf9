import type { ActivityGap, ActivityRequest, ActivityRow } from '#shared/schemas/activity.ts';
import { certaintyOf, isMatched } from '#sync/source-certainty.ts';

/** Strings of a column: `references` count from 1, 0 is null. */
export interface TextColumn {
  readonly texts: readonly string[];
  readonly references: Uint32Array;
}

/** Requests by column; NaN is null. The shape of a decoded segment's columns. */
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
  readonly sourceMatched: Float64Array;
}

/**
 * Rows as columns: cheap to filter in the worker and to hand to the page, which makes an object of a row only when it
 * is shown. Row numbers: requests first, gaps after them.
 */
export interface RowBlock {
  readonly requests: RequestColumns;
  readonly gaps: readonly ActivityGap[];
}

/** How many rows a block has. */
export function blockSize(block: RowBlock): number {
  return block.requests.count + block.gaps.length;
}

/** End time of a row, by which the feed is ordered. */
export function endedAtOf(block: RowBlock, row: number): number {
  const { requests, gaps } = block;
  return row < requests.count ? (requests.endedAt[row] ?? 0) : (gaps[row - requests.count]?.endedAt ?? 0);
}

/** Makes the object of one row. */
export function rowOf(block: RowBlock, row: number): ActivityRow | undefined {
  const { requests, gaps } = block;
  if (row >= requests.count) return gaps[row - requests.count];
  const source = textAt(requests.source, row);
  return {
    type: 'request',
    hostId: textAt(requests.host, row) ?? '',
    idEpoch: requests.idEpoch[row] ?? 0,
    id: requests.id[row] ?? 0,
    modelId: textAt(requests.model, row) ?? '',
    path: textAt(requests.path, row),
    endedAt: requests.endedAt[row] ?? 0,
    status: numberAt(requests.status, row),
    inputTokens: numberAt(requests.inputTokens, row),
    outputTokens: numberAt(requests.outputTokens, row),
    cachedTokens: numberAt(requests.cachedTokens, row),
    promptPerSecond: numberAt(requests.promptPerSecond, row),
    tokensPerSecond: numberAt(requests.tokensPerSecond, row),
    durationMs: numberAt(requests.durationMs, row),
    hasCapture: requests.hasCapture[row] === 1,
    error: textAt(requests.error, row),
    source,
    sourceCertainty: certaintyOf(source, requests.sourceMatched[row] === 1),
  };
}

/** Puts rows into columns. */
export function blockOf(rows: Iterable<ActivityRow>): RowBlock {
  const requests: ActivityRequest[] = [];
  const gaps: ActivityGap[] = [];
  for (const row of rows) {
    if (row.type === 'request') requests.push(row);
    else gaps.push(row);
  }
  const numbers = (of: (row: ActivityRequest) => number | null): Float64Array =>
    Float64Array.from(requests, (row) => of(row) ?? Number.NaN);
  const texts = (of: (row: ActivityRequest) => string | null): TextColumn => textColumn(requests.map(of));
  return {
    gaps,
    requests: {
      count: requests.length,
      host: texts((row) => row.hostId),
      model: texts((row) => row.modelId),
      path: texts((row) => row.path),
      source: texts((row) => row.source),
      error: texts((row) => row.error),
      idEpoch: numbers((row) => row.idEpoch),
      id: numbers((row) => row.id),
      endedAt: numbers((row) => row.endedAt),
      status: numbers((row) => row.status),
      inputTokens: numbers((row) => row.inputTokens),
      outputTokens: numbers((row) => row.outputTokens),
      cachedTokens: numbers((row) => row.cachedTokens),
      promptPerSecond: numbers((row) => row.promptPerSecond),
      tokensPerSecond: numbers((row) => row.tokensPerSecond),
      durationMs: numbers((row) => row.durationMs),
      hasCapture: numbers((row) => (row.hasCapture ? 1 : 0)),
      sourceMatched: numbers((row) => (isMatched(row) ? 1 : 0)),
    },
  };
}

/** A copy whose arrays may be transferred, so that the page takes them over without copying. */
export function transferableBlock(block: RowBlock): {
  readonly block: RowBlock;
  readonly transfer: Transferable[];
} {
  const transfer: Transferable[] = [];
  const numbers = (column: Float64Array): Float64Array => {
    const copy = column.slice();
    transfer.push(copy.buffer);
    return copy;
  };
  const texts = (column: TextColumn): TextColumn => {
    const references = column.references.slice();
    transfer.push(references.buffer);
    return { texts: column.texts, references };
  };
  const { requests } = block;
  return {
    transfer,
    block: {
      gaps: block.gaps,
      requests: {
        count: requests.count,
        host: texts(requests.host),
        model: texts(requests.model),
        path: texts(requests.path),
        source: texts(requests.source),
        error: texts(requests.error),
        idEpoch: numbers(requests.idEpoch),
        id: numbers(requests.id),
        endedAt: numbers(requests.endedAt),
        status: numbers(requests.status),
        inputTokens: numbers(requests.inputTokens),
        outputTokens: numbers(requests.outputTokens),
        cachedTokens: numbers(requests.cachedTokens),
        promptPerSecond: numbers(requests.promptPerSecond),
        tokensPerSecond: numbers(requests.tokensPerSecond),
        durationMs: numbers(requests.durationMs),
        hasCapture: numbers(requests.hasCapture),
        sourceMatched: numbers(requests.sourceMatched),
      },
    },
  };
}

/** Text of a row in a column; null where it has none. */
export function textAt(column: TextColumn, row: number): string | null {
  return column.texts[(column.references[row] ?? 0) - 1] ?? null;
}

function numberAt(column: Float64Array, row: number): number | null {
  const value = column[row];
  return value === undefined || Number.isNaN(value) ? null : value;
}

function textColumn(values: readonly (string | null)[]): TextColumn {
  const references = new Map<string, number>();
  const column = Uint32Array.from(values, (value) => {
    if (value === null) return 0;
    const known = references.get(value) ?? references.size + 1;
    references.set(value, known);
    return known;
  });
  return { texts: [...references.keys()], references: column };
}
