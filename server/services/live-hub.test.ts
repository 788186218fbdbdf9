import { describe, expect, it } from 'vitest';
import type { InFlight } from '#shared/schemas/in-flight.ts';
import { LiveReader } from '#sync/live-reader.ts';
import type { LiveEvent } from '#sync/live-reader.ts';
import { ManualClock } from '../testing/manual-clock.ts';
import { LiveHub } from './live-hub.ts';

/** A subscriber that reads what it is sent. */
class ReadingSubscriber {
  readonly reader = new LiveReader();
  readonly events: LiveEvent[] = [];
  bytes = 0;
  bufferedBytes = 0;

  send(frame: Uint8Array): void {
    this.bytes += frame.byteLength;
    this.events.push(this.reader.accept(frame.subarray(1)));
  }
}

function build() {
  const clock = new ManualClock();
  const hub = new LiveHub({ clock });
  const running = (hostId: string, total: number | null): InFlight => ({
    hostId,
    total,
    requests: null,
    observedAt: clock.now(),
  });
  return { clock, hub, running };
}

describe('live hub', () => {
  it('[L8] sends a snapshot and then at most one status a second, the latest value of each host', () => {
    const { clock, hub } = build();
    hub.seen('a', clock.now());
    const viewer = new ReadingSubscriber();
    hub.subscribe(viewer, { topics: ['status'] });
    expect(viewer.reader.status.get('a')).toEqual({ hostId: 'a', lastSeenAt: clock.now(), inFlight: null });
    for (let step = 0; step < 50; step += 1) {
      clock.advance(100);
      hub.seen('a', clock.now());
    }
    clock.advance(1000);
    expect(viewer.events.length).toBeLessThanOrEqual(1 + 6);
    expect(viewer.reader.status.get('a')?.lastSeenAt).toBe(clock.now() - 1000);
    expect(viewer.events.every((event) => event.type === 'changed')).toBe(true);
  });

  it('[L8] sends what runs within 250 ms, and its count with the status', () => {
    const { clock, hub, running } = build();
    const viewer = new ReadingSubscriber();
    hub.seen('a', clock.now());
    hub.subscribe(viewer, { topics: ['status', 'in-flight'] });
    hub.inFlight('a', running('a', 2));
    clock.advance(250);
    expect(viewer.reader.inFlight.get('a')?.total).toBe(2);
    clock.advance(1000);
    expect(viewer.reader.status.get('a')?.inFlight).toBe(2);
    hub.inFlight('a', null);
    clock.advance(1000);
    expect(viewer.reader.inFlight.has('a')).toBe(false);
    expect(viewer.reader.status.get('a')?.inFlight).toBeNull();
  });

  it('[L9] gives new hosts, removed hosts and a new subscription by a fresh snapshot', () => {
    const { clock, hub } = build();
    const viewer = new ReadingSubscriber();
    hub.subscribe(viewer, { topics: ['status'] });
    expect(viewer.reader.status.size).toBe(0);
    hub.seen('b', clock.now());
    clock.advance(1000);
    hub.seen('a', clock.now());
    clock.advance(1000);
    expect([...viewer.reader.status.keys()]).toEqual(['a', 'b']);
    hub.remove('b');
    clock.advance(1000);
    expect([...viewer.reader.status.keys()]).toEqual(['a']);
    hub.subscribe(viewer, { topics: ['status'], hosts: ['c', 'a', 'c'] });
    expect([...viewer.reader.status.keys()]).toEqual(['a', 'c']);
    hub.seen('b', clock.now());
    hub.seen('c', clock.now());
    clock.advance(1000);
    expect([...viewer.reader.status.keys()]).toEqual(['a', 'c']);
    expect(viewer.reader.status.get('c')?.lastSeenAt).toBe(clock.now() - 1000);
    hub.subscribe(viewer, { topics: [] });
    const frames = viewer.events.length;
    hub.seen('a', clock.now() + 1);
    clock.advance(2000);
    expect(viewer.events).toHaveLength(frames);
  });

  it('[L10] leaves frames out for a slow reader, says how many, and sends a snapshot when it caught up', () => {
    const { clock, hub } = build();
    const [slow, quick] = [new ReadingSubscriber(), new ReadingSubscriber()];
    hub.seen('a', clock.now());
    hub.subscribe(slow, { topics: ['status'] });
    hub.subscribe(quick, { topics: ['status'] });
    slow.bufferedBytes = 300 * 1024;
    for (let second = 0; second < 5; second += 1) {
      hub.seen('a', clock.now());
      clock.advance(1000);
    }
    expect(slow.events).toHaveLength(1);
    expect(quick.events.length).toBeGreaterThan(4);
    slow.bufferedBytes = 0;
    // Nothing changes any more, and still it is brought up to date.
    clock.advance(2000);
    expect(slow.events.slice(1)).toMatchObject([{ type: 'shed', count: 5 }, { type: 'changed' }]);
    expect([...slow.reader.status]).toEqual([...quick.reader.status]);
    expect(hub.gauges().shedFrames).toBe(5);
  });

  it('[L6] costs each viewer at most 500 B/s for 50 hosts heard every second', () => {
    const { clock, hub, running } = build();
    const viewer = new ReadingSubscriber();
    for (let host = 0; host < 50; host += 1) hub.seen(`gpu-box-${host}`, clock.now());
    hub.subscribe(viewer, { topics: ['status'] });
    const before = viewer.bytes;
    for (let second = 0; second < 60; second += 1) {
      for (let host = 0; host < 50; host += 1) {
        hub.seen(`gpu-box-${host}`, clock.now() + ((host * 379) % 1000));
        hub.inFlight(`gpu-box-${host}`, running(`gpu-box-${host}`, (host + second) % 4));
      }
      clock.advance(1000);
    }
    expect((viewer.bytes - before) / 60).toBeLessThanOrEqual(500);
  });

  it('runs no timer while nobody is subscribed', () => {
    const { clock, hub } = build();
    const viewer = new ReadingSubscriber();
    hub.subscribe(viewer, { topics: ['status', 'in-flight'] });
    hub.unsubscribe(viewer);
    hub.seen('a', clock.now());
    clock.advance(5000);
    expect(viewer.events).toHaveLength(2);
    expect(hub.gauges().subscribers).toBe(0);
    hub.stop();
  });
});
