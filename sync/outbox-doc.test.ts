import { describe, expect, it } from 'vitest';
import * as Y from 'yjs';
import type { IntentRecord } from '#shared/schemas/intent-request.ts';
import { formatOutboxName, parseOutboxName } from './doc-name.ts';
import { putCancel, putIntent, readOutbox, removeRecords } from './outbox-doc.ts';

const record: IntentRecord = {
  v: 1,
  id: '0199c3a4-7d10-7c55-9b1e-52f0a1c0de77',
  kind: 'model.load',
  target: { hostId: 'box', modelId: 'coder' },
  params: {},
  whenDown: 'reject',
  createdAt: 1_764_500_000_000,
  seenAt: null,
  epoch: 1,
};

describe('outbox document', () => {
  it('O1 records stand under their ids as plain values, on every replica', () => {
    const device = new Y.Doc();
    putIntent(device, record);
    putCancel(device, record.id, { v: 1, createdAt: record.createdAt + 1 });
    const collector = new Y.Doc();
    Y.applyUpdate(collector, Y.encodeStateAsUpdate(device));
    expect(readOutbox(collector)).toEqual({
      intents: new Map([[record.id, record]]),
      cancels: new Map([[record.id, { v: 1, createdAt: record.createdAt + 1 }]]),
    });
  });

  it('O2 what ended is taken out of both roots in one update, and unknown ids change nothing', () => {
    const device = new Y.Doc();
    putIntent(device, record);
    putCancel(device, record.id, { v: 1, createdAt: record.createdAt });
    let updates = 0;
    device.on('update', () => (updates += 1));
    removeRecords(device, [record.id]);
    removeRecords(device, [record.id, 'never seen']);
    expect(updates).toBe(1);
    expect(readOutbox(device)).toEqual({ intents: new Map(), cancels: new Map() });
  });

  it('O3 a name carries owner and epoch, and nothing else is one', () => {
    expect(parseOutboxName(formatOutboxName('d_1', 3))).toEqual({ kind: 'outbox', ownerId: 'd_1', epoch: 3 });
    for (const text of [
      'outbox:@e1',
      'outbox:a@e0',
      'outbox:a@g1',
      'outbox:a/b@e1',
      'outbox:a@e1 ',
      'fleet@g1',
    ]) {
      expect(parseOutboxName(text)).toBeNull();
    }
  });
});
