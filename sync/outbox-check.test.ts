import { describe, expect, it } from 'vitest';
import * as Y from 'yjs';
import type { IntentRecord } from '#shared/schemas/intent-request.ts';
import { applyToOutbox, diffOutbox, type OutboxVerdict } from './outbox-check.ts';
import { OUTBOX_LIMITS, putCancel, putIntent, removeRecords } from './outbox-doc.ts';
import { conflictBomb, FOREIGN_WRITES, forge, struct } from './testing/hostile-updates.ts';

const ids = Array.from({ length: 600 }, (_, index) => {
  return `0199c3a4-7d10-7c55-9b1e-${String(index).padStart(12, '0')}`;
});
const [first = '', second = ''] = ids;

function record(id: string, extra: Record<string, unknown> = {}): IntentRecord {
  return {
    v: 1,
    id,
    kind: 'model.load',
    target: { hostId: 'box', modelId: 'coder' },
    params: {},
    whenDown: 'reject',
    createdAt: 1_764_500_000_000,
    seenAt: null,
    epoch: 1,
    ...extra,
  };
}

type Accepted = OutboxVerdict & { readonly type: 'accepted' };

function accepted(verdict: OutboxVerdict): Accepted {
  if (verdict.type !== 'accepted') throw new Error(JSON.stringify(verdict));
  return verdict;
}

/** An outbox that holds one record, and the document it came from. */
function oneRecord(): { doc: Y.Doc; held: Accepted } {
  const doc = new Y.Doc();
  putIntent(doc, record(first));
  return { doc, held: accepted(applyToOutbox(null, Y.encodeStateAsUpdate(doc))) };
}

describe('outbox check', () => {
  it('[O4] tells the records that are new, as plain JSON, and what to keep and to pass on', () => {
    const { doc, held } = oneRecord();
    expect(held).toMatchObject({ intents: [[first, record(first)]], cancels: [], records: 1, clients: 1 });
    putIntent(doc, record(second));
    putCancel(doc, first, { v: 1, createdAt: 5 });
    const more = accepted(applyToOutbox(held.state, Y.encodeStateAsUpdate(doc, held.vector)));
    expect(more.intents).toEqual([[second, record(second)]]);
    expect(more.cancels).toEqual([[first, { v: 1, createdAt: 5 }]]);
    expect(more.records).toBe(3);
    const other = new Y.Doc();
    Y.applyUpdate(other, held.state);
    Y.applyUpdate(other, more.update);
    expect(other.getMap('intents').toJSON()).toEqual(doc.getMap('intents').toJSON());
    expect(diffOutbox(more.state, more.vector).byteLength).toBeLessThan(40);
  });

  it('[O4] the same again changes nothing, and what is taken out leaves', () => {
    const { doc, held } = oneRecord();
    expect(applyToOutbox(held.state, Y.encodeStateAsUpdate(doc))).toEqual({ type: 'unchanged' });
    removeRecords(doc, [first]);
    const empty = accepted(applyToOutbox(held.state, Y.encodeStateAsUpdate(doc)));
    expect(empty).toMatchObject({ intents: [], cancels: [], records: 0, recordBytes: 0 });
    expect(applyToOutbox(empty.state, Y.encodeStateAsUpdate(doc))).toEqual({ type: 'unchanged' });
  });

  it('[O4] two pages of one device may put and take out the same records', () => {
    const { doc, held } = oneRecord();
    const page = new Y.Doc();
    putIntent(page, record(first));
    putIntent(page, record(second));
    const both = accepted(applyToOutbox(held.state, Y.encodeStateAsUpdate(page)));
    expect(both.records).toBe(2);
    Y.applyUpdate(page, both.state);
    removeRecords(page, [first, second]);
    const none = accepted(applyToOutbox(both.state, Y.encodeStateAsUpdate(page)));
    Y.applyUpdate(doc, none.state);
    expect(doc.getMap('intents').size).toBe(0);
  });

  it('[O5] an update that lacks what comes before it is a gap, structs or deletions', () => {
    const doc = new Y.Doc();
    putIntent(doc, record(first));
    const vector = Y.encodeStateVector(doc);
    putIntent(doc, record(second));
    expect(applyToOutbox(null, Y.encodeStateAsUpdate(doc, vector))).toEqual({ type: 'gap' });
    const deletion = forge([], [{ client: 77, ranges: [[0, 5]] }]);
    expect(applyToOutbox(null, deletion)).toEqual({ type: 'gap' });
  });

  it.each(FOREIGN_WRITES)('[O6] refuses $name', ({ reason, write }) => {
    const doc = new Y.Doc();
    write(doc, first);
    const { held } = oneRecord();
    expect(applyToOutbox(held.state, Y.encodeStateAsUpdate(doc))).toMatchObject({ type: 'refused', reason });
  });

  it('[O6] refuses runs that stand for nothing, at the next clock of a known writer or anywhere', () => {
    const { doc, held } = oneRecord();
    const client = doc.clientID;
    for (const forged of [
      forge([{ client, clock: 1, structs: [struct.gc(2 ** 31)] }]),
      forge([{ client: 5, clock: 0, structs: [struct.gc(2 ** 40)] }]),
      forge([{ client, clock: 1, structs: [struct.skip(9), struct.value(first)] }]),
      forge([{ client, clock: 1, structs: [struct.deleted(first, 2 ** 31)] }]),
      forge([{ client, clock: 1, structs: [struct.after([client, 0], [client, 0])] }]),
      forge([], [{ client, ranges: Array.from({ length: 1000 }, () => [0, 1]) }]),
      forge([
        { client: 5, clock: 0, structs: [struct.value(first)] },
        { client: 6, clock: 0, structs: [struct.value(first)] },
        { client: 5, clock: 0, structs: [struct.value(second)] },
      ]),
    ]) {
      expect(applyToOutbox(held.state, forged)).toMatchObject({ type: 'refused', reason: 'forged' });
    }
  });

  it('[O6] bytes that are no update are malformed, however they begin', () => {
    const whole = Y.encodeStateAsUpdate(oneRecord().doc);
    for (let end = 0; end < whole.byteLength - 1; end += 1) {
      expect(applyToOutbox(null, whole.subarray(0, end)).type).toBe('refused');
    }
    // Believing this count would cost gigabytes.
    const counted = Uint8Array.from([1, 255, 255, 255, 255, 15, 1, 0, 8]);
    expect(applyToOutbox(null, counted)).toMatchObject({ type: 'refused', reason: 'malformed' });
  });

  it('[O7] refuses too many records, writers or bytes; one large record is the ledger’s to reject', () => {
    const many = new Y.Doc();
    many.transact(() => {
      for (const id of ids) putIntent(many, record(id));
    });
    expect(applyToOutbox(null, Y.encodeStateAsUpdate(many))).toMatchObject({ reason: 'too_many' });
    const large = new Y.Doc();
    const big = record(first, { params: { text: 'x'.repeat(20_000) } });
    putIntent(large, big);
    expect(accepted(applyToOutbox(null, Y.encodeStateAsUpdate(large))).intents).toEqual([[first, big]]);
    putIntent(large, record(second, { params: { text: 'x'.repeat(OUTBOX_LIMITS.documentBytes) } }));
    expect(applyToOutbox(null, Y.encodeStateAsUpdate(large))).toMatchObject({ reason: 'too_large' });
    const writers = Array.from({ length: 1100 }, (_, client) => ({
      client,
      clock: 0,
      structs: [struct.value(first)],
    }));
    expect(applyToOutbox(null, forge(writers))).toMatchObject({ reason: 'too_many' });
  });

  it('[O8] what costs long to apply is what the deadline is for: nothing else tells it from an outbox', () => {
    expect(applyToOutbox(null, conflictBomb(first, 100)).type).toBe('accepted');
  });
});
