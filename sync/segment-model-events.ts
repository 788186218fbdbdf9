import { MAX_FAILURE_LINES } from '#shared/schemas/model.ts';
import type { ModelEvent } from '#shared/schemas/model.ts';
import type { ByteReader, ByteWriter } from './bytes.ts';
import { columnsReader, columnsWriter, requireTexts, textAt } from './segment-column.ts';
import type { TextColumn } from './segment-column.ts';

/** A decoded segment of model events; `row(index)` makes one event. */
export interface ModelEventColumns {
  readonly kind: 'model-events';
  readonly rowCount: number;
  readonly at: Float64Array;
  readonly host: TextColumn;
  readonly model: TextColumn;
  readonly from: TextColumn;
  readonly to: TextColumn;
  readonly reason: TextColumn;
  /** Log lines of failed starts, one under the other; null: no row has any. */
  readonly lines: TextColumn | null;
  row(index: number): ModelEvent;
}

/** Writes the columns of a segment of model events. */
export function writeModelEvents(out: ByteWriter, rows: readonly ModelEvent[]): void {
  const columns = columnsWriter(out, rows);
  columns.deltas((row) => row.at);
  columns.texts((row) => row.hostId);
  columns.texts((row) => row.modelId);
  columns.texts((row) => row.from);
  columns.texts((row) => row.to);
  columns.texts((row) => row.reason);
  // Came later, and few hours have a failed start: where no row has lines the bytes are what they always were.
  if (rows.some(hasLines)) columns.texts((row) => (hasLines(row) ? row.lines.join('\n') : null));
}

/** Reads what {@link writeModelEvents} wrote. */
export function readModelEvents(input: ByteReader, rowCount: number): ModelEventColumns {
  const columns = columnsReader(input, rowCount);
  const at = columns.requiredInts();
  const host = columns.texts();
  const model = columns.texts();
  const from = columns.texts();
  const to = columns.texts();
  const reason = columns.texts();
  const lines = input.remaining > 0 ? columns.texts() : null;
  requireTexts(host, model, to);
  return {
    kind: 'model-events',
    rowCount,
    at,
    host,
    model,
    from,
    to,
    reason,
    lines,
    row(index) {
      const text = lines === null ? null : textAt(lines, index);
      return {
        type: 'model-event',
        hostId: textAt(host, index) ?? '',
        modelId: textAt(model, index) ?? '',
        at: at[index] ?? 0,
        from: textAt(from, index),
        to: textAt(to, index) ?? '',
        reason: textAt(reason, index),
        ...(text !== null && { lines: text.split('\n').slice(0, MAX_FAILURE_LINES) }),
      };
    },
  };
}

function hasLines(row: ModelEvent): row is ModelEvent & { readonly lines: readonly string[] } {
  return row.lines !== undefined && row.lines.length > 0;
}
