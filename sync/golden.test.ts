import { describe, expect, it } from 'vitest';
import * as Y from 'yjs';
import type { ActivityGap, ActivityRequest } from '#shared/schemas/activity.ts';
import type { ModelEvent } from '#shared/schemas/model.ts';
import { encodeDelta, encodeSnapshot } from './live-frame.ts';
import { LiveReader } from './live-reader.ts';
import { decodeSegment, encodeSegment } from './segment-codec.ts';
import { decodeTail } from './tail-codec.ts';
import { tailItems, tailStrings } from './tail-doc.ts';
import { encodeTailItem } from './tail-row.ts';

const at = Date.UTC(2026, 10, 30, 12);
const request: ActivityRequest = {
  type: 'request',
  hostId: 'box',
  idEpoch: 2,
  id: 41,
  modelId: 'llama',
  path: '/v1/chat/completions',
  endedAt: at,
  status: 200,
  inputTokens: 512,
  outputTokens: 64,
  cachedTokens: 0,
  promptPerSecond: 903.25,
  tokensPerSecond: 38.1,
  durationMs: 2246,
  hasCapture: true,
  error: null,
  source: 'phone',
  sourceCertainty: 'exact',
};
const failed: ActivityRequest = {
  ...request,
  id: 42,
  endedAt: at + 1500,
  status: 500,
  inputTokens: null,
  outputTokens: null,
  cachedTokens: null,
  promptPerSecond: null,
  tokensPerSecond: null,
  durationMs: 12,
  hasCapture: false,
  error: 'context size exceeded',
  source: null,
  sourceCertainty: 'unknown',
};
const gap: ActivityGap = {
  type: 'gap',
  hostId: 'box',
  idEpoch: 2,
  fromId: 43,
  toId: null,
  from: null,
  to: at + 9000,
  reason: 'ring_wrapped',
  endedAt: at + 9000,
};
const event: ModelEvent = {
  type: 'model-event',
  hostId: 'box',
  modelId: 'llama',
  at,
  from: null,
  to: 'stopped',
  reason: 'exit status 1',
};
const strings = ['box', 'llama', '/v1/chat/completions'];

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
const bytes = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text, 'hex'));

/** Bytes as version 1 wrote them. They stand in stored documents and segments: they must read back for ever. */
const WRITTEN = {
  tail: '0146010229020380e8c6d7d6010080044000d5c105e21dc611000570686f6e65b80d0102039c17ac040c15636f6e746578742073697a6520657863656564656403920190017b2274797065223a22676170222c22686f73744964223a22626f78222c22696445706f6368223a322c2266726f6d4964223a34332c22746f4964223a6e756c6c2c2266726f6d223a6e756c6c2c22746f223a313739363034303030393030302c22726561736f6e223a2272696e675f77726170706564222c22656e6465644174223a313739363034303030393030307d0521010280889cc5c56800000773746f70706564010d65786974207374617475732031',
  activity:
    '4453010003020a020080889cc5c5689c17070103626f7801010500000200000500002900000901056c6c616d6101011801142f76312f636861742f636f6d706c6574696f6e7301010a010570686f6e650100001a0115636f6e746578742073697a65206578636565646564000001060000c801f40306000201018004050002010140060002010100000700020101d5c1050600020101e21d050000c6110c05000001000003020001060103626f78010f010c72696e675f7772617070656401030000020300002b04000200010400020001080000a8cacee2a234080000a8cacee2a234',
  events:
    '445301010108020080889cc5c568060103626f78010801056c6c616d6101030000000a010773746f707065640110010d6578697420737461747573203101',
  snapshot: '6401000780889cc5c5680205617474696303626f7805bc0a010604',
  delta: '64020007a8979cc5c5680d980900',
};

/** What came with matched sources: a flag in the tail, version 2 of activity segments. */
const MATCHED = {
  tail: '01c6400003626f78022900056c6c616d6100142f76312f636861742f636f6d706c6574696f6e7380e8c6d7d6010080044000d5c105e21dc611000570686f6e65440200056c6c616d6100142f76312f636861742f636f6d706c6574696f6e73901f0080044000d5c105e21dc611000b69703a31302e302e302e37',
  activity:
    '4453020002020a020080889cc5c568901f070103626f78010105000002000004000029010901056c6c616d6101011801142f76312f636861742f636f6d706c6574696f6e73010115020570686f6e650b69703a31302e302e302e37010203000001060000c801c8010600008004800404000040400400000001080000d5c105d5c105060000e21de21d060000c611c611040000010105000001000002020001000100020000020000020000020000020000020000',
};

describe('bytes of matched sources', () => {
  const matched: ActivityRequest = { ...request, sourceCertainty: 'matched' };
  const other: ActivityRequest = { ...request, id: 43, endedAt: at + 2000, source: 'ip:10.0.0.7' };

  it('[T12] [G7] read back, and are written the same', () => {
    const doc = new Y.Doc();
    tailItems(doc).push([bytes(MATCHED.tail)]);
    expect(decodeTail(doc)).toEqual([matched, other]);
    expect(hex(encodeTailItem([matched, other], () => null))).toBe(MATCHED.tail);
    expect(decodeSegment(bytes(MATCHED.activity))).toMatchObject({ version: 2, rows: [matched, other] });
    expect(hex(encodeSegment('activity', [matched, other]))).toBe(MATCHED.activity);
  });

  it('are not there in what was written before: a source is the host’s own word, none is unknown', () => {
    expect(decodeSegment(bytes(WRITTEN.activity)).rows).toMatchObject([
      { source: 'phone', sourceCertainty: 'exact' },
      { type: 'gap' },
      { source: null, sourceCertainty: 'unknown' },
    ]);
  });
});

describe('bytes of version 1', () => {
  it('[T12] of a tail item read back, and are written the same', () => {
    const doc = new Y.Doc();
    tailStrings(doc).push(strings);
    tailItems(doc).push([bytes(WRITTEN.tail)]);
    expect(decodeTail(doc)).toEqual([request, failed, gap, event]);
    const intern = (text: string): number | null => (strings.includes(text) ? strings.indexOf(text) : null);
    expect(hex(encodeTailItem([request, failed, gap, event], intern))).toBe(WRITTEN.tail);
  });

  it('[G7] of segments read back, and are written the same', () => {
    expect(decodeSegment(bytes(WRITTEN.activity)).rows).toEqual([request, gap, failed]);
    expect(decodeSegment(bytes(WRITTEN.events)).rows).toEqual([event]);
    expect(hex(encodeSegment('activity', [request, gap, failed]))).toBe(WRITTEN.activity);
    expect(hex(encodeSegment('model-events', [event]))).toBe(WRITTEN.events);
  });

  it('[L11] of live frames read back, and are written the same', () => {
    const reader = new LiveReader();
    reader.accept(bytes(WRITTEN.snapshot).subarray(1));
    reader.accept(bytes(WRITTEN.delta).subarray(1));
    expect([...reader.status.values()]).toEqual([
      { hostId: 'attic', lastSeenAt: at - 700, inFlight: 0 },
      { hostId: 'box', lastSeenAt: at + 400, inFlight: null },
    ]);
    const patches = [
      { index: 0, lastSeenAt: at - 700, inFlight: 0 },
      { index: 1, lastSeenAt: null, inFlight: 3 },
    ];
    expect(hex(encodeSnapshot({ seq: 7, at }, ['attic', 'box'], { topic: 'status', patches }))).toBe(
      WRITTEN.snapshot,
    );
    const change = [{ index: 1, lastSeenAt: at + 400, inFlight: null }];
    expect(hex(encodeDelta({ seq: 7, at: at + 1000 }, { topic: 'status', patches: change }))).toBe(
      WRITTEN.delta,
    );
  });
});
