import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { readFleet } from '#sync/fleet-doc.ts';
import { Connection } from '../adapters/sqlite/connection.ts';
import { requestRow, requestRows } from '../testing/activity-rows.ts';
import { expectConsistent, storedIdentities } from '../testing/check-history.ts';
import { FaultyConnection } from '../testing/faulty-connection.ts';
import { historyRig } from '../testing/history-rig.ts';
import { hostConfig } from '../testing/host-config.ts';
import type { HistoryRig } from '../testing/history-rig.ts';
import { modelEventRow, modelRow, statusRow } from '../testing/model-rows.ts';
import { temporaryDirectory } from '../testing/temporary-store.ts';

function rigWithBox(options: Parameters<typeof historyRig>[0] = {}): HistoryRig {
  const rig = historyRig(options);
  rig.registry.insertHost(hostConfig('box'), rig.clock.now());
  return rig;
}

describe('loading', () => {
  test('gives the same documents with a fresh client id', () => {
    const rig = rigWithBox();
    rig.record(requestRows(3));
    const clientId = rig.docHost.tail()?.clientID;
    rig.recorder.stop();
    const again = historyRig({ path: rig.store.connection.path });
    expect(again.docHost.names()).toEqual({ fleet: 'fleet@g1', tail: 'tail@g1' });
    expect(again.docHost.tail()?.clientID).not.toBe(clientId);
    again.record([requestRow({ id: 99 })]);
    expectConsistent(again.docHost, again.store);
    expect(again.docHost.open('tail@g2')).toBeNull();
    expect(again.docHost.open('fleet@g1')?.name).toBe('fleet@g1');
  });

  test.each(['DELETE FROM doc_update', "UPDATE document SET state = x'ff00ff' WHERE kind = 'tail'"])(
    'builds the tail again from the rows after %s, as a new generation where clients may hold another',
    (damage) => {
      const rig = rigWithBox();
      rig.record(requestRows(300));
      rig.recorder.stop();
      rig.store.connection.exec('DELETE FROM doc_update');
      rig.store.connection.exec(damage);
      const again = historyRig({ path: rig.store.connection.path });
      expectConsistent(again.docHost, again.store);
      expect(storedIdentities(again.store)).toHaveLength(300);
    },
  );

  test('a tail that holds other rows than it should is replaced under a new name', () => {
    const rig = rigWithBox();
    rig.record(requestRows(5));
    rig.recorder.stop();
    rig.store.connection.exec('DELETE FROM activity WHERE id = 3');
    const again = historyRig({ path: rig.store.connection.path });
    expect(again.docHost.names().tail).toBe('tail@g2');
    expectConsistent(again.docHost, again.store);
  });

  test('2,000 updates become one state', { timeout: 60_000 }, () => {
    const rig = rigWithBox();
    // Thousands of commits, none of which a power cut will test here.
    rig.store.connection.pragma('synchronous = OFF');
    for (let id = 0; id < 2010; id += 1) {
      rig.docHost.commit(({ fleet }) => fleet.set('host/x', { id }));
    }
    const updates = rig.store.connection.statement("SELECT 1 FROM doc_update WHERE kind = 'fleet'").all();
    expect(updates.length).toBeLessThan(100);
  });
});

describe('a commit that fails', () => {
  test('leaves documents and rows alone when the work itself refuses before it changed anything', () => {
    const rig = rigWithBox();
    expect(() =>
      rig.docHost.commit(() => {
        throw new RangeError('no such thing');
      }),
    ).toThrow(RangeError);
    expect(rig.docHost.unavailable()).toBe(false);
  });

  test('is tried again while another process writes, and nothing is lost', () => {
    const rig = rigWithBox({
      connection: new Connection(`${temporaryDirectory()}/drover.db`, { busyTimeoutMs: 1 }),
    });
    const other = new Database(rig.store.connection.path);
    other.exec('BEGIN IMMEDIATE');
    rig.recorder.activity('box', [requestRow()]);
    rig.clock.advance(500);
    expect(storedIdentities(rig.store)).toEqual([]);
    expect(rig.docHost.unavailable()).toBe(false);
    other.exec('COMMIT');
    other.close();
    rig.clock.advance(100);
    expectConsistent(rig.docHost, rig.store);
    expect(storedIdentities(rig.store)).toHaveLength(1);
  });

  test('rows that would wait without end behind another process are dropped and fetched again', () => {
    const connection = new Connection(`${temporaryDirectory()}/drover.db`, { busyTimeoutMs: 1 });
    const rig = rigWithBox({ connection });
    let resyncs = 0;
    rig.recorder.onResync(() => (resyncs += 1));
    const other = new Database(connection.path);
    other.exec('BEGIN IMMEDIATE');
    rig.recorder.activity('box', requestRows(50_001));
    rig.clock.advance(0);
    expect(resyncs).toBe(1);
    other.exec('COMMIT');
    other.close();
    rig.record(requestRows(3));
    expect(storedIdentities(rig.store)).toHaveLength(3);
    expectConsistent(rig.docHost, rig.store);
  });

  test('disk full: nothing is broadcast, the page is told why, and it recovers by itself', () => {
    const rig = rigWithBox();
    const { connection } = rig.store;
    rig.recorder.hostStatus('box', statusRow());
    rig.recorder.models('box', [modelRow()]);
    rig.record(requestRows(10));
    const acknowledged = storedIdentities(rig.store);
    const dropped: string[] = [];
    let resyncs = 0;
    let broadcasts = 0;
    rig.docHost.onDropped((why) => dropped.push(why));
    rig.recorder.onResync(() => (resyncs += 1));
    rig.docHost.open('tail@g1')?.onUpdate(() => (broadcasts += 1));

    connection.pragma(`max_page_count = ${String(connection.pragma('page_count'))}`);
    const full = Array.from({ length: 400 }, (_, index) =>
      requestRow({ id: 1000 + index, error: `${index}${'e'.repeat(4000)}` }),
    );
    rig.recorder.activity('box', full);
    rig.recorder.models('box', [modelRow({ state: 'stopping' })]);
    rig.recorder.modelEvents('box', [modelEventRow({ to: 'stopping' })]);
    rig.clock.advance(200);
    expect(dropped).toEqual(['store_failed']);
    expect(broadcasts).toBe(0);
    expect(rig.docHost.unavailable()).toBe(true);
    expect(rig.docHost.open('tail@g1')).toBeNull();
    expect(rig.docHost.health()).toMatchObject([
      { name: 'store', state: 'fail', remediation: expect.stringMatching(/disk is full.*Free/i) },
    ]);
    expect(storedIdentities(rig.store)).toEqual(acknowledged);
    // What was saved is still served.
    expect(rig.cache.hosts()).toMatchObject([{ id: 'box' }]);
    expect(() => rig.registry.insertHost(hostConfig('new'), 1)).toThrow(
      expect.objectContaining({ code: 'store_unavailable' }),
    );

    // `reopen` gives a connection without the limit: space was freed.
    rig.clock.advance(1000);
    expect(rig.docHost.unavailable()).toBe(false);
    expect(resyncs).toBe(1);
    expect(rig.docHost.health()).toMatchObject([{ name: 'store', state: 'ok' }]);
    rig.clock.advance(100);
    expect(rig.cache.models('box')).toMatchObject([{ state: 'stopping' }]);
    rig.record(full.slice(0, 5));
    expectConsistent(rig.docHost, rig.store);
    // Ten rows of before, five fetched again, and the event that had no way to be.
    expect(storedIdentities(rig.store)).toHaveLength(16);
  });

  test('rows that come while nothing can be saved do not overtake those that were lost', () => {
    const connection = new FaultyConnection(`${temporaryDirectory()}/drover.db`);
    const rig = rigWithBox({ connection });
    rig.record(requestRows(3));
    const full = () => new Database.SqliteError('database or disk is full', 'SQLITE_FULL');
    connection.arm({ atStatement: 2, when: 'before', error: full });
    rig.recorder.activity('box', requestRows(2, { firstId: 4 }));
    rig.clock.advance(100);
    expect(rig.docHost.unavailable()).toBe(true);
    rig.recorder.activity('box', requestRows(2, { firstId: 6 }));
    let askedAfter: number | null = null;
    rig.recorder.onResync(() => (askedAfter = rig.connectors.activityCursor('box').lastId));
    rig.clock.advance(1_000);
    expect(askedAfter).toBe(3);
    rig.clock.advance(1_000);
    expect(storedIdentities(rig.store)).toHaveLength(3);
  });

  test('a port that keeps failing is tried again less and less often, and one recovery is announced', () => {
    const connection = new FaultyConnection(`${temporaryDirectory()}/drover.db`);
    const rig = rigWithBox({ connection });
    let recovered = 0;
    rig.docHost.onRecovered(() => (recovered += 1));
    const readonly = () =>
      new Database.SqliteError('attempt to write a readonly database', 'SQLITE_READONLY');
    connection.arm({ atStatement: 2, when: 'before', error: readonly });
    rig.recorder.activity('box', [requestRow()]);
    rig.clock.advance(0);
    expect(rig.docHost.health()[0]?.remediation).toMatch(/cannot be written/);
    connection.arm({ atStatement: 1, when: 'before', error: readonly });
    rig.clock.advance(1000);
    expect(rig.docHost.unavailable()).toBe(true);
    expect(recovered).toBe(0);
    rig.clock.advance(2000);
    expect(rig.docHost.unavailable()).toBe(false);
    expect(recovered).toBe(1);
  });

  test('a fault of ours that changed a document drops it, so that no client ever holds what was not kept', () => {
    const rig = rigWithBox();
    expect(() =>
      rig.docHost.commit(({ fleet }) => {
        fleet.set('host/ghost', { id: 'ghost' });
        throw new TypeError('fault');
      }),
    ).toThrow(expect.objectContaining({ code: 'store_unavailable' }));
    expect(rig.docHost.unavailable()).toBe(true);
    rig.clock.advance(1000);
    const { doc } = rig.docHost.open('fleet@g1') ?? {};
    expect(doc && [...readFleet(doc).keys()]).toEqual(['meta', 'host/box']);
  });
});
