import { describe, expect, it } from 'vitest';
import * as Y from 'yjs';
import { FleetEntries } from '#sync/fleet-doc.ts';
import { encodeUpdate, readClientFrame } from '#sync/sync-frame.ts';
import type { DeleteRange } from '#sync/sync-frame.ts';
import { memoryDocuments } from '../testing/memory-documents.ts';
import type { MemoryDocuments } from '../testing/memory-documents.ts';
import { must } from '#shared/lib/assert.ts';
import { DocumentFeed } from './document-feed.ts';

const EMPTY_VECTOR = Uint8Array.from([0]);

function feedOf(documents: MemoryDocuments): {
  feed: DocumentFeed;
  fleet: FleetEntries;
  frames: Uint8Array[];
} {
  const feed = new DocumentFeed(must(documents.open('fleet@g1'), 'document'));
  const frames: Uint8Array[] = [];
  feed.join((frame) => frames.push(frame));
  return { feed, fleet: new FleetEntries(documents.doc('fleet@g1')), frames };
}

/** The deletions in a client's answer to the server's step 1. */
function deletesOf(doc: Y.Doc): readonly DeleteRange[] {
  const update = Y.encodeStateAsUpdate(doc, Y.encodeStateVector(doc));
  const message = readClientFrame(encodeUpdate(update));
  return message.type === 'update' ? must(message.deletes, 'no structs') : [];
}

describe('document feed', () => {
  it('[S6] encodes step 1 and each answer once until the next update', () => {
    const { feed, fleet } = feedOf(memoryDocuments());
    fleet.set('a', 1);
    const vector = Y.encodeStateVector(feed.document.doc);
    const [step1, cold, warm] = [feed.step1(), feed.step2(EMPTY_VECTOR), feed.step2(vector)];
    expect(feed.step1()).toBe(step1);
    expect(feed.step2(Uint8Array.from(EMPTY_VECTOR))).toBe(cold);
    expect(feed.step2(Uint8Array.from(vector))).toBe(warm);
    fleet.set('a', 2);
    expect(feed.step1()).not.toBe(step1);
    expect(feed.step2(EMPTY_VECTOR)).not.toBe(cold);
    feed.stop();
  });

  it('[S12] sends the updates of one flush as one frame, the same buffer to every socket', async () => {
    const { feed, fleet, frames } = feedOf(memoryDocuments());
    const others: Uint8Array[] = [];
    const leave = feed.join((frame) => others.push(frame));
    fleet.set('a', 1);
    fleet.set('b', 2);
    fleet.delete('a');
    expect(frames).toHaveLength(0);
    await Promise.resolve();
    expect(frames).toHaveLength(1);
    expect(others[0]).toBe(frames[0]);
    leave();
    fleet.set('c', 3);
    await Promise.resolve();
    expect([frames.length, others.length, feed.sockets]).toEqual([2, 1, 1]);
    feed.stop();
  });

  it('[S3] tells deletions it has from ones it never made', () => {
    const documents = memoryDocuments();
    const { feed, fleet } = feedOf(documents);
    for (let step = 0; step < 50; step += 1) fleet.set(`k${step % 7}`, step);
    const replica = new Y.Doc();
    Y.applyUpdate(replica, Y.encodeStateAsUpdate(feed.document.doc));
    const behind = deletesOf(replica);
    expect(behind.length).toBeGreaterThan(0);
    for (let step = 0; step < 9; step += 1) fleet.set(`k${step % 7}`, `later ${step}`);
    expect(feed.knowsDeletes(behind)).toBe(true);
    Y.applyUpdate(replica, Y.encodeStateAsUpdate(feed.document.doc));
    expect(feed.knowsDeletes(deletesOf(replica))).toBe(true);
    replica.getArray('entries').delete(2, 3);
    expect(feed.knowsDeletes(deletesOf(replica))).toBe(false);
    const [range] = behind;
    expect(feed.knowsDeletes([{ client: 12345, clock: 0, length: 1 }])).toBe(false);
    expect(feed.knowsDeletes(range ? [{ ...range, length: 1e9 }] : [])).toBe(false);
    feed.stop();
  });
});
