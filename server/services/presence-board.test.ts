import { describe, expect, it } from 'vitest';
import type { LivePresence, PresenceReport } from '#shared/schemas/live.ts';
import type { Identity } from '../domain/identity.ts';
import { ManualClock } from '../testing/manual-clock.ts';
import { PRESENCE_MAX, PRESENCE_MS, PresenceBoard } from './presence-board.ts';

const ANA: Identity = { kind: 'device', id: 'dev-ana', label: 'ana-phone', role: 'viewer' };
const BEN: Identity = { kind: 'device', id: 'dev-ben', label: 'ben-laptop', role: 'admin' };
const LOOKS: PresenceReport = { hostId: 'box', preparing: null };
const UNLOADS: PresenceReport = { hostId: 'box', preparing: { kind: 'model.unload', modelId: 'coder' } };

function world() {
  const clock = new ManualClock();
  const told: [string, Omit<LivePresence, 'hostId'>][] = [];
  const hosts = new Set(['box', 'attic']);
  const live = {
    presence: (hostId: string, value: Omit<LivePresence, 'hostId'>) => void told.push([hostId, value]),
  };
  const board = new PresenceBoard({ live, isHost: (id) => hosts.has(id), clock });
  board.start();
  /** Who was last told to be at a host. */
  const at = (hostId: string) => told.findLast(([id]) => id === hostId)?.[1].people ?? [];
  const page = () => ({});
  return { clock, board, told, hosts, at, page };
}

describe('presence', () => {
  it('adds up the pages of a device, and names those first who prepare something', () => {
    const { clock, board, at, page } = world();
    const start = clock.now();
    const [first, second] = [page(), page()];
    board.report(first, ANA, LOOKS);
    clock.advance(1_000);
    board.report(second, ANA, LOOKS);
    board.report(page(), BEN, UNLOADS);
    expect(at('box')).toEqual([
      { deviceId: 'dev-ben', label: 'ben-laptop', since: start + 1_000, preparing: UNLOADS.preparing },
      { deviceId: 'dev-ana', label: 'ana-phone', since: start, preparing: null },
    ]);
    board.report(second, ANA, UNLOADS);
    expect(at('box')[0]).toEqual({ ...at('box')[0], deviceId: 'dev-ana', preparing: UNLOADS.preparing });
    board.leave(first);
    expect(at('box')[1]?.since ?? at('box')[0]?.since).toBe(start + 1_000);
  });

  it('moves with the page, and ends with it', () => {
    const { board, at, page } = world();
    const only = page();
    board.report(only, ANA, LOOKS);
    board.report(only, ANA, { hostId: 'attic', preparing: null });
    expect([at('box').length, at('attic').length]).toEqual([0, 1]);
    board.report(only, ANA, { hostId: null, preparing: null });
    expect(at('attic')).toEqual([]);
  });

  it('is forgotten when it is not said again, and said again costs no frame', () => {
    const { clock, board, told, at, page } = world();
    const [stays, goes] = [page(), page()];
    board.report(stays, ANA, LOOKS);
    board.report(goes, BEN, LOOKS);
    const frames = told.length;
    for (let second = 0; second < PRESENCE_MS + 30_000; second += 30_000) {
      clock.advance(30_000);
      board.report(stays, ANA, LOOKS);
    }
    expect(at('box').map((person) => person.deviceId)).toEqual(['dev-ana']);
    expect(told.length).toBe(frames + 1);
    board.stop();
  });

  it('takes neither keys nor hosts that do not exist', () => {
    const { board, told, hosts, page } = world();
    board.report(page(), { ...ANA, kind: 'key' }, LOOKS);
    board.report(page(), ANA, { hostId: 'nowhere', preparing: null });
    expect(told).toEqual([]);
    const gone = page();
    board.report(gone, ANA, LOOKS);
    hosts.delete('box');
    board.leave(gone);
    expect(told).toHaveLength(1);
  });

  it('names a bounded number of people and counts the rest', () => {
    const { board, told, page } = world();
    for (let index = 0; index < 40; index += 1) board.report(page(), { ...ANA, id: `dev-${index}` }, LOOKS);
    const last = told.at(-1)?.[1];
    expect(last?.people).toHaveLength(PRESENCE_MAX);
    expect(last?.more).toBe(40 - PRESENCE_MAX);
  });

  it('follows a new name', () => {
    const { board, at, page } = world();
    const only = page();
    board.report(only, ANA, LOOKS);
    board.rename(only, { ...ANA, label: 'ana-tablet' });
    expect(at('box')).toMatchObject([{ label: 'ana-tablet' }]);
  });
});
