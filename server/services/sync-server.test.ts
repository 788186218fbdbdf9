import { describe, expect, it } from 'vitest';
import { FleetEntries } from '#sync/fleet-doc.ts';
import { encodeNews, encodePresence, encodeSubscribe } from '#sync/live-frame.ts';
import { LiveReader } from '#sync/live-reader.ts';
import { encodeUpdate, KEEPALIVE_FRAME } from '#sync/sync-frame.ts';
import { ManualClock } from '../testing/manual-clock.ts';
import { memoryAuthenticator } from '../testing/memory-authenticator.ts';
import { memoryDocuments } from '../testing/memory-documents.ts';
import { silentLog } from '../testing/silent-log.ts';
import { LiveHub } from './live-hub.ts';
import { LogHub } from './log-hub.ts';
import { PresenceBoard } from './presence-board.ts';
import { SyncServer } from './sync-server.ts';
import type { SyncLimits, SyncPeer } from './sync-server.ts';

/** A socket that takes everything and remembers. */
class FakeSocket {
  readonly frames: Uint8Array[] = [];
  bufferedBytes = 0;
  pings = 0;
  ended: string | null = null;

  send(frame: Uint8Array): void {
    this.frames.push(frame);
  }
  ping(): void {
    this.pings += 1;
  }
  close(code: number, reason: string): void {
    this.ended ??= `${code} ${reason}`;
  }
  terminate(): void {
    this.ended ??= 'terminated';
  }
}

function build(limits: Partial<SyncLimits> = {}) {
  const clock = new ManualClock();
  const documents = memoryDocuments();
  const authenticator = memoryAuthenticator({
    alice: { kind: 'device', id: 'dev-1', label: 'phone', role: 'admin' },
    bob: { kind: 'key', id: 'key-1', label: 'ci', role: 'viewer' },
  });
  const live = new LiveHub({ clock });
  const log = silentLog();
  const presence = new PresenceBoard({ live, isHost: (id) => ['box', 'other'].includes(id), clock });
  const logs = new LogHub({ clock, secretsOf: () => [] });
  const sync = new SyncServer({ documents, authenticator, live, presence, logs, clock, log, limits });
  sync.start();
  const connect = (session: string, document = 'fleet@g1'): { socket: FakeSocket; peer: SyncPeer | null } => {
    const socket = new FakeSocket();
    return { socket, peer: sync.connect(socket, { document, credentials: { session, key: null } }) };
  };
  return { clock, documents, authenticator, live, logs, log, sync, connect };
}

describe('sync server', () => {
  it('[S13] sends an application message at least every 20 s and pings; a dead peer is cut', () => {
    const { clock, connect } = build();
    const { socket, peer } = connect('alice');
    for (let minute = 0; minute < 4; minute += 1) {
      const before = socket.frames.length;
      clock.advance(20_000);
      expect(socket.frames.length).toBeGreaterThan(before);
      peer?.heard();
    }
    expect(socket.frames.at(-1)).toEqual(KEEPALIVE_FRAME);
    expect(socket.pings).toBeGreaterThan(2);
    expect(socket.ended).toBeNull();
    clock.advance(65_000);
    expect(socket.ended).toBe('terminated');
  });

  it('[S14] closes at once when a session is ended, and at the re-check when it is only gone', () => {
    const { clock, connect, authenticator, sync } = build();
    const first = connect('alice');
    const second = connect('alice', 'tail@g1');
    const other = connect('bob');
    authenticator.end('alice', 'revoked');
    expect([first.socket.ended, second.socket.ended]).toEqual(['4401 revoked', '4401 revoked']);
    expect(first.socket.frames.at(-1)?.[0]).toBe(2);
    expect(other.socket.ended).toBeNull();
    authenticator.forget('bob');
    clock.advance(31_000);
    expect(other.socket.ended).toBe('4401 expired');
    expect(sync.gauges()).toMatchObject({ socketsByRole: {}, ends: { 4401: 3 }, documents: [] });
  });

  it('[S14] gives open sockets a changed role at once, and tells their clients', () => {
    const { connect, authenticator, sync } = build();
    const app = connect('alice');
    const stock = connect('alice');
    const other = connect('bob');
    for (const { peer } of [app, other]) peer?.receive(encodeSubscribe({ topics: [] }));
    authenticator.change('alice', { kind: 'device', id: 'dev-1', label: 'phone', role: 'operator' });
    expect(sync.gauges().socketsByRole).toEqual({ operator: 2, viewer: 1 });
    expect(app.socket.frames.at(-1)).toEqual(encodeNews('session'));
    for (const { socket } of [stock, other]) expect(socket.frames).not.toContainEqual(encodeNews('session'));
    sync.tell('devices', ({ role }) => role === 'operator');
    expect(app.socket.frames.at(-1)).toEqual(encodeNews('devices'));
    expect(stock.socket.frames).not.toContainEqual(encodeNews('devices'));
  });

  it('[L12] shows who is where by the session, whatever a page says, and forgets it with the socket', () => {
    const { clock, connect, live } = build();
    const reader = new LiveReader();
    const listener = {
      bufferedBytes: 0,
      send: (frame: Uint8Array) => void reader.accept(frame.subarray(1)),
    };
    live.subscribe(listener, { topics: ['presence'] });
    const people = () => {
      clock.advance(500);
      return [...reader.presence.values()].map(({ hostId, people: there }) => [
        hostId,
        there.map(({ deviceId, label }) => `${label} ${deviceId}`),
      ]);
    };
    const page = connect('alice');
    const key = connect('bob');
    const looks = encodePresence({ hostId: 'box', preparing: null });
    page.peer?.receive(looks);
    key.peer?.receive(looks);
    connect('alice', 'tail@g1').peer?.receive(encodePresence({ hostId: 'other', preparing: null }));
    page.peer?.receive(encodePresence({ hostId: 'nowhere', preparing: null }));
    expect(people()).toEqual([]);
    page.peer?.receive(looks);
    expect(people()).toEqual([['box', ['phone dev-1']]]);
    page.peer?.closed();
    expect(people()).toEqual([]);
  });

  it('[S14] follows a changed role at the re-check', () => {
    const { clock, connect, authenticator, sync } = build();
    connect('alice');
    authenticator.identities.set('alice', { kind: 'device', id: 'dev-1', label: 'phone', role: 'viewer' });
    clock.advance(30_000);
    expect(sync.gauges().socketsByRole).toEqual({ viewer: 1 });
  });

  it('[S11] lets a backlog drain, cuts one that does not, and any that passes all bounds', async () => {
    const { clock, connect, documents } = build();
    const drains = connect('alice');
    const stuck = connect('alice');
    drains.socket.bufferedBytes = 2_000_000;
    stuck.socket.bufferedBytes = 2_000_000;
    clock.advance(8000);
    drains.socket.bufferedBytes = 900_000;
    clock.advance(8000);
    expect([drains.socket.ended, stuck.socket.ended]).toEqual([null, 'terminated']);
    drains.socket.bufferedBytes = 9_000_000;
    documents.write('fleet@g1', (doc) => new FleetEntries(doc).set('a', 1));
    await Promise.resolve();
    expect(drains.socket.ended).toBe('terminated');
  });

  it('[S7] spreads the closes of a stop, and takes nobody meanwhile', async () => {
    const { clock, connect, sync } = build({ staggerMs: 3000 });
    const sockets = Array.from({ length: 60 }, () => connect('alice').socket);
    const stopped = sync.stop();
    const closed = (): number => sockets.filter((socket) => socket.ended === '4503 restarting').length;
    expect(closed()).toBe(2);
    expect(connect('alice').socket.ended).toBe('4503 unavailable');
    for (let step = 0; step < 15; step += 1) {
      clock.advance(100);
      await Promise.resolve();
    }
    expect(closed()).toBeGreaterThan(20);
    expect(closed()).toBeLessThan(45);
    for (let step = 0; step < 15; step += 1) {
      clock.advance(100);
      await Promise.resolve();
    }
    await stopped;
    expect(closed()).toBe(60);
  });

  it('[S5] closes all sockets 4503 when the store fails, and takes them again when it recovered', async () => {
    const { connect, documents } = build({ staggerMs: 0 });
    const { socket } = connect('alice');
    documents.fail();
    await Promise.resolve();
    expect(socket.ended).toBe('4503 unavailable');
    expect(connect('alice').socket.ended).toBe('4503 unavailable');
    documents.recover();
    expect(connect('alice').peer).not.toBeNull();
  });

  it('[S5] keeps no socket on a document that was loaded anew', () => {
    const { connect, documents, sync } = build();
    const before = connect('alice');
    documents.reload();
    expect(connect('bob').peer).not.toBeNull();
    expect(before.socket.ended).toBe('4503 document loaded anew');
    expect(sync.gauges().documents).toMatchObject([{ sockets: 1 }]);
    expect(sync.health()).toMatchObject([{ name: 'sync', state: 'ok' }]);
  });

  it('[S15] refuses past the socket limit with a code to be retried', () => {
    const { connect } = build({ maxSockets: 2 });
    connect('alice');
    const { peer } = connect('alice');
    expect(connect('alice').socket.ended).toBe('1013 too many connections');
    peer?.closed();
    expect(connect('alice').socket.ended).toBeNull();
  });

  it('[S3] tells an app on any document to drop its copy, once, even if it wrote before it said hello', () => {
    const { connect, sync, log } = build();
    const { socket, peer } = connect('bob', 'tail@g1');
    const write = encodeUpdate(Uint8Array.from([1, 1, 5, 0, 0]));
    peer?.receive(write);
    peer?.receive(write);
    expect(socket.frames).toHaveLength(1);
    peer?.receive(encodeSubscribe({ topics: [] }));
    peer?.receive(write);
    expect(socket.frames.slice(1).map((frame) => [...frame.subarray(0, 2)])).toEqual([[100, 4]]);
    expect(sync.gauges().droppedWrites).toBe(3);
    peer?.closed();
    expect(sync.gauges().droppedWrites).toBe(3);
    expect(log.lines).toMatchObject([{ level: 'warn', fields: { by: 'key-1', count: 3 } }]);
  });

  it('[L16] gives log lines to operators and admins only, until their role gets smaller or the socket ends', () => {
    const { clock, authenticator, logs, connect } = build();
    const wish = { hostId: 'box', modelId: null };
    const [admin, viewer] = [connect('alice'), connect('bob')];
    for (const { peer } of [admin, viewer]) peer?.receive(encodeSubscribe({ topics: [], logs: wish }));
    const say = (text: string): void => {
      logs.append('box', { source: 'upstream', text: `${text}\n`, isHistory: false });
      clock.advance(200);
    };
    const heard = ({ socket }: { readonly socket: FakeSocket }): string =>
      socket.frames.map((frame) => new TextDecoder().decode(frame)).join('');
    say('first');
    expect(heard(admin)).toContain('first');
    authenticator.change('alice', { kind: 'device', id: 'dev-1', label: 'phone', role: 'viewer' });
    expect(logs.isWatched(wish)).toBe(false);
    say('second');
    expect(heard(admin)).not.toContain('second');
    authenticator.change('alice', { kind: 'device', id: 'dev-1', label: 'phone', role: 'operator' });
    clock.advance(200);
    expect(heard(admin)).toContain('second');
    expect(heard(viewer)).not.toMatch(/first|second/);
    admin.peer?.closed();
    expect(logs.isWatched(wish)).toBe(false);
  });
});
