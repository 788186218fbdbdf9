import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { must } from '#shared/lib/assert.ts';
import { readFleet } from '#sync/fleet-doc.ts';
import { parseFleet } from '#sync/fleet-record.ts';
import { decodeSegment } from '#sync/segment-codec.ts';
import { standIns } from '#sync/segment-cover.ts';
import { appendTail, decodeTail } from '#sync/tail-codec.ts';
import { buildSegments } from '../adapters/sqlite/segment-build.ts';
import { Connection } from '../adapters/sqlite/connection.ts';
import { hourOf } from '../domain/segment-policy.ts';
import { gapRow, requestRow, requestRows } from '../testing/activity-rows.ts';
import { expectConsistent, storedIdentities } from '../testing/check-history.ts';
import { FaultyConnection, InjectedCrash } from '../testing/faulty-connection.ts';
import { historyRig } from '../testing/history-rig.ts';
import { hostConfig } from '../testing/host-config.ts';
import type { HistoryRig, HistoryRigOptions } from '../testing/history-rig.ts';
import { ManualClock } from '../testing/manual-clock.ts';
import { modelEventRow } from '../testing/model-rows.ts';
import { temporaryDirectory } from '../testing/temporary-store.ts';

const HOUR_MS = 3_600_000;

function rigWithHosts(options: HistoryRigOptions = {}): HistoryRig {
  const rig = historyRig(options);
  for (const id of ['box', 'den']) {
    if (!rig.registry.host(id)) rig.registry.insertHost(hostConfig(id), rig.clock.now());
  }
  return rig;
}

function manifest({ docHost }: HistoryRig) {
  const document = docHost.open(docHost.names().fleet);
  if (!document) throw new Error('no fleet document');
  return [...parseFleet(readFleet(document.doc)).segments.values()];
}

function tailRows({ docHost }: HistoryRig): number {
  const tail = docHost.tail();
  if (!tail) throw new Error('no tail');
  return decodeTail(tail).length;
}

/** Lets the sealer do everything that is due. */
async function settle(rig: HistoryRig): Promise<void> {
  rig.sealer.start();
  await rig.sealer.settled();
  await rig.sealer.stop();
}

async function passHour(rig: HistoryRig): Promise<void> {
  rig.clock.jump(HOUR_MS);
  await settle(rig);
}

describe('sealing', () => {
  test('moves the hour that is over from the tail into one segment of each kind', async () => {
    const rig = rigWithHosts();
    rig.record([...requestRows(20), gapRow(), requestRow({ hostId: 'den', id: 5 })]);
    rig.recorder.modelEvents('box', [modelEventRow()]);
    rig.recorder.flush();
    await settle(rig);
    expect(manifest(rig)).toEqual([]);
    await passHour(rig);
    expect(manifest(rig)).toMatchObject([
      { kind: 'activity', key: '2026-11-30T12.0', rows: 22 },
      { kind: 'model-events', key: '2026-11-30T12.0', rows: 1 },
    ]);
    expect(tailRows(rig)).toBe(0);
    expectConsistent(rig.docHost, rig.store);
  });

  test('does so by itself at the hour', async () => {
    const rig = rigWithHosts();
    rig.sealer.start();
    rig.record(requestRows(3));
    rig.clock.advance(HOUR_MS - 1);
    await rig.sealer.settled();
    expect(manifest(rig)).toEqual([]);
    rig.clock.advance(100);
    await rig.sealer.settled();
    expect(manifest(rig)).toHaveLength(1);
    await rig.sealer.stop();
  });

  test('a sealed row whose sender is learned later is sealed anew with it, and what was being built without it is not kept', async () => {
    let meanwhile = (): void => undefined;
    const reader = new Connection(join(temporaryDirectory(), 'drover.db'));
    const rig = rigWithHosts({
      connection: reader,
      build: async (request) => {
        const built = buildSegments(reader, request);
        meanwhile();
        return built;
      },
    });
    rig.record(requestRows(3, { source: null, sourceCertainty: 'unknown' }));
    await passHour(rig);
    const [sealed] = manifest(rig);
    const learn = (id: number): void => {
      rig.docHost.commit(() => {
        const seq = rig.store.activity.nameSource({ hostId: 'box', idEpoch: 0, id }, `client-${id}`);
        if (seq !== null) rig.store.segments.markStaleRows('activity', [seq]);
      });
      rig.sealer.noticeChange();
    };
    rig.sealer.start();
    learn(1);
    meanwhile = () => {
      meanwhile = () => undefined;
      learn(2);
    };
    rig.clock.advance(60_000);
    await rig.sealer.settled();
    await rig.sealer.stop();
    const [anew] = manifest(rig);
    expect(anew?.hash).not.toBe(sealed?.hash);
    const bytes = must(rig.store.segments.blob(must(anew, 'a segment').hash), 'its bytes');
    expect(decodeSegment(bytes).rows).toMatchObject([
      { source: 'client-1', sourceCertainty: 'exact' },
      { source: 'client-2', sourceCertainty: 'exact' },
      { source: null, sourceCertainty: 'unknown' },
    ]);
    expectConsistent(rig.docHost, rig.store);
  });

  test('seals at 4,000 items', async () => {
    const rig = rigWithHosts();
    // As 3,999 flushes leave it, in one commit.
    const hour = hourOf(rig.clock.now());
    rig.docHost.commit(({ tail }) => {
      const inserted = rig.store.activity.insert(requestRows(3999), rig.clock.now());
      if (inserted) rig.store.segments.place('activity', { ...inserted, hour }, 'tail');
      for (const row of requestRows(3999)) appendTail(tail, [row]);
    });
    rig.sealer.start();
    await rig.sealer.settled();
    expect(manifest(rig)).toEqual([]);
    rig.record([requestRow({ id: 4000 })]);
    await rig.sealer.settled();
    expect(manifest(rig)).toMatchObject([{ rows: 4000, key: '2026-11-30T12.0' }]);
    expect(tailRows(rig)).toBe(0);
    await rig.sealer.stop();
    expectConsistent(rig.docHost, rig.store);
  });

  test(
    'seals at 192 KB, keeps 20,000 model names out of the way, and merges parts',
    { timeout: 60_000 },
    async () => {
      const rig = rigWithHosts();
      rig.sealer.start();
      for (let at = 0; at < 200; at += 1) {
        rig.record(
          Array.from({ length: 100 }, (_, index) =>
            requestRow({ id: at * 100 + index, modelId: `name-${at * 100 + index}-${'y'.repeat(60)}` }),
          ),
        );
        await rig.sealer.settled();
      }
      const sealed = manifest(rig);
      expect(sealed.length).toBeGreaterThan(0);
      expect(sealed.length).toBeLessThan(10);
      await rig.sealer.stop();
      expectConsistent(rig.docHost, rig.store);
      expect(storedIdentities(rig.store)).toHaveLength(20_000);
    },
  );

  test('segments that only come apart again are not merged, and not tried for ever', async () => {
    const reader = { connection: null as Connection | null };
    let builds = 0;
    const rig = rigWithHosts({
      build: async (request) => {
        builds += 1;
        reader.connection ??= new Connection(rig.store.connection.path, { readonly: true });
        const { connection } = reader;
        // As if these few rows were all that a segment may hold unpacked.
        return request.ranges.flatMap((range) => buildSegments(connection, { ...request, ranges: [range] }));
      },
    });
    onTestFinished(() => reader.connection?.close());
    for (let hour = 0; hour < 3; hour += 1) {
      rig.record(requestRows(10, { firstId: hour * 10 + 1 }));
      rig.clock.jump(HOUR_MS);
      await settle(rig);
    }
    rig.clock.jump(24 * HOUR_MS);
    await settle(rig);
    expect(manifest(rig)).toHaveLength(3);
    const tried = builds;
    await settle(rig);
    expect(builds).toBe(tried);
    expectConsistent(rig.docHost, rig.store);
  });

  test('rows that come while a segment is being built stay in the tail', async () => {
    const { promise, resolve: finish } = Promise.withResolvers<void>();
    let started = (): void => undefined;
    const building = new Promise<void>((resolve) => (started = resolve));
    const reader = { connection: null as Connection | null };
    const rig = rigWithHosts({
      build: async (request) => {
        started();
        await promise;
        reader.connection ??= new Connection(rig.store.connection.path, { readonly: true });
        return buildSegments(reader.connection, request);
      },
    });
    onTestFinished(() => reader.connection?.close());
    rig.record(requestRows(10));
    rig.clock.jump(HOUR_MS);
    rig.sealer.start();
    await building;
    rig.record(requestRows(4, { firstId: 100 }));
    finish();
    await rig.sealer.settled();
    await rig.sealer.stop();
    expect(manifest(rig)).toMatchObject([{ rows: 10 }]);
    expect(tailRows(rig)).toBe(4);
    expectConsistent(rig.docHost, rig.store);
  });

  test('a backfill goes straight into segments', async () => {
    const rig = rigWithHosts();
    rig.recorder.activity('box', requestRows(10_000));
    rig.recorder.flushRows();
    expect(tailRows(rig)).toBe(0);
    await settle(rig);
    expect(manifest(rig)).toMatchObject([{ rows: 10_000 }]);
    expect((manifest(rig)[0]?.bytes ?? 0) / 10_000).toBeLessThan(15);
    expectConsistent(rig.docHost, rig.store);
  });

  test('a failed build loses nothing, is said in health, and is tried again', async () => {
    let broken = true;
    const reader = { connection: null as Connection | null };
    const rig = rigWithHosts({
      build: async (request) => {
        if (broken) throw new Error('out of memory');
        reader.connection ??= new Connection(rig.store.connection.path, { readonly: true });
        return buildSegments(reader.connection, request);
      },
    });
    onTestFinished(() => reader.connection?.close());
    rig.record(requestRows(3));
    rig.clock.jump(HOUR_MS);
    rig.sealer.start();
    await rig.sealer.settled();
    expect(rig.sealer.health()).toMatchObject([
      { name: 'segments', state: 'warn', detail: expect.stringContaining('out of memory') },
    ]);
    expectConsistent(rig.docHost, rig.store);
    broken = false;
    rig.clock.advance(5000);
    await rig.sealer.settled();
    expect(rig.sealer.health()).toMatchObject([
      { name: 'segments', state: 'ok', detail: expect.stringMatching(/^1 blob, .* Last seal just now\.$/) },
    ]);
    expect(manifest(rig)).toHaveLength(1);
    await rig.sealer.stop();
  });
});

describe('merging', () => {
  test('parts of an hour become one when it is over, hours one when the day has left the last 24 h', async () => {
    const rig = rigWithHosts();
    for (let hour = 12; hour < 15; hour += 1) {
      rig.record(requestRows(30, { firstId: hour * 100 }));
      rig.recorder.activity('den', requestRows(600, { hostId: 'den', firstId: hour * 1000 }));
      rig.recorder.flushRows();
      await settle(rig);
      await passHour(rig);
      expectConsistent(rig.docHost, rig.store);
    }
    expect(manifest(rig).map(({ key, rows }) => `${key} ${rows}`)).toEqual([
      '2026-11-30T12.0 630',
      '2026-11-30T13.0 630',
      '2026-11-30T14.0 630',
    ]);
    rig.clock.jump(10 * HOUR_MS);
    await settle(rig);
    expect(manifest(rig)).toHaveLength(3);
    rig.clock.jump(24 * HOUR_MS);
    await settle(rig);
    expect(manifest(rig)).toMatchObject([{ key: '2026-11-30.0', rows: 1890 }]);
    expectConsistent(rig.docHost, rig.store);
  });

  test('bytes of what was merged stay for an hour for those who are about to fetch them', async () => {
    const rig = rigWithHosts();
    rig.record(requestRows(3));
    await passHour(rig);
    const [first] = manifest(rig);
    rig.record(requestRows(3, { firstId: 10 }));
    await passHour(rig);
    rig.clock.jump(48 * HOUR_MS);
    await settle(rig);
    expect(manifest(rig)).toHaveLength(1);
    expect(rig.store.segments.blob(first?.hash ?? '')).not.toBeNull();
    rig.clock.jump(2 * HOUR_MS);
    await settle(rig);
    expect(rig.store.segments.blob(first?.hash ?? '')).toBeNull();
    expectConsistent(rig.docHost, rig.store);
  });
});

describe('retention', () => {
  test('drops rows, segment and manifest entry past their age, once', async () => {
    const rig = rigWithHosts({ days: { activity: 2, 'model-events': 3, 'perf-5m': 3 } });
    rig.record(requestRows(2500));
    rig.recorder.modelEvents('box', [modelEventRow()]);
    rig.recorder.flush();
    await passHour(rig);
    rig.clock.jump(24 * HOUR_MS);
    rig.record(requestRows(5, { firstId: 9000 }));
    await settle(rig);
    expect(storedIdentities(rig.store)).toHaveLength(2506);
    rig.clock.jump(26 * HOUR_MS);
    await settle(rig);
    expect(storedIdentities(rig.store)).toHaveLength(6);
    expect(
      manifest(rig)
        .map(({ kind, rows }) => `${kind} ${rows}`)
        .sort(),
    ).toEqual(['activity 5', 'model-events 1']);
    expectConsistent(rig.docHost, rig.store);
    const before = rig.store.connection.statement('SELECT * FROM seq_range').all();
    await settle(rig);
    expect(rig.store.connection.statement('SELECT * FROM seq_range').all()).toEqual(before);
    expect(rig.store.connection.statement('SELECT 1 FROM facet').all()).toHaveLength(1);
  });
});

test('a manifest that is full lets its oldest go; their rows stay until their age is up', async () => {
  const rig = rigWithHosts({ maxSegments: 1, days: { activity: 3, 'model-events': 3, 'perf-5m': 3 } });
  for (const firstId of [1, 100]) {
    rig.record(requestRows(2, { firstId }));
    await passHour(rig);
    rig.clock.jump(24 * HOUR_MS);
    await settle(rig);
  }
  expect(manifest(rig)).toMatchObject([{ rows: 2 }]);
  expect(storedIdentities(rig.store)).toHaveLength(4);
  rig.clock.jump(40 * HOUR_MS);
  await settle(rig);
  expect(storedIdentities(rig.store)).toEqual(['request box 0 100', 'request box 0 101']);
  expectConsistent(rig.docHost, rig.store);
});

test('purging a demo host takes its rows out of the tail, the segments and the database', async () => {
  const rig = rigWithHosts();
  rig.record([...requestRows(10), ...requestRows(10, { hostId: 'den' })]);
  await passHour(rig);
  rig.record([...requestRows(2, { firstId: 50 }), ...requestRows(3, { hostId: 'den', firstId: 50 })]);
  rig.registry.purgeHost('den', rig.clock.now());
  await settle(rig);
  expect(storedIdentities(rig.store)).toHaveLength(12);
  expect(manifest(rig)).toMatchObject([{ rows: 10 }]);
  expect(tailRows(rig)).toBe(2);
  expectConsistent(rig.docHost, rig.store);
});

test('what is left of segments after a purge is made at once, not at the next look', async () => {
  const rig = rigWithHosts();
  rig.record([...requestRows(10), ...requestRows(10, { hostId: 'den' })]);
  await passHour(rig);
  rig.sealer.start();
  await rig.sealer.settled();
  rig.registry.purgeHost('den', rig.clock.now());
  await rig.sealer.settled();
  expect(manifest(rig)).toMatchObject([{ rows: 10 }]);
  await rig.sealer.stop();
});

describe('a crash at any statement', () => {
  /** Four hours in the tail, in segments and waiting, and a clock two days on: seal, merges and retention are due. */
  async function prepare(path: string): Promise<{ now: number; acknowledged: readonly string[] }> {
    const clock = new ManualClock();
    const rig = rigWithHosts({ path, clock });
    rig.record(requestRows(4));
    await passHour(rig);
    rig.record([...requestRows(3, { firstId: 20 }), gapRow()]);
    await passHour(rig);
    clock.jump(47 * HOUR_MS);
    rig.record(requestRows(5, { firstId: 40 }));
    rig.recorder.modelEvents('box', [modelEventRow(), modelEventRow({ at: 7 })]);
    rig.recorder.activity('den', requestRows(501, { hostId: 'den' }));
    rig.recorder.flushRows();
    clock.jump(HOUR_MS);
    const acknowledged = storedIdentities(rig.store);
    rig.store.connection.pragma('wal_checkpoint(TRUNCATE)');
    rig.store.close();
    return { now: clock.now(), acknowledged };
  }

  test(
    'loses and doubles no row, whether the statement took effect or not',
    { timeout: 60_000 },
    async () => {
      const directory = temporaryDirectory();
      const template = join(directory, 'template.db');
      const { now, acknowledged } = await prepare(template);
      const open = (name: string): { rig: HistoryRig; connection: FaultyConnection } => {
        const path = join(directory, name);
        const connection = new FaultyConnection(path);
        return { connection, rig: rigWithHosts({ connection, clock: new ManualClock(now) }) };
      };

      copyFileSync(template, join(directory, 'whole.db'));
      const whole = open('whole.db');
      whole.connection.arm(null);
      await settle(whole.rig);
      const statements = whole.connection.ran;
      expect(statements).toBeGreaterThan(60);
      expectConsistent(whole.rig.docHost, whole.rig.store);
      const sealed = manifest(whole.rig).map(({ kind, key, rows }) => `${kind} ${key} ${rows}`);
      expect(hourOf(now)).toBeGreaterThan(0);

      // Every statement; every seventh also as one that took effect before the process died.
      for (let at = 1; at <= statements; at += 1) {
        for (const when of at % 7 === 0 ? (['before', 'after'] as const) : (['before'] as const)) {
          const name = `${at}-${when}.db`;
          copyFileSync(template, join(directory, name));
          const crashed = open(name);
          crashed.connection.arm({ atStatement: at, when });
          await settle(crashed.rig);
          expect(() => crashed.connection.statement('SELECT 1').get()).toThrow(InjectedCrash);
          crashed.connection.close();

          const after = open(name);
          expectConsistent(after.rig.docHost, after.rig.store);
          expect(storedIdentities(after.rig.store)).toEqual(acknowledged);
          await settle(after.rig);
          expectConsistent(after.rig.docHost, after.rig.store);
          expect(manifest(after.rig).map(({ kind, key, rows }) => `${kind} ${key} ${rows}`)).toEqual(sealed);
          after.connection.close();
        }
      }
    },
  );
});

describe('receipt numbers in the manifest', () => {
  test('say that the hours of a day are the day, until a row of it is deleted', async () => {
    const rig = rigWithHosts();
    for (let hour = 0; hour < 5; hour += 1) {
      rig.record([
        ...requestRows(4).map((row) => ({
          ...row,
          id: hour * 10 + row.id,
          endedAt: rig.clock.now() + row.id,
        })),
        requestRow({ hostId: 'den', id: hour + 1, endedAt: rig.clock.now() }),
      ]);
      await passHour(rig);
    }
    const hours = manifest(rig);
    expect(hours).toHaveLength(5);
    rig.clock.jump(48 * HOUR_MS);
    await settle(rig);
    const [day] = manifest(rig);
    if (!day) throw new Error('nothing listed');
    expect(day).toMatchObject({ rows: 25, seqs: [1, 25] });
    expect(
      standIns(day, hours)
        ?.map(({ hash }) => hash)
        .sort(),
    ).toEqual(hours.map(({ hash }) => hash).sort());
    expect(
      rig.store.segments.list().map(({ entry }) => entry),
      'the store lists what the document does',
    ).toEqual([day]);

    rig.registry.purgeHost('den', rig.clock.now());
    await settle(rig);
    const [purged] = manifest(rig);
    if (!purged) throw new Error('nothing listed');
    expect(purged).toMatchObject({ rows: 20, seqs: [1, 25] });
    expect(standIns(purged, hours)).toBe(null);
    expect(standIns(purged, [day])).toBe(null);
  });

  test('are never given again, also when all rows are gone', async () => {
    const rig = rigWithHosts();
    rig.record(requestRows(7));
    await passHour(rig);
    rig.registry.purgeHost('box', rig.clock.now());
    await settle(rig);
    expect(manifest(rig)).toEqual([]);
    rig.record([requestRow({ hostId: 'den', id: 1 })]);
    await passHour(rig);
    expect(manifest(rig)).toMatchObject([{ rows: 1, seqs: [8, 8] }]);
  });
});
