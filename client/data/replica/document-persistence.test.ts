import { afterEach, expect, test, vi } from 'vitest';
import * as Y from 'yjs';
import { MemoryDocumentStore } from '../testing/memory-document-store.ts';
import { DocumentPersistence } from './document-persistence.ts';

afterEach(() => vi.useRealTimers());

function persist(store: MemoryDocumentStore) {
  const doc = new Y.Doc();
  const errors: (string | null)[] = [];
  const persistence = new DocumentPersistence({ doc, store, onError: (error) => errors.push(error) });
  return { doc, errors, persistence, list: doc.getArray<number>('list') };
}

async function reload(store: MemoryDocumentStore): Promise<number[]> {
  const { persistence, list } = persist(store);
  await persistence.load();
  return list.toArray();
}

test('what is flushed is there at the next start, many updates in one transaction', async () => {
  const store = new MemoryDocumentStore();
  const { list, persistence } = persist(store);
  expect(await persistence.load()).toBe('empty');
  persistence.startWriting();
  await persistence.flush();
  for (let value = 0; value < 50; value += 1) list.push([value]);
  const before = store.transactions;
  expect(await persistence.flush()).toBe(true);
  expect(store.transactions).toBe(before + 1);
  expect(await reload(store)).toHaveLength(50);
});

test('many updates become one snapshot, and nothing is lost by it', async () => {
  const store = new MemoryDocumentStore();
  const { list, persistence } = persist(store);
  persistence.startWriting();
  for (let round = 0; round < 12; round += 1) {
    for (let value = 0; value < 50; value += 1) list.push([value]);
    await persistence.flush();
  }
  expect(store.updates.length).toBeLessThanOrEqual(500);
  expect(await reload(store)).toHaveLength(600);
});

test('a tab that was not elected writes nothing', async () => {
  const store = new MemoryDocumentStore();
  const { list, persistence } = persist(store);
  await persistence.load();
  list.push([1]);
  expect(await persistence.flush()).toBe(false);
  expect(store.transactions).toBe(0);
});

test('a refused write is said, keeps everything, and is made good', async () => {
  const store = new MemoryDocumentStore();
  const { list, errors, persistence } = persist(store);
  persistence.startWriting();
  await persistence.flush();
  store.refuses = true;
  list.push([1]);
  expect(await persistence.flush()).toBe(false);
  expect(await persistence.flush()).toBe(false);
  expect(errors.at(-1)).toBe('no room');
  store.refuses = false;
  list.push([2]);
  expect(await persistence.flush()).toBe(true);
  expect(errors.at(-1)).toBeNull();
  expect(await reload(store)).toEqual([1, 2]);
});

test('a copy that the browser cleared is written whole again, at once and without a word', async () => {
  vi.useFakeTimers();
  const store = new MemoryDocumentStore();
  const { list, errors, persistence } = persist(store);
  persistence.startWriting();
  list.push([1]);
  await persistence.flush();
  store.clear();
  await vi.advanceTimersByTimeAsync(250);
  expect(await reload(store)).toEqual([1]);
  expect(errors.every((error) => error === null)).toBe(true);
});

test('a copy that was cleared without the browser saying so is written whole by the next change', async () => {
  const store = new MemoryDocumentStore();
  const { list, errors, persistence } = persist(store);
  persistence.startWriting();
  list.push([1]);
  await persistence.flush();
  store.snapshot = null;
  list.push([2]);
  expect(await persistence.flush()).toBe(false);
  expect(await persistence.flush()).toBe(true);
  expect(errors.every((error) => error === null)).toBe(true);
  expect(await reload(store)).toEqual([1, 2]);
});

test('while held, a trim does not reach the store, what came before it does', async () => {
  const store = new MemoryDocumentStore();
  const { doc, list, persistence } = persist(store);
  persistence.startWriting();
  list.push([1, 2]);
  await persistence.flush();
  list.push([3]);
  doc.once('beforeObserverCalls', () => persistence.setHeld(true));
  list.delete(0, 2);
  expect(await persistence.flush()).toBe(false);
  expect(await reload(store)).toEqual([1, 2, 3]);
  persistence.setHeld(false);
  await persistence.flush();
  expect(await reload(store)).toEqual([3]);
});

test('a copy goes into the document as whose work it is asked to, or not at all when that is in step', async () => {
  const store = new MemoryDocumentStore();
  const first = persist(store);
  first.persistence.startWriting();
  first.list.push([1]);
  await first.persistence.flush();
  const late = persist(store);
  const socket = Symbol('socket');
  const origins: unknown[] = [];
  late.doc.on('update', (_update: Uint8Array, origin: unknown) => origins.push(origin));
  expect(await late.persistence.load(() => socket)).toBe('found');
  expect(late.list.toArray()).toEqual([1]);
  expect(origins).toEqual([socket]);
  const inStep = persist(store);
  expect(await inStep.persistence.load(() => null)).toBe('unneeded');
  expect(inStep.list.toArray()).toEqual([]);
});

test('a failed read is told apart from an empty one', async () => {
  const store = new MemoryDocumentStore();
  store.refuses = true;
  const broken = persist(store);
  expect(await broken.persistence.load()).toBe('failed');
  expect(broken.errors).toEqual(['no room']);
});

test('loaded updates are not stored a second time', async () => {
  const store = new MemoryDocumentStore();
  const first = persist(store);
  first.persistence.startWriting();
  first.list.push([1]);
  await first.persistence.flush();
  const second = persist(store);
  second.persistence.startWriting();
  await second.persistence.flush();
  const before = store.transactions;
  await second.persistence.load();
  await second.persistence.flush();
  expect(store.transactions).toBe(before);
});

test('a copy that was read whole is not written again, what comes after it is', async () => {
  vi.useFakeTimers();
  const store = new MemoryDocumentStore();
  const first = persist(store);
  first.persistence.startWriting();
  first.list.push([1]);
  await first.persistence.flush();
  const before = store.transactions;
  const second = persist(store);
  await second.persistence.load();
  second.persistence.startWriting();
  await vi.advanceTimersByTimeAsync(1000);
  expect(store.transactions).toBe(before);
  second.list.push([2]);
  await vi.advanceTimersByTimeAsync(1000);
  expect(store.transactions).toBe(before + 1);
  expect(await reload(store)).toEqual([1, 2]);
});

test('what came in between reading the copy and being elected is written', async () => {
  const store = new MemoryDocumentStore();
  const first = persist(store);
  first.persistence.startWriting();
  await first.persistence.flush();
  const second = persist(store);
  await second.persistence.load();
  second.list.push([1]);
  second.persistence.startWriting();
  await second.persistence.flush();
  expect(await reload(store)).toEqual([1]);
});
