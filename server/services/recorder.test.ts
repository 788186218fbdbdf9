import { describe, expect, test } from 'vitest';
import { readFleet } from '#sync/fleet-doc.ts';
import { decodeTail, tailSize } from '#sync/tail-codec.ts';
import { tailItems } from '#sync/tail-doc.ts';
import { gapRow, requestRow, requestRows } from '../testing/activity-rows.ts';
import { expectConsistent, storedIdentities } from '../testing/check-history.ts';
import { historyRig } from '../testing/history-rig.ts';
import { hostConfig } from '../testing/host-config.ts';
import type { HistoryRig } from '../testing/history-rig.ts';
import { modelEventRow, modelRow, statusRow } from '../testing/model-rows.ts';

function rigWithBox(): HistoryRig {
  const rig = historyRig();
  rig.registry.insertHost(hostConfig('box'), rig.clock.now());
  return rig;
}

function fleetOf({ docHost }: HistoryRig): Map<string, unknown> {
  const document = docHost.open(docHost.names().fleet);
  return document ? readFleet(document.doc) : new Map();
}

function tailOf({ docHost }: HistoryRig) {
  const tail = docHost.tail();
  if (!tail) throw new Error('no tail');
  return tail;
}

/** Updates that went out, counted per document. */
function watch({ docHost }: HistoryRig): { fleet: number; tail: number } {
  const counts = { fleet: 0, tail: 0 };
  docHost.open(docHost.names().fleet)?.onUpdate(() => (counts.fleet += 1));
  docHost.open(docHost.names().tail)?.onUpdate(() => (counts.tail += 1));
  return counts;
}

describe('flushing', () => {
  test('commits at once when idle, then at most every 100 ms, all of a time in one item', () => {
    const rig = rigWithBox();
    const updates = watch(rig);
    rig.recorder.activity('box', [requestRow({ id: 1 })]);
    rig.recorder.modelEvents('box', [modelEventRow()]);
    expect(updates.tail).toBe(0);
    rig.clock.advance(0);
    expect(updates.tail).toBe(1);
    rig.recorder.activity('box', [requestRow({ id: 2 })]);
    rig.clock.advance(99);
    rig.recorder.activity('box', [requestRow({ id: 3 })]);
    expect(updates.tail).toBe(1);
    rig.clock.advance(1);
    expect(updates.tail).toBe(2);
    expect(tailItems(tailOf(rig))).toHaveLength(2);
    expectConsistent(rig.docHost, rig.store);
  });

  test('nobody is told before the commit', () => {
    const rig = rigWithBox();
    const held: number[] = [];
    rig.docHost.open(rig.docHost.names().tail)?.onUpdate(() => held.push(storedIdentities(rig.store).length));
    rig.record([requestRow()]);
    expect(held).toEqual([1]);
    expect(rig.store.connection.statement('SELECT 1 FROM activity').all()).toHaveLength(1);
  });

  test('a row that is held already is written nowhere', () => {
    const rig = rigWithBox();
    rig.record([requestRow({ id: 1 }), gapRow()]);
    const updates = watch(rig);
    rig.record([requestRow({ id: 1 }), gapRow()]);
    expect(updates.tail).toBe(0);
    expectConsistent(rig.docHost, rig.store);
  });

  test('rows without whole numbers for time and id are counted and left out, the rest is kept', () => {
    const rig = rigWithBox();
    rig.recorder.activity('box', [
      requestRow({ id: Number.NaN }),
      requestRow({ id: 2 }),
      requestRow({ id: 3, endedAt: Number.POSITIVE_INFINITY }),
      requestRow({ id: 4, durationMs: 1.5 }),
    ]);
    rig.recorder.flush();
    expect(rig.recorder.malformedRows).toBe(3);
    expect(storedIdentities(rig.store)).toEqual(['request box 0 2']);
  });

  test('a host nobody configured, or that was removed, leaves no rows', () => {
    const rig = rigWithBox();
    rig.record([requestRow({ hostId: 'stranger' })]);
    rig.recorder.activity('box', [requestRow({ id: 1 })]);
    rig.registry.removeHost('box', rig.clock.now());
    rig.recorder.activity('box', [requestRow({ id: 2 })]);
    rig.recorder.models('box', [modelRow()]);
    rig.recorder.hostStatus('box', statusRow());
    rig.recorder.flush();
    // What came before the removal is history.
    expect(storedIdentities(rig.store)).toEqual(['request box 0 1']);
    expect([...fleetOf(rig).keys()]).toEqual(['meta']);
  });

  test('a fetch of the past goes past the tail, in the order it came', () => {
    const rig = rigWithBox();
    rig.recorder.activity('box', requestRows(5000));
    rig.recorder.activity('box', requestRows(3, { firstId: 5001 }));
    rig.clock.advance(0);
    // One commit holds the oldest rows only; a newer row never overtakes them.
    expect(rig.store.activity.cursor('box').lastId).toBe(2000);
    expect(rig.connectors.activityCursor('box').lastId).toBe(5003);
    expect(decodeTail(tailOf(rig))).toHaveLength(3);
    expect(rig.store.segments.openRanges('activity', 'waiting')).toMatchObject([{ fromSeq: 1, toSeq: 5000 }]);
  });

  test('a tail that is not sealed in time stays within its bytes', () => {
    const rig = rigWithBox();
    for (let at = 0; at < 60; at += 1) {
      rig.record(
        Array.from({ length: 100 }, (_, index) =>
          requestRow({
            id: at * 100 + index,
            modelId: `model-${at}-${index}-${'x'.repeat(90)}`,
            error: 'e'.repeat(500),
          }),
        ),
      );
    }
    expect(tailSize(tailOf(rig)).bytes).toBeLessThanOrEqual(256 * 1024);
    expect(storedIdentities(rig.store)).toHaveLength(6000);
  });
});

describe('hosts and models', () => {
  test('are written when they change, not when they are merely seen again', () => {
    const rig = rigWithBox();
    rig.recorder.hostStatus('box', statusRow());
    rig.recorder.models('box', [modelRow(), modelRow({ modelId: 'other', state: 'stopped' })]);
    rig.recorder.flush();
    const updates = watch(rig);
    rig.recorder.hostStatus('box', statusRow({ lastSeenAt: 9, clockOffsetMs: 100 }));
    rig.recorder.models('box', [
      modelRow({ observedAt: 9 }),
      modelRow({ modelId: 'other', state: 'stopped' }),
    ]);
    rig.recorder.flush();
    expect(updates.fleet).toBe(0);
    expect(rig.cache.models('box')[0]?.observedAt).toBe(9);
    rig.recorder.models('box', [modelRow({ state: 'stopping' })]);
    rig.recorder.flush();
    expect(updates.fleet).toBe(1);
    expect(fleetOf(rig).get('model/box/qwen3-30b')).toMatchObject({ state: 'stopping' });
    expect(fleetOf(rig).has('model/box/other')).toBe(false);
    expect(rig.store.fleet.models('box')).toHaveLength(1);
  });

  test('past 500 models the document holds the active ones, HTTP all', () => {
    const rig = rigWithBox();
    const models = Array.from({ length: 10_000 }, (_, index) =>
      modelRow({ modelId: `m${index}`, state: index === 7 ? 'ready' : 'stopped' }),
    );
    rig.recorder.models('box', models);
    rig.recorder.flush();
    expect([...fleetOf(rig).keys()].sort()).toEqual(['host/box', 'meta', 'model/box/m7']);
    expect(fleetOf(rig).get('host/box')).toMatchObject({ modelCount: 10_000 });
    expect(rig.cache.models('box')).toHaveLength(10_000);
    rig.recorder.models('box', models.slice(0, 20));
    rig.recorder.flush();
    expect([...fleetOf(rig).keys()]).toHaveLength(22);
    expect(fleetOf(rig).get('host/box')).not.toHaveProperty('modelCount');
  });

  test('what an earlier process saw is not shown as connected, and keeps its times for the connector', () => {
    const rig = rigWithBox();
    const status = statusRow();
    rig.recorder.hostStatus('box', status);
    rig.recorder.models('box', [modelRow()]);
    rig.recorder.stop();
    const later = historyRig({ path: rig.store.connection.path });
    expect(later.cache.hosts()).toMatchObject([{ liveness: 'reconnecting', lastSeenAt: status.lastSeenAt }]);
    expect(fleetOf(later).get('host/box')).toMatchObject({ liveness: 'reconnecting' });
    expect(later.connectors.hostStatus('box')).toEqual(status);
    expect(later.connectors.models('box')).toEqual([modelRow()]);
    later.recorder.hostStatus('box', status);
    later.recorder.flush();
    expect(later.cache.hosts()).toMatchObject([{ liveness: 'connected' }]);
    expect(fleetOf(later).get('host/box')).toMatchObject({ liveness: 'connected' });
  });

  test('when a host was last heard is live in memory and saved every minute', () => {
    const rig = rigWithBox();
    rig.recorder.hostStatus('box', statusRow({ lastSeenAt: 1000 }));
    rig.recorder.flush();
    const updates = watch(rig);
    rig.recorder.seen('box', 2000);
    expect(rig.cache.hosts()).toMatchObject([{ lastSeenAt: 2000 }]);
    expect(rig.live.seen).toEqual([['box', 2000]]);
    rig.clock.advance(61_000);
    expect(rig.store.fleet.hosts()[0]?.status).toMatchObject({ lastSeenAt: 2000 });
    expect(updates.fleet).toBe(0);
  });
});

describe('the registry', () => {
  test('changes rows and document in one commit', () => {
    const rig = rigWithBox();
    expect(fleetOf(rig).get('host/box')).toMatchObject({ liveness: 'reconnecting', lastSeenAt: null });
    rig.registry.updateHost(hostConfig('box', { label: 'Big box', paused: true }));
    expect(rig.registry.host('box')).toMatchObject({ label: 'Big box', paused: true });
    expect(fleetOf(rig).get('host/box')).toMatchObject({ label: 'Big box', paused: true });
    expect(() => rig.registry.insertHost(hostConfig('box'), 1)).toThrow(
      expect.objectContaining({ code: 'conflict' }),
    );
    expect(rig.docHost.unavailable()).toBe(false);
    expect(rig.registry.removeHost('box', 1)).toBe(true);
    expect(rig.registry.hosts()).toEqual([]);
    expect([...fleetOf(rig).keys()]).toEqual(['meta']);
  });
});
