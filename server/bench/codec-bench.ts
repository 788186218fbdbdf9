import { gzipSync } from 'node:zlib';
import * as Y from 'yjs';
import type { ActivityRequest } from '#shared/schemas/activity.ts';
import { encodeSegment } from '#sync/segment-codec.ts';
import { appendTail } from '#sync/tail-codec.ts';
import { type BenchPart, atMost } from './budget.ts';
import { syntheticTraffic } from './synthetic-traffic.ts';

const DAY_MS = 86_400_000;
const FROM = Date.UTC(2026, 10, 29);

/** Bytes a row costs: in the tail at the design rate, in a busy flush, in a sealed segment. */
export const codecBench: BenchPart = {
  name: 'rows as bytes',
  async run() {
    const hour = [...syntheticTraffic({ hosts: 50, rows: 3_900, from: FROM, to: FROM + DAY_MS / 24 })];
    const day = [...syntheticTraffic({ hosts: 50, rows: 100_000, from: FROM, to: FROM + DAY_MS })];
    const tenThousand = encodeSegment('activity', day.slice(0, 10_000));
    const wholeDay = encodeSegment('activity', day);
    return [
      atMost('tail on the wire, 1 row a flush', 50, 'B/row', wireBytesPerRow(hour, 1), 'an hour, 50 hosts'),
      atMost('tail on the wire, 250 rows a flush', 28, 'B/row', wireBytesPerRow(hour, 250)),
      atMost('sealed segment of 10,000 rows', 15, 'B/row gz', gzipSync(tenThousand).length / 10_000),
      atMost(
        'sealed segment of a fleet-day',
        15,
        'B/row gz',
        gzipSync(wholeDay).length / day.length,
        '100,000 rows',
      ),
    ];
  },
};

/** Bytes of the updates that a connected client receives, over the rows they carry. */
function wireBytesPerRow(rows: readonly ActivityRequest[], flushRows: number): number {
  const doc = new Y.Doc();
  let bytes = 0;
  doc.on('update', (update: Uint8Array) => {
    bytes += update.byteLength;
  });
  for (let at = 0; at < rows.length; at += flushRows) appendTail(doc, rows.slice(at, at + flushRows));
  return bytes / rows.length;
}
