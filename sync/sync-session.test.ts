import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as Y from 'yjs';
import { encodeSubscribe } from './live-frame.ts';
import { encodeStep1, encodeStep2, encodeUpdate, readClientFrame } from './sync-frame.ts';
import { SyncSession } from './sync-session.ts';

const limits = { frameBytes: 1000, burstFrames: 10, framesPerSecond: 5 };
const write = encodeUpdate(Uint8Array.from([1, 1, 5, 0, 0]));

function session(knowsDeletes = true): SyncSession {
  return new SyncSession({ document: 'fleet@g1', now: 0, knowsDeletes: () => knowsDeletes, limits });
}

describe('sync session', () => {
  it('[S2] answers a step 1 with the client state vector, as often as it comes', () => {
    const vector = Uint8Array.from([1, 9, 4]);
    const open = session();
    expect(open.receive(encodeStep1(vector), 0)).toEqual([{ type: 'answer', stateVector: vector }]);
    expect(open.receive(encodeStep1(vector), 1)).toHaveLength(1);
  });

  it('[S3] finds no write in an empty step 2, nor in one of known deletions only', () => {
    const doc = new Y.Doc();
    doc.getArray('entries').push([1, 2, 3]);
    doc.getArray('entries').delete(0, 2);
    const clean = Y.encodeStateAsUpdate(doc, Y.encodeStateVector(doc));
    expect(clean.byteLength).toBeGreaterThan(2);
    const open = session();
    expect(open.receive(encodeStep2(Uint8Array.from([0, 0])), 0)).toEqual([]);
    expect(open.receive(encodeStep2(clean), 0)).toEqual([]);
    expect(open.droppedWrites).toBe(0);
    const foreign = session(false);
    foreign.receive(encodeStep2(clean), 0);
    expect(foreign.droppedWrites).toBe(1);
    open.receive(encodeStep2(Y.encodeStateAsUpdate(doc)), 0);
    expect(open.droppedWrites).toBe(1);
  });

  it('[S3] says discard once, and only to a client that reads live frames', () => {
    const open = session();
    expect(open.receive(write, 0)).toEqual([]);
    const hello = open.receive(encodeSubscribe({ topics: [] }), 0);
    expect(hello.map((action) => action.type)).toEqual(['send', 'subscribe']);
    expect(open.receive(write, 0)).toEqual([]);
    expect(open.receive(encodeSubscribe({ topics: [] }), 0).map(({ type }) => type)).toEqual(['subscribe']);
    expect(open.droppedWrites).toBe(2);
  });

  it('[S10] counts frames by time: a burst, then a steady rate; nothing is heard after a close', () => {
    const open = session();
    const query = Uint8Array.from([3]);
    for (let frame = 0; frame < 10; frame += 1) expect(open.receive(query, 0)).toEqual([]);
    expect(open.receive(query, 200)).toEqual([]);
    // A clock that goes back earns nothing and costs nothing.
    expect(open.receive(query, 100)).toMatchObject([{ type: 'close', code: 4413 }]);
    expect(open.receive(encodeStep1(Uint8Array.from([0])), 10_000)).toEqual([]);
  });

  it('[S10] never throws, whatever arrives', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 60 }),
        fc.constantFrom([], [0, 0], [0, 1], [0, 2], [100, 0]),
        (noise, head) => {
          expect(readClientFrame(Uint8Array.from([...head, ...noise])).type).toBeTypeOf('string');
        },
      ),
      { numRuns: 1000 },
    );
  });
});
