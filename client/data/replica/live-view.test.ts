import { afterEach, expect, test, vi } from 'vitest';
import { encodeDiscard, encodeNews, encodeSnapshot } from '#sync/live-frame.ts';
import { newsHeard } from '../live-news.ts';
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
  const view = new LiveView({ onDiscard: () => undefined, onSession: () => undefined });
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
  const view = new LiveView({ onDiscard: (name) => discarded.push(name), onSession: () => undefined });
  view.accept(new Uint8Array([1, 255, 255]));
  view.accept(body(encodeDiscard('fleet@g1')));
  expect(discarded).toEqual(['fleet@g1']);
});

test('news reach whoever shows what changed, and a change of this session its owner', () => {
  const onSession = vi.fn<() => void>();
  const view = new LiveView({ onDiscard: () => undefined, onSession });
  const before = newsHeard.at('devices').get();
  view.accept(body(encodeNews('devices')));
  view.accept(body(encodeNews('session')));
  expect(newsHeard.at('devices').get()).toBe(before + 1);
  expect(onSession).toHaveBeenCalledOnce();
});
