import type { ModelEvent } from '#shared/schemas/model.ts';
import type { ByteReader, ByteWriter } from './bytes.ts';
import {
  readRequiredInts,
  readTextColumn,
  requireTexts,
  textAt,
  writeIntColumn,
  writeTextColumn,
} from './segment-column.ts';
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
  row(index: number): ModelEvent;
}

/** Writes the columns of a segment of model events. */
export function writeModelEvents(out: ByteWriter, rows: readonly ModelEvent[]): void {
  writeIntColumn(
    out,
    rows.map((row) => row.at),
    'deltas',
  );
  writeTextColumn(
    out,
    rows.map((row) => row.hostId),
  );
  writeTextColumn(
    out,
    rows.map((row) => row.modelId),
  );
  writeTextColumn(
    out,
    rows.map((row) => row.from),
  );
  writeTextColumn(
    out,
    rows.map((row) => row.to),
  );
  writeTextColumn(
    out,
    rows.map((row) => row.reason),
  );
}

/** Reads what {@link writeModelEvents} wrote. */
export function readModelEvents(input: ByteReader, rowCount: number): ModelEventColumns {
  const at = readRequiredInts(input, rowCount);
  const host = readTextColumn(input, rowCount);
  const model = readTextColumn(input, rowCount);
  const from = readTextColumn(input, rowCount);
  const to = readTextColumn(input, rowCount);
  const reason = readTextColumn(input, rowCount);
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
    row(index) {
      return {
        type: 'model-event',
        hostId: textAt(host, index) ?? '',
        modelId: textAt(model, index) ?? '',
        at: at[index] ?? 0,
        from: textAt(from, index),
        to: textAt(to, index) ?? '',
        reason: textAt(reason, index),
      };
    },
  };
}
