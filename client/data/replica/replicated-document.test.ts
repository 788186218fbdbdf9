import { afterEach, expect, test, vi } from 'vitest';
import * as Y from 'yjs';
import { MemoryDocumentStore } from '../testing/memory-document-store.ts';
import { ReplicatedDocument } from './replicated-document.ts';

afterEach(() => vi.useRealTimers());

test('a copy that takes longer than the network is waited for still comes in', async () => {
  vi.useFakeTimers();
  const store = new MemoryDocumentStore();
  const written = new Y.Doc();
  written.getArray('list').push([1]);
  await store.replace(Y.encodeStateAsUpdate(written));
  const document = new ReplicatedDocument({
    url: 'ws://127.0.0.1:9/sync',
    name: 'fleet@g1',
    store: {
      load: async () => {
        await new Promise((resolve) => setTimeout(resolve, 1500));
        return store.load();
      },
      append: (updates) => store.append(updates),
      replace: (snapshot) => store.replace(snapshot),
      close: () => undefined,
      onLost: () => undefined,
    },
    onState: () => undefined,
    onRefused: () => undefined,
    onStorageError: (error) => expect(error).toBeNull(),
    onLive: () => undefined,
  });
  document.elect();
  const loading = document.load();
  await vi.advanceTimersByTimeAsync(1000);
  await loading;
  expect(document.doc.getArray('list').toArray()).toEqual([]);
  await vi.advanceTimersByTimeAsync(500);
  expect(document.doc.getArray('list').toArray()).toEqual([1]);
  await document.close(true);
});
