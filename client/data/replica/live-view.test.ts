import { afterEach, expect, test } from 'vitest';
import { encodeDiscard, encodeSnapshot } from '#sync/live-frame.ts';
import { inFlightCell, liveByHost, LIVE_UNKNOWN } from '../live-state.ts';
import { stubFrames, unstubFrames } from '../testing/frames.ts';
import { LiveView } from './live-view.ts';

afterEach(() => {
  unstubFrames();
});

/** The body of a frame, after its message type. */
const body = (frame: Uint8Array): Uint8Array => frame.subarray(1);

test('live values are shown at the next paint and unknown at once when the socket goes', () => {
  const paint = stubFrames();
  const view = new LiveView(() => undefined);
  view.accept(
    body(
      encodeSnapshot({ seq: 1, at: 1000 }, ['marlin'], {
        topic: 'status',
        patches: [{ index: 0, lastSeenAt: 900, inFlight: 1 }],
      }),
    ),
  );
  view.accept(
    body(
      encodeSnapshot({ seq: 2, at: 1000 }, ['marlin'], {
        topic: 'in-flight',
        patches: [{ index: 0, value: { total: 1, requests: null, observedAt: 950 } }],
      }),
    ),
  );
  expect(liveByHost.at('marlin').get()).toBe(LIVE_UNKNOWN);
  paint();
  expect(liveByHost.at('marlin').get()).toMatchObject({ lastSeenAt: 900, inFlight: { total: 1 } });
  expect(inFlightCell.get()).toHaveLength(1);
  view.reset();
  expect(liveByHost.at('marlin').get()).toBe(LIVE_UNKNOWN);
  expect(inFlightCell.get()).toEqual([]);
});

test('the collector can ask to drop a copy; a corrupt frame changes nothing', () => {
  stubFrames();
  const discarded: string[] = [];
  const view = new LiveView((name) => discarded.push(name));
  view.accept(new Uint8Array([1, 255, 255]));
  view.accept(body(encodeDiscard('fleet@g1')));
  expect(discarded).toEqual(['fleet@g1']);
});
