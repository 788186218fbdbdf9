import * as Y from 'yjs';
import { ByteWriter } from '../bytes.ts';

const BIT_ORIGIN = 0x80;
const BIT_RIGHT = 0x40;
const BIT_KEY = 0x20;
const DELETED = 1;
const ANY = 8;
/** lib0's code of the value null. */
const NULL = 126;

/** The structs of one client in a forged update. */
interface ForgedClient {
  readonly client: number;
  readonly clock: number;
  readonly structs: readonly ((out: ByteWriter) => void)[];
}

/** An update by hand: whatever is said goes out, whether Yjs would write it or not. */
export function forge(
  clients: readonly ForgedClient[],
  deletes: readonly {
    readonly client: number;
    readonly ranges: readonly (readonly [number, number])[];
  }[] = [],
): Uint8Array {
  const out = new ByteWriter();
  out.uint(clients.length);
  for (const { client, clock, structs } of clients) {
    out.uint(structs.length);
    out.uint(client);
    out.uint(clock);
    for (const struct of structs) struct(out);
  }
  out.uint(deletes.length);
  for (const { client, ranges } of deletes) {
    out.uint(client);
    out.uint(ranges.length);
    for (const [clock, length] of ranges) {
      out.uint(clock);
      out.uint(length);
    }
  }
  return out.toBytes();
}

/** Structs that {@link forge} writes. */
export const struct = {
  gc: (length: number) => (out: ByteWriter) => {
    out.uint(0);
    out.uint(length);
  },
  skip: (length: number) => (out: ByteWriter) => {
    out.uint(10);
    out.uint(length);
  },
  deleted: (key: string, length: number) => (out: ByteWriter) => {
    out.raw(Uint8Array.from([DELETED | BIT_KEY]));
    out.uint(1);
    out.string('intents');
    out.string(key);
    out.uint(length);
  },
  /** Null under a key, beside whatever stands there. */
  value:
    (key: string, root = 'intents') =>
    (out: ByteWriter) => {
      out.raw(Uint8Array.from([ANY | BIT_KEY]));
      out.uint(1);
      out.string(root);
      out.string(key);
      out.uint(1);
      out.raw(Uint8Array.from([NULL]));
    },
  /** Null after another value, and before one where `right` is given. */
  after:
    (left: readonly [number, number], right: readonly number[] = []) =>
    (out: ByteWriter) => {
      out.raw(Uint8Array.from([ANY | BIT_ORIGIN | (right.length > 0 ? BIT_RIGHT : 0)]));
      for (const part of [...left, ...right]) out.uint(part);
      out.uint(1);
      out.raw(Uint8Array.from([NULL]));
    },
};

/**
 * A long chain of values under one key, and as many that all say they follow its first: Yjs walks along the whole chain
 * for each. Some 40 KB, and seconds to apply.
 */
export function conflictBomb(key: string, length = 4000): Uint8Array {
  const chain = Array.from({ length }, (_, index) =>
    index === 0 ? struct.value(key) : struct.after([1, index - 1]),
  );
  // The first one waits for the whole chain, and the others for the first.
  const followers = Array.from({ length }, (_, index) => struct.after([1, index === 0 ? length - 1 : 0]));
  return forge([
    { client: 2, clock: 0, structs: followers },
    { client: 1, clock: 0, structs: chain },
  ]);
}

/** What a writer of Yjs does that no outbox holds; each with the reason it is refused for. */
export const FOREIGN_WRITES: readonly {
  readonly name: string;
  readonly reason: string;
  readonly write: (doc: Y.Doc, id: string) => void;
}[] = [
  {
    name: 'a foreign root',
    reason: 'foreign',
    write: (doc, id) => void doc.getMap('hosts').set(id, 1),
  },
  {
    name: 'a list in a root',
    reason: 'foreign',
    write: (doc) => doc.getArray('intents').push([1]),
  },
  {
    name: 'text in a root',
    reason: 'foreign',
    write: (doc) => doc.getText('cancels').insert(0, 'x'),
  },
  {
    name: 'a nested map',
    reason: 'foreign',
    write: (doc, id) => void doc.getMap('intents').set(id, new Y.Map([['kind', 'model.load']])),
  },
  {
    name: 'a subdocument',
    reason: 'foreign',
    write: (doc, id) => void doc.getMap('intents').set(id, new Y.Doc()),
  },
  {
    name: 'bytes',
    reason: 'foreign',
    write: (doc, id) => void doc.getMap('intents').set(id, Uint8Array.from([1, 2])),
  },
  {
    name: 'bytes in a record',
    reason: 'value',
    write: (doc, id) => void doc.getMap('intents').set(id, { kind: Uint8Array.from([1]) }),
  },
  {
    name: 'a big integer',
    reason: 'value',
    write: (doc, id) => void doc.getMap('cancels').set(id, { v: 1n }),
  },
  {
    name: 'a key that is no id',
    reason: 'key',
    write: (doc) => void doc.getMap('intents').set('../fleet', { v: 1 }),
  },
];
