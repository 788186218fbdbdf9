import { createHash } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import { decodeSegment } from '#sync/segment-codec.ts';
import { SEGMENT_MAX_BYTES, SEGMENT_MAX_RAW_BYTES } from '../../domain/segment-policy.ts';
import { gapRow, requestRow, requestRows } from '../../testing/activity-rows.ts';
import { modelEventRow } from '../../testing/model-rows.ts';
import { temporaryStore } from '../../testing/temporary-store.ts';
import { Connection } from './connection.ts';
import { buildSegments } from './segment-build.ts';
import { SqliteSegmentBuilder } from './segment-builder.ts';

test('a thread builds what decodes to the committed rows, named by the hash of its bytes', async () => {
  const store = temporaryStore();
  const builder = new SqliteSegmentBuilder(store.connection.path);
  onTestFinished(() => builder.stop());
  const rows = [
    requestRow({ id: 1, error: 'e'.repeat(300) }),
    gapRow(),
    requestRow({ id: 2, hostId: 'den' }),
  ];
  const failed = modelEventRow({
    to: 'stopped',
    reason: 'out of memory',
    lines: ['CUDA error:', 'out of memory'],
  });
  store.transact(() => {
    store.activity.insert(rows, 1);
    store.modelEvents.insert([modelEventRow(), failed], 1);
  });
  const [activity] = await builder.build({ kind: 'activity', ranges: [{ fromSeq: 1, toSeq: 3, hour: 1 }] });
  const [events] = await builder.build({ kind: 'model-events', ranges: [{ fromSeq: 1, toSeq: 2, hour: 1 }] });
  if (!activity || !events) throw new Error('nothing built');
  expect(decodeSegment(activity.bytes).rows).toEqual(rows);
  expect(activity).toMatchObject({
    rows: 3,
    hash: createHash('sha256').update(activity.bytes).digest('hex'),
  });
  expect(decodeSegment(events.bytes).rows).toEqual([modelEventRow(), failed]);
  expect(
    await builder.build({ kind: 'activity', ranges: [{ fromSeq: 9, toSeq: 9, hour: 1 }] }),
  ).toMatchObject([{ rows: 0 }]);
});

test('texts that pack to almost nothing make no segment that is too large unpacked', () => {
  const store = temporaryStore();
  store.transact(() => {
    store.activity.insert(
      requestRows(9_000).map((row) => ({
        ...row,
        modelId: `${row.id} ${'x'.repeat(1_000)}`,
        path: `/${row.id}${'y'.repeat(2_000)}`,
      })),
      1,
    );
  });
  const reader = new Connection(store.connection.path, { readonly: true });
  const built = buildSegments(reader, { kind: 'activity', ranges: [{ fromSeq: 1, toSeq: 9_000, hour: 1 }] });
  reader.close();
  expect(built.length).toBeGreaterThan(1);
  for (const { bytes } of built) {
    // The last four bytes of gzip are the size unpacked.
    expect(Buffer.from(bytes).readUInt32LE(bytes.byteLength - 4)).toBeLessThanOrEqual(SEGMENT_MAX_RAW_BYTES);
  }
  expect(built.reduce((sum, { rows }) => sum + rows, 0)).toBe(9_000);
});

test('rows with long texts become several segments, each within the bytes of one', () => {
  const store = temporaryStore();
  const noise = (id: number): string =>
    Array.from({ length: 80 }, (_, part) =>
      createHash('sha512').update(`${id} ${part}`).digest('base64'),
    ).join('');
  store.transact(() => {
    store.activity.insert(
      requestRows(600).map((row) => ({ ...row, error: noise(row.id) })),
      1,
    );
  });
  const reader = new Connection(store.connection.path, { readonly: true });
  const built = buildSegments(reader, {
    kind: 'activity',
    ranges: [
      { fromSeq: 1, toSeq: 100, hour: 1 },
      { fromSeq: 101, toSeq: 600, hour: 1 },
    ],
  });
  reader.close();
  expect(built.length).toBeGreaterThan(1);
  for (const { bytes } of built) expect(bytes.byteLength).toBeLessThanOrEqual(SEGMENT_MAX_BYTES);
  expect(built.reduce((sum, { rows }) => sum + rows, 0)).toBe(600);
  const decoded = built.map(({ bytes }) => decodeSegment(bytes).rows.length);
  expect(decoded).toEqual(built.map(({ rows }) => rows));
});
