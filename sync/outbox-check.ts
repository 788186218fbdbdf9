import * as Y from 'yjs';
import { boundedText } from '#shared/lib/bounded-text.ts';
import { intentId } from '#shared/schemas/intent.ts';
import { OUTBOX_LIMITS, OUTBOX_ROOTS } from './outbox-doc.ts';
import { plainJson } from './plain-json.ts';

/** Why an update of an outbox was refused. */
export type OutboxRefusal =
  /** Bytes that Yjs cannot read. */
  | 'malformed'
  /** Structs or deletions that no Yjs writer of an outbox makes. */
  | 'forged'
  /** Another root, a list, a text, a nested type, a subdocument. */
  | 'foreign'
  /** A key that is no intent's id. */
  | 'key'
  /** A value that JSON cannot hold. */
  | 'value'
  | 'too_large'
  | 'too_many';

/** Records of an update by id. */
export type OutboxRecords = readonly (readonly [id: string, record: unknown])[];

/** What an update does to an outbox. */
export type OutboxVerdict =
  | { readonly type: 'unchanged' }
  /** Something before it is missing. Asking with a step 1 brings it, together with this update. */
  | { readonly type: 'gap' }
  | { readonly type: 'refused'; readonly reason: OutboxRefusal; readonly detail: string }
  | {
      readonly type: 'accepted';
      /** Records that are new or were put anew, as plain JSON. */
      readonly intents: OutboxRecords;
      readonly cancels: OutboxRecords;
      /** What was new in it, encoded anew: nothing else travels on. */
      readonly update: Uint8Array;
      /** The whole document after it, and its state vector. */
      readonly state: Uint8Array;
      readonly vector: Uint8Array;
      /** Live records of both roots, their bytes as JSON, and how many Yjs clients ever wrote. */
      readonly records: number;
      readonly recordBytes: number;
      readonly clients: number;
    };

/** A key set anew leaves a run of deleted structs under it, one struct each time. */
const MAX_DELETED_RUN = 1024;
/** A document at its limit of bytes has some 5,000: each that begins under a key carries the key. */
const MAX_STRUCTS = 8192;
/** Each page that ever wrote is one; an outbox is rotated long before. */
const MAX_CLIENTS = 1024;

/**
 * Applies an update to a copy of an outbox and says what it did. The bytes are hostile: they may burn time and memory,
 * so this runs where both are bounded, and nothing but the verdict leaves.
 */
export function applyToOutbox(state: Uint8Array | null, update: Uint8Array): OutboxVerdict {
  const doc = openOutbox(state);
  const roots = OUTBOX_ROOTS.map((name) => doc.getMap<unknown>(name));
  const changed = roots.map((root) => {
    const keys = new Set<string>();
    root.observe(({ keysChanged }) => {
      for (const key of keysChanged) if (typeof key === 'string') keys.add(key);
    });
    return keys;
  });
  let fresh: Uint8Array | null = null;
  doc.on('update', (applied: Uint8Array) => (fresh = applied));
  try {
    const forgery = inspect(update);
    if (forgery) return forgery;
    Y.applyUpdate(doc, update);
  } catch (error) {
    return refused('malformed', error instanceof Error ? error.message : String(error));
  }
  if (doc.store.pendingStructs !== null || doc.store.pendingDs !== null) return { type: 'gap' };
  const foreign = inspectDocument(doc, roots);
  if (foreign) return foreign;
  if (fresh === null) return { type: 'unchanged' };

  const records: [string, unknown][][] = [];
  let count = 0;
  let recordBytes = 0;
  for (const [index, root] of roots.entries()) {
    const put: [string, unknown][] = [];
    for (const [id, value] of root.entries()) {
      const json = plainJson(value);
      if (json === null) return refused('value', `the record under ${id} is no plain JSON`);
      count += 1;
      recordBytes += json.bytes;
      if (changed[index]?.has(id)) put.push([id, json.value]);
    }
    records.push(put);
  }
  if (count > OUTBOX_LIMITS.records) return refused('too_many', `${count} records`);
  const whole = Y.encodeStateAsUpdate(doc);
  if (whole.byteLength > OUTBOX_LIMITS.documentBytes)
    return refused('too_large', `${whole.byteLength} bytes`);
  return {
    type: 'accepted',
    intents: records[0] ?? [],
    cancels: records[1] ?? [],
    update: fresh,
    state: whole,
    vector: Y.encodeStateVector(doc),
    records: count,
    recordBytes,
    clients: doc.store.clients.size,
  };
}

/** What a reader with this state vector lacks of an outbox, as an update. */
export function diffOutbox(state: Uint8Array | null, vector: Uint8Array): Uint8Array {
  return Y.encodeStateAsUpdate(openOutbox(state), vector);
}

function openOutbox(state: Uint8Array | null): Y.Doc {
  const doc = new Y.Doc();
  if (state !== null) Y.applyUpdate(doc, state);
  return doc;
}

/**
 * What can be seen without applying: kinds of structs and the order of deletions. It bounds what applying can cost, and
 * finds what leaves no trace afterwards.
 */
function inspect(update: Uint8Array): OutboxVerdict | null {
  const { structs, ds } = Y.decodeUpdate(update);
  if (structs.length > MAX_STRUCTS) return refused('too_many', `${structs.length} structs`);
  const clients = new Set<number>();
  let client: number | null = null;
  for (const struct of structs) {
    if (struct.id.client !== client) {
      client = struct.id.client;
      if (clients.has(client)) return refused('forged', 'structs of a client in two places');
      clients.add(client);
    }
    // A deleted record of a map stays an item under its key: only deleted nested types leave runs without one.
    if (!(struct instanceof Y.Item)) return refused('forged', 'a run of structs without content');
    // In a map the newest value stands last: it is put after another, never before one.
    if (struct.rightOrigin !== null) return refused('forged', 'a value before another');
    const foreign = inspectContent(struct);
    if (foreign) return foreign;
  }
  for (const ranges of ds.clients.values()) {
    let end = 0;
    for (const { clock, len } of ranges) {
      if (clock < end || len < 1) return refused('forged', 'deletions out of order');
      end = clock + len;
    }
  }
  return null;
}

function inspectContent({ content, length }: Y.Item): OutboxVerdict | null {
  if (content instanceof Y.ContentAny) {
    if (length !== 1) return refused('forged', 'several values under one key');
    // Also of a value that another one outlives at once: whether it does depends on chance.
    return plainJson(content.arr[0]) ? null : refused('value', 'a record that is no plain JSON');
  }
  if (content instanceof Y.ContentDeleted) {
    return length <= MAX_DELETED_RUN ? null : refused('forged', `a run of ${length} deleted structs`);
  }
  return refused('foreign', `a ${content.constructor.name.replace('Content', '').toLowerCase()}`);
}

/** Every struct of the document is a value, or a deleted one, under an intent's id in one of the two roots. */
function inspectDocument(doc: Y.Doc, roots: readonly Y.Map<unknown>[]): OutboxVerdict | null {
  if (doc.share.size > roots.length) return refused('foreign', 'another root');
  if (doc.store.clients.size > MAX_CLIENTS) return refused('too_many', `${doc.store.clients.size} writers`);
  const known: ReadonlySet<unknown> = new Set(roots);
  for (const structs of doc.store.clients.values()) {
    for (const struct of structs) {
      if (!(struct instanceof Y.Item)) return refused('forged', 'a run of structs without content');
      if (!known.has(struct.parent) || struct.parentSub === null) {
        return refused('foreign', 'a value that stands under no key');
      }
      if (!intentId.safeParse(struct.parentSub).success) {
        return refused('key', 'a key that is no intent id');
      }
    }
  }
  return null;
}

function refused(reason: OutboxRefusal, detail: string): OutboxVerdict {
  return { type: 'refused', reason, detail: boundedText(detail, 200) };
}
