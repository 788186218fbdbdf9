import { unzipSync, strFromU8 } from 'fflate';
import { expect, test } from 'vitest';
import type { ModelEvent } from '#shared/schemas/model.ts';
import { request } from '../testing/activity.ts';
import { rollupRows } from '../testing/rollups.ts';
import { exportHistory } from './export-history.ts';
import type { ExportWish } from './export-history.ts';
import type { ExportRow } from './export-lines.ts';

const HOUR = 3_600_000;
const AT = Date.UTC(2026, 10, 30, 12);

const event: ModelEvent = {
  type: 'model-event',
  hostId: 'marlin',
  modelId: 'coder',
  at: AT,
  from: 'starting',
  to: 'ready',
  reason: null,
};

interface Part {
  readonly kind: string;
  readonly from: number;
  readonly to: number;
  readonly rows: readonly ExportRow[];
}

function wish(parts: readonly Part[], changes: Partial<ExportWish> = {}): ExportWish {
  return {
    format: 'ndjson',
    library: {
      held: () =>
        parts.map(({ kind, from, to, rows }, index) => ({
          hash: String(index),
          kind,
          from,
          to,
          rows: rows.length,
          bytes: 100,
          pinnedAt: null,
        })),
      exportRows: (hash) => Promise.resolve(parts[Number(hash)]?.rows ?? []),
    },
    unsealed: { activity: [], 'model-events': [] },
    onProgress: () => undefined,
    isCancelled: () => false,
    ...changes,
  };
}

async function filesOf(asked: ExportWish): Promise<Readonly<Record<string, string>>> {
  const blob = await exportHistory(asked);
  if (blob === null) throw new Error('cancelled');
  const files = unzipSync(new Uint8Array(await blob.arrayBuffer()));
  return Object.fromEntries(Object.entries(files).map(([name, bytes]) => [name, strFromU8(bytes)]));
}

const lines = (text = ''): unknown[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line): unknown => JSON.parse(line));

test('a file for each kind, oldest first, as the API has the rows', async () => {
  const samples = rollupRows({ hostId: 'marlin', count: 2, startAt: AT });
  const rows = [
    request({ id: 1, endedAt: AT }),
    request({ id: 2, endedAt: AT + HOUR, error: 'line\nbreak' }),
  ];
  const files = await filesOf(
    wish([
      { kind: 'activity', from: AT + HOUR, to: AT + HOUR, rows: rows.slice(1) },
      { kind: 'activity', from: AT, to: AT, rows: rows.slice(0, 1) },
      { kind: 'perf-5m', from: AT, to: AT + HOUR, rows: samples },
      { kind: 'model-events', from: AT, to: AT, rows: [event] },
    ]),
  );
  expect(Object.keys(files)).toEqual([
    'drover-activity.ndjson',
    'drover-performance-5min.ndjson',
    'drover-model-events.ndjson',
  ]);
  expect(lines(files['drover-activity.ndjson'])).toEqual(rows);
  expect(lines(files['drover-performance-5min.ndjson'])).toEqual(samples);
  expect(lines(files['drover-model-events.ndjson'])).toEqual([event]);
});

test('a row that stands in an hour, in the day it was merged into, and in the tail is exported once', async () => {
  const rows = [1, 2, 3].map((id) => request({ id, endedAt: AT + id * HOUR }));
  const fresh = request({ id: 4, endedAt: AT + 4 * HOUR });
  const files = await filesOf(
    wish(
      [
        { kind: 'activity', from: AT + HOUR, to: AT + 3 * HOUR, rows },
        { kind: 'activity', from: AT + 2 * HOUR, to: AT + 2 * HOUR, rows: rows.slice(1, 2) },
      ],
      { unsealed: { activity: [...rows.slice(2), fresh], 'model-events': [event] } },
    ),
  );
  expect(lines(files['drover-activity.ndjson'])).toEqual([...rows, fresh]);
  expect(lines(files['drover-model-events.ndjson'])).toEqual([event]);
});

test('as tables: columns by name, ISO times, unknown is empty, formulas are defused', async () => {
  const rows = [request({ id: 7, endedAt: AT, status: null, error: '=cmd|"x"' })];
  const samples = rollupRows({ hostId: 'marlin', count: 1, startAt: AT });
  const files = await filesOf(
    wish(
      [
        { kind: 'activity', from: AT, to: AT, rows },
        { kind: 'perf-5m', from: AT, to: AT, rows: samples },
      ],
      { format: 'csv' },
    ),
  );
  const [head = '', line = ''] = (files['drover-activity.csv'] ?? '').split('\r\n');
  const cells = Object.fromEntries(head.split(',').map((name, index) => [name, line.split(',')[index]]));
  expect(cells).toMatchObject({
    endedAt: '2026-11-30T12:00:00.000Z',
    id: '7',
    status: '',
    tokensPerSecond: '50',
  });
  expect(line).toContain(`"'=cmd|""x"""`);
  const table = (files['drover-performance-5min.csv'] ?? '').trimEnd().split('\r\n');
  expect(table).toHaveLength(1 + samples.length);
  expect(table[0]).toContain('hostId,gpuKey,gpuName,at,cpuPct');
  for (const row of table.slice(1)) expect(row.split(',').length).toBeGreaterThan(20);
  expect(files['drover-model-events.csv']).toBe('at,hostId,modelId,from,to,reason\r\n');
});

test('progress is told by segment, and a cancelled export makes no file', async () => {
  const parts = [1, 2, 3].map((id) => ({
    kind: 'activity',
    from: AT + id,
    to: AT + id,
    rows: [request({ id })],
  }));
  const told: string[] = [];
  const asked = wish(parts, {
    onProgress: (done, total) => told.push(`${done}/${total}`),
    isCancelled: () => told.length === 2,
  });
  expect(await exportHistory(asked)).toBeNull();
  expect(told).toEqual(['100/300', '200/300']);
});
