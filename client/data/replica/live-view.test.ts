import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { LivePerson } from '#shared/schemas/live.ts';
import { ByteReader } from '#sync/bytes.ts';
import { encodeDiscard, encodeNews, encodeSnapshot, LIVE_KIND } from '#sync/live-frame.ts';
import { parsePresence } from '#sync/live-presence.ts';
import { newsHeard } from '../live-news.ts';
import { inFlightCell, liveByHost, LIVE_UNKNOWN } from '../live-state.ts';
import { performanceByHost } from '../performance-state.ts';
import { addPresence, presenceByHost } from '../presence-state.ts';
import { stubFrames, unstubFrames } from '../testing/frames.ts';
import { LiveView } from './live-view.ts';
import type { LiveViewListener } from './live-view.ts';

let page: EventTarget & { visibilityState: 'visible' | 'hidden' };
let view: LiveView | null = null;

beforeEach(() => {
  page = Object.assign(new EventTarget(), { visibilityState: 'visible' as const });
  vi.stubGlobal('document', page);
});

afterEach(() => {
  view?.stop();
  unstubFrames();
});

function open(listener: Partial<LiveViewListener> = {}): LiveView {
  const silent = { onDiscard: () => undefined, onSession: () => undefined, send: () => undefined };
  view = new LiveView({ ...silent, ...listener });
  return view;
}

/** The body of a frame, after its message type. */
const body = (frame: Uint8Array): Uint8Array => frame.subarray(1);

test('live values are shown at the next paint and unknown at once when the socket goes', () => {
  const paint = stubFrames();
  const view = open();
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

test('samples come live, stay with their time when the socket goes, and go with the copy', () => {
  const paint = stubFrames();
  const sent: Uint8Array[] = [];
  const view = open({ send: (frame) => sent.push(frame) });
  view.opened();
  expect(new TextDecoder().decode(sent[0])).toContain('"performance"');
  const sample = { cpuPct: 4, memUsedMb: 3000, memTotalMb: 64_000, swapUsedMb: null, swapTotalMb: null };
  const system = { at: 900, ...sample, loadAvg1: null, netInBytesPerSec: null, netOutBytesPerSec: null };
  const value = { observedAt: 950, system, gpus: [] };
  view.accept(
    body(
      encodeSnapshot({ seq: 1, at: 1000 }, ['marlin'], {
        topic: 'performance',
        patches: [{ index: 0, value }],
      }),
    ),
  );
  paint();
  const shown = { hostId: 'marlin', ...value };
  expect(performanceByHost.at('marlin').get()).toEqual(shown);
  view.reset();
  expect(performanceByHost.at('marlin').get()).toEqual(shown);
  view.stop();
  expect(performanceByHost.at('marlin').get()).toBeNull();
});

test('the collector can ask to drop a copy; a corrupt frame changes nothing', () => {
  stubFrames();
  const discarded: string[] = [];
  const view = open({ onDiscard: (name) => discarded.push(name) });
  view.accept(new Uint8Array([1, 255, 255]));
  view.accept(body(encodeDiscard('fleet@g1')));
  expect(discarded).toEqual(['fleet@g1']);
});

test('news reach whoever shows what changed, and a change of this session its owner', () => {
  const onSession = vi.fn<() => void>();
  const view = open({ onSession });
  const before = newsHeard.at('devices').get();
  view.accept(body(encodeNews('devices')));
  view.accept(body(encodeNews('session')));
  expect(newsHeard.at('devices').get()).toBe(before + 1);
  expect(onSession).toHaveBeenCalledOnce();
});

test('who looks at a host is shown, and nobody as soon as the socket goes', () => {
  const paint = stubFrames();
  const ben: LivePerson = { deviceId: 'd2', label: 'ben-laptop', since: 400, preparing: null };
  const view = open();
  view.accept(
    body(
      encodeSnapshot({ seq: 1, at: 1000 }, ['marlin'], {
        topic: 'presence',
        patches: [{ index: 0, value: { people: [ben], more: 2 } }],
      }),
    ),
  );
  paint();
  expect(presenceByHost.at('marlin').get()).toEqual({ hostId: 'marlin', people: [ben], more: 2 });
  view.reset();
  expect(presenceByHost.at('marlin').get()).toBeNull();
});

test('[L12] a page tells what all of its parts show: on opening, when it changes, and again while it can be seen', () => {
  vi.useFakeTimers();
  const told: unknown[] = [];
  const view = open({
    send: (frame) => {
      const input = new ByteReader(body(frame));
      if (input.uint() === LIVE_KIND.presence) told.push(parsePresence(input));
    },
  });
  const last = (): unknown => told.at(-1);
  const leave = addPresence({ hostId: 'marlin', preparing: null });
  expect(told).toEqual([]);
  view.opened();
  expect(last()).toEqual({ hostId: 'marlin', preparing: null });
  const preparing = { kind: 'model.unload', modelId: 'coder' };
  const close = addPresence({ hostId: 'marlin', preparing });
  const same = addPresence({ hostId: 'marlin', preparing: null });
  expect(told).toHaveLength(2);
  expect(last()).toEqual({ hostId: 'marlin', preparing });
  vi.advanceTimersByTime(30_000);
  expect(told).toHaveLength(3);
  page.visibilityState = 'hidden';
  vi.advanceTimersByTime(60_000);
  expect(told).toHaveLength(3);
  page.visibilityState = 'visible';
  page.dispatchEvent(new Event('visibilitychange'));
  expect(told).toHaveLength(4);
  close();
  same();
  leave();
  expect(last()).toEqual({ hostId: null, preparing: null });
  view.reset();
  addPresence({ hostId: 'heron', preparing: null })();
  expect(told).toHaveLength(6);
});
