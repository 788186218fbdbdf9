import { messageYjsSyncStep1, messageYjsSyncStep2, messageYjsUpdate } from 'y-protocols/sync';
import { ByteReader, ByteWriter, CorruptBytesError } from './bytes.ts';
import type { LiveSubscription, PresenceReport } from '#shared/schemas/live.ts';
import { LIVE_KIND, LIVE_MESSAGE, parseSubscribe } from './live-frame.ts';
import { parsePresence } from './live-presence.ts';

/** First number of a frame, as y-websocket has them. */
const MESSAGE = { sync: 0, awareness: 1, auth: 2, queryAwareness: 3 } as const;
const PERMISSION_DENIED = 0;

/** A range of deleted structs: `length` clocks of `client` from `clock`. */
export interface DeleteRange {
  readonly client: number;
  readonly clock: number;
  readonly length: number;
}

/** A frame from a client, as far as a server of read-only documents needs it. */
export type ClientMessage =
  | { readonly type: 'step-1'; readonly stateVector: Uint8Array }
  /**
   * Step 2 or update; `update` is its body, unread. `deletes` is null when it brings structs: content that only a
   * writer has.
   */
  | {
      readonly type: 'update';
      readonly update: Uint8Array;
      readonly deletes: readonly DeleteRange[] | null;
    }
  | { readonly type: 'subscribe'; readonly subscription: LiveSubscription }
  | { readonly type: 'presence'; readonly report: PresenceReport }
  /** The device's clock, epoch milliseconds. */
  | { readonly type: 'clock'; readonly deviceNowMs: number }
  | {
      readonly type: 'ignored';
      readonly what: 'awareness' | 'auth' | 'subscription' | 'presence' | 'unknown';
    }
  | { readonly type: 'malformed' };

/** Reads one frame of a client. Never throws: whatever is not understood has a name. */
export function readClientFrame(frame: Uint8Array): ClientMessage {
  const input = new ByteReader(frame);
  try {
    switch (input.uint()) {
      case MESSAGE.sync:
        return readSync(input);
      case MESSAGE.awareness:
      case MESSAGE.queryAwareness:
        return { type: 'ignored', what: 'awareness' };
      case MESSAGE.auth:
        return { type: 'ignored', what: 'auth' };
      case LIVE_MESSAGE:
        return readLive(input);
      default:
        return { type: 'ignored', what: 'unknown' };
    }
  } catch (error) {
    if (error instanceof CorruptBytesError) return { type: 'malformed' };
    throw error;
  }
}

function readSync(input: ByteReader): ClientMessage {
  switch (input.uint()) {
    case messageYjsSyncStep1:
      return { type: 'step-1', stateVector: checkedStateVector(input.block()) };
    case messageYjsSyncStep2:
    case messageYjsUpdate: {
      const update = input.block();
      return { type: 'update', update, deletes: readDeletes(new ByteReader(update)) };
    }
    default:
      return { type: 'ignored', what: 'unknown' };
  }
}

function readLive(input: ByteReader): ClientMessage {
  switch (input.uint()) {
    case LIVE_KIND.subscribe: {
      const subscription = parseSubscribe(input);
      return subscription ? { type: 'subscribe', subscription } : { type: 'ignored', what: 'subscription' };
    }
    case LIVE_KIND.presence: {
      const report = parsePresence(input);
      return report ? { type: 'presence', report } : { type: 'ignored', what: 'presence' };
    }
    case LIVE_KIND.clock:
      return { type: 'clock', deviceNowMs: input.int() };
    default:
      return { type: 'ignored', what: 'unknown' };
  }
}

/** Pairs of client and clock; Yjs would throw half-way through a wrong one. */
function checkedStateVector(bytes: Uint8Array): Uint8Array {
  const input = new ByteReader(bytes);
  const count = input.uint();
  if (count * 2 > input.remaining) throw new CorruptBytesError('more clients than bytes');
  for (let pair = 0; pair < count; pair += 1) {
    input.uint();
    input.uint();
  }
  input.end();
  return bytes;
}

/**
 * The delete set of an update without structs, null for one with structs. A clean client's step 2 carries the
 * deletions of the whole document, always: they are no write. Nothing is given to Yjs here, since an update may be hostile.
 */
function readDeletes(input: ByteReader): readonly DeleteRange[] | null {
  if (input.uint() !== 0) return null;
  const ranges: DeleteRange[] = [];
  const clients = input.uint();
  if (clients * 2 > input.remaining) throw new CorruptBytesError('more clients than bytes');
  for (let index = 0; index < clients; index += 1) {
    const client = input.uint();
    const count = input.uint();
    if (count * 2 > input.remaining) throw new CorruptBytesError('more ranges than bytes');
    for (let range = 0; range < count; range += 1) {
      ranges.push({ client, clock: input.uint(), length: input.uint() });
    }
  }
  input.end();
  return ranges;
}

/** Sync step 1: what the sender has. */
export function encodeStep1(stateVector: Uint8Array): Uint8Array {
  return encodeSync(messageYjsSyncStep1, stateVector);
}

/** Sync step 2: what the other side lacks; the client is in sync when it read it. */
export function encodeStep2(update: Uint8Array): Uint8Array {
  return encodeSync(messageYjsSyncStep2, update);
}

/** An update. */
export function encodeUpdate(update: Uint8Array): Uint8Array {
  return encodeSync(messageYjsUpdate, update);
}

/** An update that changes nothing: it tells a y-websocket client that the server lives, and asks for no answer. */
export const KEEPALIVE_FRAME = encodeUpdate(Uint8Array.from([0, 0]));

/** Permission denied, with the reason in words; a close code follows, since this alone ends nothing. */
export function encodeDenied(reason: string): Uint8Array {
  const out = new ByteWriter();
  out.uint(MESSAGE.auth);
  out.uint(PERMISSION_DENIED);
  out.string(reason);
  return out.toBytes();
}

function encodeSync(kind: number, body: Uint8Array): Uint8Array {
  const out = new ByteWriter();
  out.uint(MESSAGE.sync);
  out.uint(kind);
  out.block(body);
  return out.toBytes();
}
