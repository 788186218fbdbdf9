import { expect, it } from 'vitest';
import { decodeLogFrame, encodeLogFrame, type LogFrame } from './log-frame.ts';
import { LiveReader } from './live-reader.ts';

const frame: LogFrame = {
  hostId: 'marlin',
  modelId: null,
  begins: true,
  state: 'live',
  detail: null,
  at: 1_000_000,
  entries: [
    { type: 'line', source: 'proxy', at: null, text: 'before' },
    { type: 'dropped', source: 'upstream', at: 999_000, count: 1204 },
    { type: 'dropped', source: 'upstream', at: null, count: null },
    { type: 'line', source: 'proxy', at: 999_990, text: '\u001b[31mred\u001b[0m' },
  ],
};

function bodyOf(bytes: Uint8Array): Uint8Array {
  const event = new LiveReader().accept(bytes.subarray(1));
  if (event.type !== 'logs') throw new Error(`a log frame was read as ${event.type}`);
  return event.body;
}

it('[L16] a log frame is read as it was written', () => {
  expect(decodeLogFrame(bodyOf(encodeLogFrame(frame)))).toEqual(frame);
  const other: LogFrame = {
    ...frame,
    modelId: 'org/chat',
    begins: false,
    state: 'failed',
    detail: 'no',
    entries: [],
  };
  expect(decodeLogFrame(bodyOf(encodeLogFrame(other)))).toEqual(other);
});

it('[L7] a log frame that was cut short is none, or one with fewer lines, and never throws', () => {
  const body = bodyOf(encodeLogFrame(frame));
  for (let length = 0; length < body.length; length += 1) {
    const read = decodeLogFrame(body.subarray(0, length));
    expect(read?.entries ?? []).toEqual(frame.entries.slice(0, read?.entries.length ?? 0));
  }
});
