import { expect, test } from 'vitest';
import { temporaryStore } from '../../testing/temporary-store.ts';

const document = { state: Uint8Array.from([1, 2, 3]), vector: Uint8Array.from([1, 9, 3]), records: 2 };

test('an outbox begins empty in the first epoch, keeps what is put, and forgets it with its epoch', () => {
  const { outboxes } = temporaryStore();
  expect(outboxes.get('dev-a')).toEqual({
    epoch: 1,
    floor: 1,
    since: null,
    state: null,
    vector: null,
    records: 0,
  });
  outboxes.put('dev-a', document, 10);
  outboxes.put('dev-a', { ...document, records: 3 }, 20);
  expect(outboxes.get('dev-a')).toMatchObject({ epoch: 1, floor: 1, since: 10, records: 3 });
  expect(new Uint8Array(outboxes.get('dev-a').state ?? [])).toEqual(document.state);
  expect(outboxes.totals()).toEqual({ outboxes: 1, records: 3, bytes: 3, largestBytes: 3 });

  outboxes.begin('dev-a', { epoch: 2 }, 30);
  expect(outboxes.get('dev-a')).toEqual({
    epoch: 2,
    floor: 1,
    since: 30,
    state: null,
    vector: null,
    records: 0,
  });
  outboxes.begin('dev-a', { epoch: 3, floor: 3 }, 40);
  outboxes.begin('dev-b', { epoch: 2, floor: 2 }, 40);
  outboxes.begin('dev-c', { epoch: 2 }, 40);
  expect(outboxes.get('dev-a')).toMatchObject({ epoch: 3, floor: 3 });
  expect(outboxes.get('dev-b')).toMatchObject({ epoch: 2, floor: 2 });
  expect(outboxes.get('dev-c')).toMatchObject({ epoch: 2, floor: 1 });
  outboxes.remove('dev-a');
  expect(outboxes.get('dev-a')).toMatchObject({ epoch: 1, since: null });
});

test('hostile frames in a row are kept over epochs and a restore, and gone with their owner', () => {
  const { outboxes } = temporaryStore();
  expect(outboxes.quarantinesOf('dev-a')).toBeNull();
  outboxes.begin('dev-a', { epoch: 2, quarantines: { count: 3, lastAt: 30 } }, 30);
  outboxes.begin('dev-a', { epoch: 3 }, 40);
  outboxes.put('dev-a', document, 50);
  outboxes.restart(9, 60);
  expect(outboxes.quarantinesOf('dev-a')).toEqual({ count: 3, lastAt: 30 });
  expect(outboxes.quarantinesOf('dev-b')).toBeNull();
  outboxes.remove('dev-a');
  expect(outboxes.quarantinesOf('dev-a')).toBeNull();
});

test('after history went back every outbox, old or new, is above all epochs there ever were', () => {
  const { outboxes } = temporaryStore();
  outboxes.put('dev-a', document, 10);
  outboxes.begin('dev-b', { epoch: 7 }, 10);
  outboxes.restart(5, 50);
  for (const owner of ['dev-a', 'dev-b', 'dev-new']) {
    expect(outboxes.get(owner)).toMatchObject({ epoch: 8, floor: 8, state: null, records: 0 });
  }
  outboxes.put('dev-new', document, 60);
  expect(outboxes.get('dev-new')).toMatchObject({ epoch: 8, floor: 8, records: 2 });
  outboxes.restart(29_000_000, 70);
  expect(outboxes.get('dev-new')).toMatchObject({ epoch: 29_000_000, floor: 29_000_000, state: null });
});
