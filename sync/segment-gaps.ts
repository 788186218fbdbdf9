import { gapReason } from '#shared/schemas/activity.ts';
import type { ActivityGap, ActivityRow } from '#shared/schemas/activity.ts';
import { CorruptBytesError } from './bytes.ts';
import type { ByteReader, ByteWriter } from './bytes.ts';
import {
  numberAt,
  readIntColumn,
  readRequiredInts,
  readTextColumn,
  requireTexts,
  textAt,
  writeIntColumn,
  writeTextColumn,
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
  writeTextColumn(
    out,
    gaps.map((gap) => gap.hostId),
  );
  writeTextColumn(
    out,
    gaps.map((gap) => gap.reason),
  );
  writeIntColumn(
    out,
    gaps.map((gap) => gap.idEpoch),
    'values',
  );
  writeIntColumn(
    out,
    gaps.map((gap) => gap.fromId),
    'values',
  );
  writeIntColumn(
    out,
    gaps.map((gap) => gap.toId),
    'values',
  );
  writeIntColumn(
    out,
    gaps.map((gap) => gap.from),
    'values',
  );
  writeIntColumn(
    out,
    gaps.map((gap) => gap.to),
    'values',
  );
  writeIntColumn(
    out,
    gaps.map((gap) => gap.endedAt),
    'values',
  );
}

/** Reads what {@link writeGaps} wrote. */
export function readGaps(
  input: ByteReader,
  count: number,
  rowCount: number,
): { gaps: ActivityGap[]; gapAt: number[] } {
  const gapAt = [...readRequiredInts(input, count)];
  const host = readTextColumn(input, count);
  const reason = readTextColumn(input, count);
  const idEpoch = readRequiredInts(input, count);
  const fromId = readIntColumn(input, count);
  const toId = readIntColumn(input, count);
  const from = readIntColumn(input, count);
  const to = readRequiredInts(input, count);
  const endedAt = readRequiredInts(input, count);
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
