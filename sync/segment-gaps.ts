import { gapReason } from '#shared/schemas/activity.ts';
import type { ActivityGap, ActivityRow } from '#shared/schemas/activity.ts';
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

/** Writes the gaps among `rows`, with their places in the feed. */
export function writeGaps(out: ByteWriter, rows: readonly ActivityRow[]): void {
  const at: number[] = [];
  const gaps: ActivityGap[] = [];
  rows.forEach((row, index) => {
    if (row.type !== 'gap') return;
    at.push(index);
    gaps.push(row);
  });
  writeIntColumn(out, at, 'deltas');
  const columns = columnsWriter(out, gaps);
  columns.texts((gap) => gap.hostId);
  columns.texts((gap) => gap.reason);
  columns.ints((gap) => gap.idEpoch);
  columns.ints((gap) => gap.fromId);
  columns.ints((gap) => gap.toId);
  columns.ints((gap) => gap.from);
  columns.ints((gap) => gap.to);
  columns.ints((gap) => gap.endedAt);
}

/** Reads what {@link writeGaps} wrote. */
export function readGaps(
  input: ByteReader,
  count: number,
  rowCount: number,
): { gaps: ActivityGap[]; gapAt: number[] } {
  const columns = columnsReader(input, count);
  const gapAt = [...columns.requiredInts()];
  const host = columns.texts();
  const reason = columns.texts();
  const idEpoch = columns.requiredInts();
  const fromId = columns.ints();
  const toId = columns.ints();
  const from = columns.ints();
  const to = columns.requiredInts();
  const endedAt = columns.requiredInts();
  requireTexts(host);
  const ascending = gapAt.every((at, index) => at > (gapAt[index - 1] ?? -1) && at < rowCount);
  if (!ascending) throw new CorruptBytesError('gaps out of order');
  const gaps = gapAt.map((_, index): ActivityGap => {
    const word = gapReason.safeParse(textAt(reason, index));
    if (!word.success) throw new CorruptBytesError('a gap without a known reason');
    return {
      type: 'gap',
      hostId: textAt(host, index) ?? '',
      idEpoch: idEpoch[index] ?? 0,
      fromId: numberAt(fromId, index),
      toId: numberAt(toId, index),
      from: numberAt(from, index),
      to: to[index] ?? 0,
      reason: word.data,
      endedAt: endedAt[index] ?? 0,
    };
  });
  return { gaps, gapAt };
}
