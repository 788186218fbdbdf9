import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as Y from 'yjs';
import { fleetEntries, FleetEntries, observeFleet, readFleet } from './fleet-doc.ts';
import type { FleetChange } from './fleet-doc.ts';

describe('fleet document', () => {
  it('[F1] reads the later entry of a key, and an absent key as deleted', () => {
    const doc = new Y.Doc();
    fleetEntries(doc).push([{ k: 'a', v: 1 }, { k: 'b', v: 2 }, { k: 'a', v: 3 }, 'noise', { k: 7, v: 1 }]);
    expect([...readFleet(doc)]).toEqual([
      ['a', 3],
      ['b', 2],
    ]);
  });

  it('[F2] ends where a plain map ends, whatever is written, on the writer and on a replica', () => {
    const key = fc.constantFrom('a', 'b', 'c', 'model/h/x/y', '__proto__');
    // Yjs loses an object's own `__proto__` on its way; our records have fixed keys.
    const json = fc
      .jsonValue({ maxDepth: 2 })
      .filter((value) => !JSON.stringify(value).includes('"__proto__":'));
    const step = fc.record({ key, value: fc.option(json, { nil: undefined }) });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const doc = new Y.Doc();
        const replica = new Y.Doc();
        doc.on('update', (update: Uint8Array) => Y.applyUpdate(replica, update));
        const fleet = new FleetEntries(doc);
        const plain = new Map<string, unknown>();
        const seen = new Map<string, unknown>();
        observeFleet(replica, (change) => {
          for (const [k, v] of change.set) seen.set(k, v);
          for (const k of change.deleted) seen.delete(k);
        });
        for (const { key: k, value } of steps) {
          if (value === undefined) {
            fleet.delete(k);
            plain.delete(k);
          } else {
            fleet.set(k, value);
            plain.set(k, value);
          }
        }
        const sorted = (map: ReadonlyMap<string, unknown>): unknown =>
          [...map].sort(([a], [b]) => (a < b ? -1 : 1));
        expect(sorted(readFleet(doc))).toEqual(sorted(plain));
        expect(sorted(readFleet(replica))).toEqual(sorted(plain));
        expect(sorted(seen)).toEqual(sorted(plain));
        expect(fleet.keys().sort()).toEqual([...plain.keys()].sort());
      }),
      { numRuns: 200 },
    );
  });

  it('[F3] writes nothing when the value is equal, and one update when it is not', () => {
    const doc = new Y.Doc();
    const fleet = new FleetEntries(doc);
    const updates: Uint8Array[] = [];
    doc.on('update', (update: Uint8Array) => updates.push(update));
    expect(fleet.set('host/a', { id: 'a', tags: ['x'] })).toBe(true);
    expect(fleet.set('host/a', { id: 'a', tags: ['x'] })).toBe(false);
    expect(updates).toHaveLength(1);
    expect(fleet.set('host/a', { id: 'a', tags: [] })).toBe(true);
    expect(updates).toHaveLength(2);
    expect(fleetEntries(doc).length).toBe(1);
  });

  it('[F4] attaches to a stored document, and deletes what a later entry outdates', () => {
    const doc = new Y.Doc();
    fleetEntries(doc).push([{ k: 'a', v: 1 }, 'noise', { k: 'b', v: 2 }, { k: 'a', v: 3 }]);
    const fleet = new FleetEntries(doc);
    expect(fleetEntries(doc).toArray()).toEqual([
      { k: 'b', v: 2 },
      { k: 'a', v: 3 },
    ]);
    fleet.set('b', 4);
    expect(readFleet(doc)).toEqual(
      new Map([
        ['a', 3],
        ['b', 4],
      ]),
    );
  });

  it('[F5] tells an observer only the keys that changed, once a transaction', () => {
    const doc = new Y.Doc();
    const fleet = new FleetEntries(doc);
    fleet.set('a', 1);
    fleet.set('b', { x: 1 });
    const changes: FleetChange[] = [];
    const stop = observeFleet(doc, (change) => changes.push(change));
    doc.transact(() => {
      fleet.set('a', 2);
      fleet.set('c', 3);
      fleet.delete('b');
    });
    stop();
    fleet.set('a', 9);
    expect(changes).toEqual([
      {
        set: new Map([
          ['a', 2],
          ['c', 3],
        ]),
        deleted: ['b'],
      },
    ]);
  });

  it('[F6] does not grow: ten minutes of a status a second for 50 hosts leave no more than the first one', () => {
    const doc = new Y.Doc();
    const fleet = new FleetEntries(doc);
    const write = (second: number): void =>
      doc.transact(() => {
        for (let host = 0; host < 50; host += 1) {
          fleet.set(`host/box-${host}`, { id: `box-${host}`, liveness: 'connected', since: 1e12 + second });
        }
      });
    const sizeAfter = (from: number, to: number): number => {
      for (let second = from; second < to; second += 1) write(second);
      return Y.encodeStateAsUpdate(doc).byteLength;
    };
    const first = sizeAfter(0, 60);
    expect(sizeAfter(60, 600) - first).toBeLessThanOrEqual(64);
  });
});
