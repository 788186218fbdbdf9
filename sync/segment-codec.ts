import { gunzipSync } from 'fflate';
import type { ActivityRow } from '#shared/schemas/activity.ts';
import type { ModelEvent } from '#shared/schemas/model.ts';
import type { PerformanceRow } from '#shared/schemas/performance.ts';
import { assertNever } from '#shared/lib/assert.ts';
import { ByteReader, ByteWriter, CorruptBytesError } from './bytes.ts';
import { hasMatchedSources, readActivity, writeActivity } from './segment-activity.ts';
import type { ActivityColumns, ActivityLayout } from './segment-activity.ts';
import { readModelEvents, writeModelEvents } from './segment-model-events.ts';
import type { ModelEventColumns } from './segment-model-events.ts';
import { readPerformance, writePerformance } from './segment-performance.ts';
import type { PerformanceColumns, PerformanceKind } from './segment-performance.ts';

export type { ActivityColumns, ModelEventColumns, PerformanceColumns };

/** Version of the layout that {@link encodeSegment} writes, unless rows need a later one. */
export const SEGMENT_VERSION = 1;
/** Version of activity with matched sources. Rows without one keep version 1, and with it their bytes and hash. */
const MATCHED_VERSION = 2;
/** Most rows of one segment; the sealer begins a new part far below it. */
export const SEGMENT_MAX_ROWS = 1_000_000;
/** Most bytes of one segment, unpacked. */
export const SEGMENT_MAX_BYTES = 64 * 1024 * 1024;

const MAGIC = [0x44, 0x53] as const;
/** By their number in the bytes: only ever appended to. */
const KINDS = ['activity', 'model-events', 'perf-5m', 'perf-raw'] as const;
/** Deflate cannot shrink more than this; a trailer that claims more lies. */
const MAX_GZIP_RATIO = 1032;
/** Bytes of a gzip header and trailer at least. */
const MIN_GZIP_BYTES = 18;

/** Why a segment could not be read: `version` needs a newer app, `corrupt` needs the bytes fetched again. */
export class SegmentError extends Error {
  override readonly name = 'SegmentError';
  readonly code: 'version' | 'kind' | 'corrupt';

  constructor(code: 'version' | 'kind' | 'corrupt', message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** A decoded segment with its rows. */
export type Segment =
  | { readonly version: number; readonly kind: 'activity'; readonly rows: readonly ActivityRow[] }
  | { readonly version: number; readonly kind: 'model-events'; readonly rows: readonly ModelEvent[] }
  | { readonly version: number; readonly kind: PerformanceKind; readonly rows: readonly PerformanceRow[] };

/** A decoded segment as columns; rows are made one by one. */
export type SegmentColumns = { readonly version: number } & (
  | ActivityColumns
  | ModelEventColumns
  | PerformanceColumns
);

/** Encodes rows in their order, uncompressed; the sealer gzips the result and names it by its hash. */
export function encodeSegment(kind: 'activity', rows: readonly ActivityRow[]): Uint8Array;
export function encodeSegment(kind: 'model-events', rows: readonly ModelEvent[]): Uint8Array;
export function encodeSegment(kind: PerformanceKind, rows: readonly PerformanceRow[]): Uint8Array;
export function encodeSegment(
  ...[kind, rows]:
    | ['activity', readonly ActivityRow[]]
    | ['model-events', readonly ModelEvent[]]
    | [PerformanceKind, readonly PerformanceRow[]]
): Uint8Array {
  if (rows.length > SEGMENT_MAX_ROWS)
    throw new RangeError(`a segment holds at most ${SEGMENT_MAX_ROWS} rows`);
  const out = new ByteWriter();
  out.raw(Uint8Array.from(MAGIC));
  const withMatched = kind === 'activity' && hasMatchedSources(rows);
  out.uint(withMatched ? MATCHED_VERSION : SEGMENT_VERSION);
  out.uint(KINDS.indexOf(kind));
  out.uint(rows.length);
  switch (kind) {
    case 'activity':
      out.uint(rows.filter((row) => row.type === 'request').length);
      writeActivity(out, rows, { withMatched });
      break;
    case 'model-events':
      writeModelEvents(out, rows);
      break;
    default:
      writePerformance(out, kind, rows);
  }
  return out.toBytes();
}

/** Decodes a segment, gzip'd as stored or raw, to its rows. Throws {@link SegmentError}, never hangs on hostile bytes. */
export function decodeSegment(bytes: Uint8Array): Segment {
  const columns = decodeSegmentColumns(bytes);
  const { version } = columns;
  switch (columns.kind) {
    case 'activity':
      return { version, kind: 'activity', rows: allRows(columns) };
    case 'model-events':
      return { version, kind: 'model-events', rows: allRows(columns) };
    case 'perf-5m':
    case 'perf-raw':
      return { version, kind: columns.kind, rows: allRows(columns) };
    default:
      return assertNever(columns);
  }
}

/** As {@link decodeSegment}, but to typed arrays: what a worker filters and charts without making 100,000 objects. */
export function decodeSegmentColumns(bytes: Uint8Array): SegmentColumns {
  try {
    return readSegment(new ByteReader(unpack(bytes)));
  } catch (error) {
    if (error instanceof CorruptBytesError) throw corrupt(error.message, error);
    throw error;
  }
}

function readSegment(input: ByteReader): SegmentColumns {
  if (input.uint() !== MAGIC[0] || input.uint() !== MAGIC[1]) throw corrupt('not a segment');
  const version = input.uint();
  if (version !== SEGMENT_VERSION && version !== MATCHED_VERSION) throw unknownVersion(version);
  const kind = KINDS[input.uint()];
  if (kind === undefined) throw new SegmentError('kind', 'a segment of a kind this version does not know');
  const withMatched = version === MATCHED_VERSION;
  if (withMatched && kind !== 'activity') throw unknownVersion(version);
  const rowCount = input.uint();
  const requestCount = kind === 'activity' ? input.uint() : rowCount;
  // Each row has at least one byte in its end time or position: a count past that is a lie, found before any allocation.
  if (rowCount > SEGMENT_MAX_ROWS || rowCount > input.remaining || requestCount > rowCount) {
    throw corrupt('more rows than bytes');
  }
  const columns = readColumns(input, kind, { rowCount, requestCount, withMatched });
  input.end();
  return { version, ...columns };
}

function readColumns(
  input: ByteReader,
  kind: (typeof KINDS)[number],
  layout: ActivityLayout,
): ActivityColumns | ModelEventColumns | PerformanceColumns {
  switch (kind) {
    case 'activity':
      return readActivity(input, layout);
    case 'model-events':
      return readModelEvents(input, layout.rowCount);
    case 'perf-5m':
    case 'perf-raw':
      return readPerformance(input, kind, layout.rowCount);
  }
}

/** Unpacks gzip (by its magic); anything else is taken as raw. The claimed size is checked before it is allocated. */
function unpack(bytes: Uint8Array): Uint8Array {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) {
    if (bytes.byteLength > SEGMENT_MAX_BYTES) throw corrupt('a segment over its size limit');
    return bytes;
  }
  if (bytes.byteLength < MIN_GZIP_BYTES) throw corrupt('truncated gzip');
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const claimed = view.getUint32(bytes.byteLength - 4, true);
  if (claimed > SEGMENT_MAX_BYTES || claimed > bytes.byteLength * MAX_GZIP_RATIO) {
    throw corrupt('a segment over its size limit');
  }
  try {
    return gunzipSync(bytes, { out: new Uint8Array(claimed) });
  } catch (error) {
    throw corrupt('gzip cannot be unpacked', error);
  }
}

function allRows<Row>(columns: { readonly rowCount: number; row(index: number): Row }): Row[] {
  return Array.from({ length: columns.rowCount }, (_, index) => columns.row(index));
}

function unknownVersion(version: number): SegmentError {
  return new SegmentError('version', `segment version ${version} is not known to this version of Drover`);
}

function corrupt(detail: string, cause?: unknown): SegmentError {
  return new SegmentError('corrupt', `a segment is damaged: ${detail}`, { cause });
}
